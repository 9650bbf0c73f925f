//! One session in every form: terminal, Markdown, HTML and JSON.

#![allow(dead_code, reason = "not every test needs all of it")]

use content::{Bill, Selection, Threads};
use human::Locale;
use page::{PageOptions, write_page};
use render::github::{Figures, Images, Placing, write_markdown};
use render::terminal::{TerminalLook, write_terminal};
use story::{Detail, Story, Texts};
use wire::JsonLayout;
use wire::show::{SessionFigures, write_json};

/// The visible text of a page.
fn text_of_html(html: &str) -> String {
    let mut text = String::with_capacity(html.len() / 2);
    for piece in html.split('<') {
        text.push_str(piece.split_once('>').map_or("", |(_, text)| text));
        text.push(' ');
    }
    let entities = [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    entities.iter().fold(text, |text, (entity, sign)| text.replace(entity, sign))
}

/// Words as a readable format may write them: on one line, without Markdown syntax.
pub(crate) fn plain(text: &str) -> String {
    text.replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) struct Forms {
    pub(crate) named: Vec<(&'static str, String)>,
    pub(crate) json: String,
}

pub(crate) fn forms(story: &Story, texts: &mut impl Texts, detail: Detail) -> Forms {
    let selection = Selection { detail, threads: Threads::All, ..Selection::default() };
    let locale = Locale::default();
    let look = TerminalLook {
        width: 100,
        is_terminal: false,
        theme: None,
        locale: locale.clone(),
        bill: Bill::default(),
        status: None,
    };
    let (mut terminal, mut markdown, mut html, mut json) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    write_terminal(&mut terminal, story, texts, &selection, &look).unwrap();
    let mut placing = Placing::new(Images::Omit, |_: &str, _: &[u8]| Ok(None));
    write_markdown(
        &mut markdown,
        story,
        texts,
        &selection,
        &mut placing,
        &Figures { locale: &locale, bill: &Bill::default(), status: None },
    )
    .unwrap();
    let options = PageOptions { detail, selection: Some(&selection), ..PageOptions::default() };
    write_page(&mut html, story, texts, &options).unwrap();
    let status = story::SessionStatus { reason: story::StateReason::Finished, since: None, is_certain: true };
    let figures = SessionFigures { bill: &Bill::default(), status };
    write_json(&mut json, story, texts, &[], &figures, &selection, JsonLayout::Compact).unwrap();
    let string = |bytes| String::from_utf8(bytes).unwrap();
    Forms {
        named: vec![
            ("terminal", plain(&string(terminal))),
            ("markdown", plain(&string(markdown))),
            ("html", plain(&text_of_html(&at_level(string(html), detail)))),
        ],
        json: string(json),
    }
}

/// The elements of a page that a level shows. Full detail shows everything.
fn at_level(html: String, detail: Detail) -> String {
    if detail >= Detail::Full {
        return html;
    }
    let shown = ["0\"", "1\"", "2\""].into_iter().take(detail as usize + 1).collect::<Vec<_>>();
    let parts = html.split("data-level=\"").skip(1);
    parts.filter(|part| shown.iter().any(|level| part.starts_with(level))).map(|part| &part[2..]).collect()
}
