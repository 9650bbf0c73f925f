//! The chart of the context size over time.

use std::fmt::Write as _;

use maud::{Markup, html};
use story::Step;
use story::step::{Extent, Millis, StepKind};

use super::document::layout::Layout;
use super::timeline::{Axis, WIDTH};
use human::{counted, thousands};

/// Maximum number of points.
const POINTS: u32 = 400;
const HEIGHT: u64 = 80;

/// The tokens in the context over time, with the compactions. Empty if there are fewer than two points.
pub(super) fn chart(layout: &Layout<'_>, axis: &Axis, context: &[(Millis, u64)]) -> Markup {
    // Points outside the axis are not on the page.
    let ends = axis.points().first().zip(axis.points().last());
    let is_on = |at: Millis| ends.is_some_and(|((_, first), (_, last))| (first..=last).contains(&&at));
    let context: Vec<_> = context.iter().copied().filter(|(at, _)| is_on(*at)).collect();
    let most = context.iter().map(|(_, tokens)| *tokens).max().unwrap_or_default();
    if context.len() < 2 || most == 0 {
        return html! {};
    }
    let points = bucketed(axis, &context);
    let mut line = String::new();
    for (place, tokens) in &points {
        let letter = if line.is_empty() { 'M' } else { 'L' };
        let down =
            HEIGHT - u64::try_from(u128::from(*tokens) * u128::from(HEIGHT) / u128::from(most)).unwrap_or(HEIGHT);
        // Writing to a string cannot fail.
        let _ = write!(line, "{letter}{place} {down}");
    }
    let (first, last) = (points.first().map_or(0, |point| point.0), points.last().map_or(0, |point| point.0));
    let area = format!("{line}L{last} {HEIGHT}L{first} {HEIGHT}z");
    let (compactions, times) = compactions(layout, axis);
    let times = if times > 0 { format!(", {}", counted(times, "compaction", "compactions")) } else { String::new() };
    let caption = format!("context: up to {} tokens{times}", thousands(most));
    html! {
        figure.chart {
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(caption) {
                path.area d=(area) {}
                path.line d=(line) {}
                @if !compactions.is_empty() { path.compaction d=(compactions) {} }
            }
            figcaption { (caption) }
        }
    }
}

/// The highest value of each horizontal position, from left to right.
fn bucketed(axis: &Axis, context: &[(Millis, u64)]) -> Vec<(u32, u64)> {
    let mut highest = [None::<(u32, u64)>; POINTS as usize + 1];
    for (at, tokens) in context {
        let place = axis.place(*at);
        let Some(bucket) = highest.get_mut((place * POINTS / WIDTH) as usize) else { continue };
        if bucket.is_none_or(|(_, most)| most < *tokens) {
            *bucket = Some((place, *tokens));
        }
    }
    highest.into_iter().flatten().collect()
}

fn compactions(layout: &Layout<'_>, axis: &Axis) -> (String, u64) {
    let (mut path, mut times, mut last) = (String::new(), 0, None);
    let main = layout.story.thread(layout.main);
    let steps = main.into_iter().flat_map(|main| &main.steps).filter_map(|id| layout.story.step(*id));
    let is_compaction = |step: &&Step| {
        // Dropping old results from the context is not a compaction of the conversation.
        matches!(&step.kind, StepKind::Compaction(compaction) if compaction.extent != Extent::Results)
    };
    for step in steps.filter(|step| layout.wants(step)).filter(is_compaction) {
        times += 1;
        let place = step.at.map(|at| axis.place(at));
        if let Some(place) = place.filter(|_| place != last) {
            let _ = write!(path, "M{place} 0v{HEIGHT}");
            last = Some(place);
        }
    }
    (path, times)
}
