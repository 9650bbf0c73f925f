//! Accessibility of pages, checked by axe-core.

use browser::Browser;

use crate::made::{SOON, demo};

#[test]
fn a_page_is_accessible() {
    let (browser, made) = (Browser::launch().unwrap(), demo());
    let page = made.open(&browser);
    let mut all = Vec::new();
    for dark in [false, true] {
        page.emulate_dark(dark).unwrap();
        for (level, size) in [("3", (1280, 900)), ("4", (1280, 900)), ("3", (360, 740))] {
            page.set_viewport(size.0, size.1).unwrap();
            page.press(level).unwrap();
            page.wait_for("document.querySelectorAll('.step').length > 20", SOON).unwrap();
            page.evaluate("new Promise(done => setTimeout(done, 300))").unwrap();
            let colours = if dark { "dark" } else { "light" };
            all.extend(
                page.hurdles()
                    .unwrap()
                    .into_iter()
                    .map(|hurdle| format!("{colours}, level {level}, {size:?}: {hurdle}")),
            );
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
