//! A minimal HTML reader for our own pages.

/// All texts between two marks.
pub(crate) fn all_between<'h>(html: &'h str, from: &str, to: &str) -> Vec<&'h str> {
    html.split(from).skip(1).filter_map(|rest| rest.split_once(to)).map(|(inside, _)| inside).collect()
}

/// The first text between two marks.
pub(crate) fn between<'h>(html: &'h str, from: &str, to: &str) -> Option<&'h str> {
    html.split_once(from)?.1.split_once(to).map(|(inside, _)| inside)
}

/// An attribute of the first element that has it.
pub(crate) fn attribute(html: &str, name: &str) -> Option<String> {
    between(html, &format!(" {name}=\""), "\"").map(unescaped)
}

/// The text without the elements.
pub(crate) fn text(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        text.push_str(part.split_once('>').map_or(if text.is_empty() { part } else { "" }, |(_, after)| after));
    }
    unescaped(&text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

/// The rows of the tables on a page: column names and cells.
pub(crate) fn rows(html: &str) -> Vec<Vec<(String, String)>> {
    let mut rows = Vec::new();
    for table in all_between(html, "<table", "</table>") {
        let head = between(table, "<thead>", "</thead>").unwrap_or_default();
        let names: Vec<String> = cells(head).iter().map(|cell| text(cell)).collect();
        for row in all_between(between(table, "<tbody>", "</tbody>").unwrap_or_default(), "<tr", "</tr>") {
            rows.push(names.iter().cloned().zip(cells(row).into_iter().map(str::to_owned)).collect());
        }
    }
    rows
}

/// The cells of a row, including their markup.
fn cells(row: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut rest = row;
    while let Some(start) = [rest.find("<th"), rest.find("<td")].into_iter().flatten().min() {
        let end = if rest[start..].starts_with("<th") { "</th>" } else { "</td>" };
        let Some(length) = rest[start..].find(end) else { break };
        cells.push(&rest[start..start + length]);
        rest = &rest[start + length + end.len()..];
    }
    cells
}

/// The cell of a column, as text.
pub(crate) fn cell<'r>(row: &'r [(String, String)], name: &str) -> Option<&'r str> {
    row.iter().find(|(column, _)| column == name).map(|(_, cell)| cell.as_str())
}
