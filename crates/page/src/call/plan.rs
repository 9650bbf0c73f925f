//! Plans and questions.

use format::tool::{
    Annotation, AskUserQuestionInput, AskUserQuestionResult, Choice, ExitPlanModeInput, ExitPlanModeResult, Goal,
    Question, ToolInput, ToolResult,
};
use format::{Map, Text};
use maud::{Markup, html};

use super::piece::{facts, first_of, label, note, notes, spaced, with, word};
use crate::{output, prose, text};
use content::view::CallParts;

/// A plan, as long as nothing says what became of it.
pub(super) fn plan_asked(plan: &ExitPlanModeInput<'_>, parts: &CallParts<'_>) -> Markup {
    if matches!(parts.result, Some(ToolResult::ExitPlanMode(_))) {
        return html! {};
    }
    html! { (prose(word(plan.plan))) (terms(plan)) }
}

/// What else a plan says.
fn terms(plan: &ExitPlanModeInput<'_>) -> Markup {
    html! {
        @if !plan.allowed_prompts.is_empty() {
            (label("may be done without asking again"))
            ul { @for allowed in &plan.allowed_prompts {
                li { (text(word(allowed.tool))) ": " (text(word(allowed.prompt))) }
            } }
        }
        (note(&with("the plan is in", word(plan.plan_file_path))))
    }
}

/// An approved plan.
pub(super) fn approved(plan: &ExitPlanModeResult<'_>, parts: &CallParts<'_>) -> Markup {
    let asked = match parts.input {
        Some(ToolInput::ExitPlanMode(asked)) => Some(&**asked),
        _ => None,
    };
    // The user may have edited it.
    let words = plan.plan.or_else(|| asked?.plan);
    let is_placed = asked.is_some_and(|asked| asked.plan_file_path.is_some());
    let path = if is_placed { "" } else { word(plan.file_path) };
    let verdict = match (plan.awaiting_leader_approval, plan.plan_was_edited) {
        (Some(true), _) => "waits for the leader's approval",
        (_, Some(true)) => "approved, edited by the user",
        _ => "approved",
    };
    html! {
        @if let Some(words) = words { (prose(&words)) }
        @if let Some(asked) = asked { (terms(asked)) }
        (notes(&[verdict, &with("the plan is in", path)]))
    }
}

/// A goal, as it was proposed.
pub(super) fn goal(goal: &Goal<'_>) -> Markup {
    facts(&[("goal", word(goal.condition))])
}

/// Questions, unless their answers come with them.
pub(super) fn questions_asked(asked: &AskUserQuestionInput<'_>, parts: &CallParts<'_>) -> Markup {
    if matches!(parts.result, Some(ToolResult::AskUserQuestion(_))) {
        return html! {};
    }
    html! {
        @for question in &asked.questions { (self::question(question, &asked.answers, &asked.annotations)) }
        @if let Some(words) = asked.question { (prose(&words)) }
    }
}

/// Questions with their answers.
pub(super) fn answered(given: &AskUserQuestionResult<'_>, parts: &CallParts<'_>) -> Markup {
    let asked = match parts.input {
        Some(ToolInput::AskUserQuestion(asked)) => &asked.questions[..],
        _ => &[],
    };
    // What was asked has the previews; what came back has them not always.
    let questions = if asked.is_empty() { &given.questions[..] } else { asked };
    let is_known = |key: &str| questions.iter().any(|question| word(question.question) == key);
    let others: Vec<_> = given.answers.iter().filter(|(key, _)| !is_known(key)).take(MOST_OTHERS).collect();
    html! {
        @for question in questions { (self::question(question, &given.answers, &given.annotations)) }
        @for (question, answer) in others {
            section.question { p { (text(question)) } blockquote.said { (text(answer)) } }
        }
        @if let Some(words) = given.response { blockquote.said { (text(&words)) } }
        @if given.afk_timeout_ms.is_some() && given.answers.is_empty() { (note("no answer: the user was away")) }
    }
}

/// Answers to questions that were never asked are not many.
const MOST_OTHERS: usize = 50;

fn question(question: &Question<'_>, answers: &Map<'_, Text<'_>>, annotations: &Map<'_, Annotation<'_>>) -> Markup {
    let key = word(question.question);
    let answer = answers.get(key).map_or("", |answer| answer.as_str());
    let (chosen, free) = split_answer(answer, &question.options, question.multi_select == Some(true));
    let nothing = Annotation::default();
    let annotation = annotations.get(key).unwrap_or(&nothing);
    html! {
        section.question {
            p { @if let Some(header) = question.header { b { (text(&header)) } " " } (text(key)) }
            @if !question.options.is_empty() {
                ul.options {
                    @for (number, option) in question.options.iter().enumerate() {
                        (choice(option, chosen.contains(&number)))
                    }
                }
            }
            @if !free.is_empty() { blockquote.said { (text(&free)) } }
            @if let Some(notes) = annotation.notes { (label("the user noted")) blockquote.said { (text(&notes)) } }
            (note(&spaced(word(annotation.unanswered))))
        }
    }
}

fn choice(option: &Choice<'_>, is_chosen: bool) -> Markup {
    html! {
        li data-chosen[is_chosen] {
            b { (text(word(option.label))) }
            @if is_chosen { " " span.badge { "chosen" } }
            @if let Some(words) = option.description { p { (text(&words)) } }
            @if let Some(preview) = option.preview { (output(&preview)) }
        }
    }
}

/// The options that an answer names, by their numbers, and what is left of it.
fn split_answer(answer: &str, options: &[Choice<'_>], is_multiple: bool) -> (Vec<usize>, String) {
    /// Nobody offers more.
    const MOST: usize = 20;
    if let Some(number) = options.iter().position(|option| word(option.label) == answer && !answer.is_empty()) {
        return (vec![number], String::new());
    }
    if !is_multiple {
        return (Vec::new(), answer.to_owned());
    }
    // Labels may hold commas of their own, so they are looked for before the next comma.
    let (mut chosen, mut free, mut rest) = (Vec::new(), Vec::new(), answer);
    while !rest.is_empty() {
        let named = options.iter().take(MOST).enumerate().find_map(|(number, option)| {
            let after = rest.strip_prefix(first_of([word(option.label), "\0"]))?;
            let next = if after.is_empty() { Some("") } else { after.strip_prefix(", ") };
            next.map(|next| (number, next))
        });
        if let Some((number, next)) = named {
            chosen.push(number);
            rest = next;
        } else {
            let (words, next) = rest.split_once(", ").unwrap_or((rest, ""));
            free.push(words);
            rest = next;
        }
    }
    (chosen, free.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_name_options_or_are_free() {
        let option = |label: &'static str| Choice { label: Some(Text::from(label)), ..Choice::default() };
        let options = ["North", "South, in the sun", "West"].map(option);
        let split = |answer, is_multiple| split_answer(answer, &options, is_multiple);
        assert_eq!(split("North", false), (vec![0], String::new()));
        assert_eq!(split("South, in the sun", false), (vec![1], String::new()));
        assert_eq!(split("neither", false), (vec![], "neither".to_owned()));
        assert_eq!(split("North, South, in the sun, and, more", true), (vec![0, 1], "and, more".to_owned()));
        assert_eq!(split("", true), (vec![], String::new()));
    }
}
