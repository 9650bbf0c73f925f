use std::collections::BTreeSet;
use std::fs;

use super::*;

#[test]
fn every_exhibit_exists_and_is_distinct() {
    let folder = tempdir("gallery");
    let exhibits = write(&folder.join("root"), &folder.join("work"), 1_790_000_000_000).unwrap();
    assert!(exhibits.iter().all(|exhibit| exhibit.path.exists()), "{exhibits:?}");
    let ids: BTreeSet<&str> = exhibits.iter().map(|exhibit| exhibit.id.as_str()).collect();
    // Two share an id on purpose.
    assert_eq!(ids.len() + 1, exhibits.len());
    for exhibit in exhibits.iter().filter(|exhibit| exhibit.path.is_file()) {
        let text = fs::read_to_string(&exhibit.path).unwrap();
        assert!(text.lines().next().is_some(), "{}", exhibit.what);
    }
    fs::remove_dir_all(folder).unwrap();
}

fn tempdir(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("testkit-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}
