//! Compares the totals of reports and pages with the sum over the sessions.

use serde_json::{Value, json};

use crate::html;
use crate::known::Difference;
use crate::said::{Said, ValueKind, agrees, count, money, tokens};
use crate::sessions::Session;
use crate::stage::Stage;

/// The figures that are summed up.
const FIGURES: [(&str, ValueKind); 6] = [
    ("sessions", ValueKind::Count),
    ("turns", ValueKind::Count),
    ("calls", ValueKind::Count),
    ("failed", ValueKind::Count),
    ("tokens", ValueKind::Tokens),
    ("cost", ValueKind::Money),
];

/// A figure of a report: the report, the figure, and its value.
type Total = (String, &'static str, Said);

/// The differences from the sums over all sessions.
pub(crate) fn differences(stage: &Stage, sessions: &[Session]) -> Vec<Difference> {
    let truth = |figure: &str| {
        let said = sessions.iter().map(|session| session.facts.get(figure).unwrap());
        match figure {
            "sessions" => json!(sessions.len()),
            "tokens" => json!(said.map(|said| tokens(said).unwrap().0).sum::<f64>()),
            "cost" => json!(said.map(|said| money(said).unwrap().0).sum::<f64>()),
            _ => json!(said.map(|said| count(said).unwrap()).sum::<u64>()),
        }
    };
    let differs = |(report, figure, said): Total| {
        let (_, kind) = FIGURES.iter().find(|(name, _)| *name == figure).unwrap();
        let truth = Said::Value(truth(figure));
        let detail = format!("{said}, and the sum over the sessions is {truth}");
        (!agrees(*kind, &truth, &said)).then(|| Difference::new(&report, figure, &["total"], detail))
    };
    all(stage).into_iter().filter_map(differs).collect()
}

fn all(stage: &Stage) -> Vec<Total> {
    let mut totals = Vec::new();
    usage(stage, &mut totals);
    lists(stage, &mut totals);
    web(stage, &mut totals);
    totals
}

fn usage(stage: &Stage, totals: &mut Vec<Total>) {
    for kind in ["daily", "weekly", "monthly", "session", "project", "model", "branch", "agent", "blocks"] {
        let document = stage.json(&["usage", kind, "--json"]);
        let report = format!("usage {kind} --json");
        totals.push((report.clone(), "tokens", Said::Value(document["totals"]["total_tokens"].clone())));
        totals.push((report, "cost", Said::Value(document["totals"]["cost_usd"].clone())));
    }
    let tools = stage.json(&["usage", "tool", "--json"]);
    totals.push(("usage tool --json".to_owned(), "calls", sum(&tools["rows"], "calls")));
    let text = stage.text(&["usage", "daily"]);
    let total = text.lines().find(|line| line.starts_with("total")).unwrap_or_default();
    let mut cells = total.rsplit("  ").map(str::trim).filter(|cell| !cell.is_empty());
    totals.push(("usage daily".to_owned(), "cost", Said::words(cells.next().unwrap_or_default())));
    totals.push(("usage daily".to_owned(), "tokens", Said::words(cells.next().unwrap_or_default())));
}

/// The sum of a figure over the objects of a list.
fn sum(list: &Value, key: &str) -> Said {
    Said::Value(json!(list.as_array().unwrap().iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>()))
}

fn lists(stage: &Stage, totals: &mut Vec<Total>) {
    totals.push(("ls --json".to_owned(), "sessions", Said::Value(stage.json(&["ls", "--json"])["total"].clone())));
    projects("projects --json", &stage.json(&["projects", "--json"]), totals);
    let folder = stage.path("exported-total");
    let said = stage.text(&["export", "html", folder.to_str().unwrap(), "--detail", "prompts"]);
    let written = said.rsplit(": ").next().unwrap_or_default().split(' ').next().unwrap_or_default();
    totals.push(("export html".to_owned(), "sessions", Said::words(written)));
    let index = std::fs::read_to_string(folder.join("index.html")).unwrap();
    let about = html::text(html::between(&index, "<p class=\"where\">", "</p>").unwrap_or_default());
    let about = about.rsplit(" · ").next().unwrap_or_default().split(' ').next().unwrap_or_default();
    totals.push(("export html: index".to_owned(), "sessions", Said::words(about)));
}

fn projects(report: &str, document: &Value, totals: &mut Vec<Total>) {
    let list = &document["projects"];
    for figure in ["sessions", "turns", "calls", "failed", "tokens"] {
        totals.push((report.to_owned(), figure, sum(list, figure)));
    }
    let cost: f64 = list.as_array().unwrap().iter().map(|row| row["cost_usd"].as_f64().unwrap()).sum();
    totals.push((report.to_owned(), "cost", Said::Value(json!(cost))));
}

fn web(stage: &Stage, totals: &mut Vec<Total>) {
    let mut add = |report: &str, figure, said| totals.push((report.to_owned(), figure, said));
    add("GET /api/v1/sessions", "sessions", Said::Value(stage.api("/sessions").unwrap()["total"].clone()));
    let page = stage.get("/sessions").unwrap();
    let status = html::text(html::between(&page, "role=\"status\">", "</p>").unwrap_or_default());
    add("GET /sessions", "sessions", Said::words(status.split(' ').next().unwrap_or_default()));

    let usage = stage.api("/usage").unwrap();
    add("GET /api/v1/usage", "tokens", Said::Value(usage["totals"]["tokens"].clone()));
    add("GET /api/v1/usage", "cost", Said::Value(usage["totals"]["cost_usd"].clone()));
    add("GET /api/v1/usage", "calls", sum(&usage["tools"], "calls"));
    let page = stage.get("/usage").unwrap();
    add("GET /usage", "tokens", term(&page, "tokens"));
    add("GET /usage", "cost", term(&page, "cost"));

    let tools = stage.api("/tools").unwrap();
    add("GET /api/v1/tools", "sessions", Said::Value(tools["sessions"].clone()));
    add("GET /api/v1/tools", "calls", sum(&tools["tools"], "calls"));
    add("GET /api/v1/tools", "failed", sum(&tools["tools"], "failed"));
    let page = stage.get("/tools").unwrap();
    for figure in ["sessions", "calls", "failed"] {
        add("GET /tools", figure, term(&page, figure));
    }

    let page = stage.get("/projects").unwrap();
    let rows = html::rows(&page);
    for figure in ["sessions", "turns", "calls", "failed"] {
        let cells = rows.iter().map(|row| Said::words(html::text(html::cell(row, figure).unwrap_or_default())));
        add("GET /projects", figure, Said::Value(json!(cells.map(|cell| count(&cell).unwrap()).sum::<u64>())));
    }
    projects("GET /api/v1/projects", &stage.api("/projects").unwrap(), totals);
}

/// A figure among the totals of a page, without a share beside it.
fn term(page: &str, name: &str) -> Said {
    let totals = html::between(page, "<dl class=\"totals\">", "</dl>").unwrap_or_default();
    let value = html::between(totals, &format!("<dt>{name}</dt><dd>"), "</dd>").unwrap_or_default();
    Said::words(html::text(value.split("<small>").next().unwrap_or_default()))
}
