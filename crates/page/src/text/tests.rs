//! Properties of every page, for any text of a session.

use html5ever::driver::{ParseOpts, parse_fragment};
use html5ever::tendril::TendrilSink;
use html5ever::{LocalName, QualName, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;

use super::*;
use crate::{code, output, prose};
use testkit::hostile::hostile;

/// The elements that text of a session may produce, and their attributes.
const ALLOWED: &[(&str, &[&str])] = &[
    ("a", &["href", "rel"]),
    ("blockquote", &["class", "data-kind"]),
    ("br", &[]),
    ("code", &[]),
    ("del", &[]),
    ("details", &["class"]),
    ("div", &["class", "data-language", "tabindex"]),
    ("em", &[]),
    ("figcaption", &[]),
    ("figure", &["class"]),
    ("h4", &[]),
    ("h5", &[]),
    ("h6", &[]),
    ("hr", &[]),
    ("img", &["alt", "height", "loading", "src", "width"]),
    ("li", &["class", "data-done"]),
    ("mark", &[]),
    ("ol", &["class", "start"]),
    ("p", &["class", "data-new", "data-old"]),
    ("pre", &["class", "data-language", "data-line", "tabindex"]),
    ("span", &["class"]),
    ("strong", &[]),
    ("summary", &[]),
    ("sup", &["class"]),
    ("table", &[]),
    ("tbody", &[]),
    ("td", &["data-align"]),
    ("th", &["data-align"]),
    ("thead", &[]),
    ("tr", &[]),
    ("ul", &[]),
];

fn parse(page: &str) -> RcDom {
    let body = QualName::new(None, ns!(html), LocalName::from("body"));
    parse_fragment(RcDom::default(), ParseOpts::default(), body, Vec::new(), false).one(page)
}

/// All nodes in order, with their depths.
fn nodes(page: &RcDom) -> Vec<(usize, Handle)> {
    let mut nodes = Vec::new();
    let mut open = vec![(0, page.document.clone())];
    while let Some((depth, node)) = open.pop() {
        open.extend(node.children.borrow().iter().rev().map(|child| (depth + 1, child.clone())));
        nodes.push((depth, node));
    }
    nodes
}

/// The visible text.
pub(crate) fn text_of(page: &str) -> String {
    let text = |node: &Handle| match &node.data {
        NodeData::Text { contents } => contents.borrow().to_string(),
        _ => String::new(),
    };
    nodes(&parse(page)).iter().map(|(_, node)| text(node)).collect()
}

/// Checks that a piece of a page parses as written, and contains only allowed elements and attributes.
pub(crate) fn hold(page: &str) {
    let parsed = parse(page);
    let shown: String = page.chars().take(2000).collect();
    assert!(parsed.errors.borrow().is_empty(), "{:?}: {shown}", parsed.errors.borrow());
    // The parser adds an element of its own around the fragment.
    let nodes: Vec<_> = nodes(&parsed).into_iter().filter(|(depth, _)| *depth > 1).collect();
    for (depth, node) in &nodes {
        assert!(*depth < 200, "{depth} deep");
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                let allowed = ALLOWED.iter().find(|(element, _)| **element == *name.local);
                let (_, allowed) = allowed.unwrap_or_else(|| panic!("<{}>: {shown}", name.local));
                for attribute in attrs.borrow().iter() {
                    let (name, value) = (&*attribute.name.local, &*attribute.value);
                    assert!(allowed.contains(&name), "{name}: {shown}");
                    assert!(name != "href" || leads_to_the_web(value), "{value}: {shown}");
                }
            }
            NodeData::Text { .. } => {}
            other => panic!("{other:?}: {shown}"),
        }
    }
    // Markup that browsers have to repair is not parsed as it was written.
    let read = nodes.iter().filter(|(_, node)| matches!(node.data, NodeData::Element { .. })).count();
    let written = page.matches('<').count() - page.matches("</").count();
    assert_eq!(read, written, "{shown}");
}

fn leads_to_the_web(address: &str) -> bool {
    let address = address.to_ascii_lowercase();
    ["http://", "https://", "mailto:"].iter().any(|scheme| address.starts_with(scheme))
}

/// A number of numbered lines.
pub(crate) fn lines(count: usize) -> String {
    (1..=count).flat_map(|line| ["line ".to_owned(), line.to_string(), "\n".to_owned()]).collect()
}

#[test]
fn quotes_end_no_attribute() {
    let page = maud::html! { span class=(text("a\" onclick='b' <c> & d")) { (text("\"e\"")) } }.into_string();
    assert_eq!(page, "<span class=\"a&quot; onclick='b' &lt;c&gt; &amp; d\">&quot;e&quot;</span>");
}

proptest! {
    #[test]
    fn any_text_is_a_good_page(words in hostile()) {
        hold(&prose(&words).into_string());
        let cleaned = clean_text(&words);
        let page = code(&words, None, Some(1)).into_string();
        hold(&page);
        prop_assert_eq!(text_of(&page), cleaned.as_ref());
        let page = output(&words).into_string();
        hold(&page);
        if !words.contains(['\x1b', '\r', '\x08']) {
            prop_assert_eq!(text_of(&page), cleaned.as_ref());
        }
    }
}
