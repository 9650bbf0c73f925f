//! Figures of the board in the Prometheus text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use story::SessionState;

use crate::live_board::View;

/// The figures. Names of sessions and projects are not included.
pub(crate) fn text(view: &View) -> String {
    let mut states: BTreeMap<&str, u64> = SessionState::ALL.into_iter().map(|state| (state.word(), 0)).collect();
    let (mut needs_you, mut longest) = (0_u64, 0);
    for view_of in &view.cards {
        let card = &view_of.card;
        *states.entry(card.state.status().state().word()).or_default() += 1;
        if card.needs_you() {
            needs_you += 1;
            longest = longest.max(view.at - card.state.since.unwrap_or(view.at));
        }
    }
    let mut out = String::new();
    let mut metric = |name: &str, kind: &str, help: &str, values: &[(String, f64)]| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "# HELP recount_{name} {help}\n# TYPE recount_{name} {kind}");
        for (labels, value) in values {
            let _ = writeln!(out, "recount_{name}{labels} {value}");
        }
    };
    #[expect(clippy::cast_precision_loss, reason = "counts are far below that limit")]
    let alone = |value: u64| vec![(String::new(), value as f64)];
    #[expect(clippy::cast_precision_loss, reason = "counts are far below that limit")]
    let by_state: Vec<(String, f64)> =
        states.iter().map(|(state, count)| (format!("{{state=\"{state}\"}}"), *count as f64)).collect();
    metric("sessions", "gauge", "Sessions on the board, by state.", &by_state);
    metric("needs_you", "gauge", "Sessions that wait for you.", &alone(needs_you));
    metric(
        "longest_wait_seconds",
        "gauge",
        "How long the first of them has waited.",
        &alone(longest.max(0).unsigned_abs() / 1000),
    );
    let today = &view.totals;
    metric("today_cost_dollars", "gauge", "Cost of all sessions today.", &[(String::new(), today.used.cost.dollars())]);
    metric("today_tokens", "gauge", "Tokens used today.", &alone(today.used.tokens));
    metric("today_worked_seconds", "gauge", "Active time of turns today.", &alone(today.worked / 1000));
    metric("today_waited_seconds", "gauge", "Time that sessions waited for you today.", &alone(today.waited / 1000));
    out
}
