//! Questions to the user, and their answers.

use format::Map;
use format::tool::{Annotation, Answer, AskUserQuestionResult, Choice, ExitPlanModeResult};
use story::Detail;

use crate::pen::{Form, Pen, word};
use crate::section::{Body, Question};

/// Questions, each with its answer if there is one. Answers to other questions come last.
pub(super) fn all<'e>(
    questions: &'e [format::tool::Question<'e>],
    answers: &'e Map<'e, Answer<'e>>,
    annotations: &'e Map<'e, Annotation<'e>>,
    pen: &mut Pen<'_, 'e>,
) {
    for asked in questions {
        let text = word(asked.question);
        let answer = answers.get(text).map_or("", |answer| answer.as_str());
        let question = Question {
            header: word(asked.header),
            text,
            options: &asked.options,
            is_multiple: asked.multi_select == Some(true),
            answer,
        };
        pen.at(Detail::Talk).put("", Body::Question(question));
        self::answer(text, answer, annotations.get(text), pen);
    }
    let is_other = |name: &str| !questions.iter().any(|asked| word(asked.question) == name);
    for (question, answer) in answers.iter().filter(|(question, _)| is_other(question)) {
        self::answer(question, answer.as_str(), annotations.get(question), pen);
    }
    for (question, annotation) in annotations.iter() {
        if is_other(question) && answers.get(question).is_none() {
            self::answer(question, "", Some(annotation), pen);
        }
    }
}

/// The user's answer to a question, with its annotation.
fn answer<'e>(question: &'e str, words: &'e str, annotation: Option<&'e Annotation<'e>>, pen: &mut Pen<'_, 'e>) {
    if !words.is_empty() {
        pen.human().put("", Body::Answer { question, words });
    }
    if let Some(annotation) = annotation {
        if let Some(notes) = annotation.notes.filter(|notes| !notes.trim().is_empty()) {
            pen.human().put("notes", Body::Answer { question, words: notes.as_str() });
        }
        pen.record(annotation, &[("notes", Form::Elsewhere), ("preview", Form::Output)]);
    }
}

/// The answers to the questions of the call, or of the result if the call is lost.
pub(super) fn answered<'e>(
    asked: &'e [format::tool::Question<'e>],
    given: &'e AskUserQuestionResult<'e>,
    pen: &mut Pen<'_, 'e>,
) {
    let elsewhere = ["questions", "answers", "annotations", "response"].map(|key: &'static str| (key, Form::Elsewhere));
    pen.record(given, &elsewhere);
    // The call contains the previews; the result does not always.
    let questions = if asked.is_empty() { &given.questions } else { asked };
    all(questions, &given.answers, &given.annotations, pen);
    if let Some(words) = given.response.filter(|words| !words.trim().is_empty()) {
        pen.human().put("", Body::Answer { question: "", words: words.as_str() });
    }
}

/// The user's response to a plan that was approved.
pub(super) fn approved<'e>(plan: &'e ExitPlanModeResult<'e>, pen: &mut Pen<'_, 'e>) {
    let elsewhere = ["plan", "planWasEdited", "awaitingLeaderApproval"].map(|key: &'static str| (key, Form::Elsewhere));
    pen.record(plan, &elsewhere);
    pen.at(Detail::Talk).put_text("", Form::Plan, word(plan.plan));
    match (plan.awaiting_leader_approval, plan.plan_was_edited) {
        (Some(true), _) => pen.notice("waits for the leader's approval"),
        (_, Some(true)) => pen.human().notice("edited and approved"),
        _ => pen.human().notice("approved"),
    }
}

/// The indices of the options that an answer names, and the rest of the answer: the user's own words.
pub fn split_answer(answer: &str, options: &[Choice<'_>], is_multiple: bool) -> (Vec<usize>, String) {
    /// More options than any question has.
    const MOST: usize = 20;
    if let Some(number) = options.iter().position(|option| word(option.label) == answer && !answer.is_empty()) {
        return (vec![number], String::new());
    }
    if !is_multiple {
        return (Vec::new(), answer.to_owned());
    }
    // Labels may contain commas, so they are matched before the answer is split at the next comma.
    let (mut chosen, mut free, mut rest) = (Vec::new(), Vec::new(), answer);
    while !rest.is_empty() {
        let named = options.iter().take(MOST).enumerate().find_map(|(number, option)| {
            let label = word(option.label);
            let after = rest.strip_prefix(label).filter(|_| !label.is_empty())?;
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
    use format::tool::{ToolKind, read_result};
    use format::{Raw, Scratch, Text};

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

    /// Several choices are one text or a list of labels; both are the same answer.
    #[test]
    fn answers_with_several_choices_are_shown() {
        let of = |answers: &str| {
            let scratch = Scratch::default();
            let json = format!(r#"{{"questions":[],"answers":{answers}}}"#);
            let read =
                read_result(Some(ToolKind::AskUserQuestion.name()), Some(Raw::from(&*json).into()), None, &scratch);
            assert_eq!(read.notes, []);
            let mut words = Vec::new();
            crate::call::result(&read.result, Detail::Prompts, &mut |section| {
                assert_eq!(section.speaker, crate::Speaker::Human);
                section.body.each_text(|text| words.push(text.to_owned()));
            });
            words
        };
        assert_eq!(of(r#"{"Which beds?":["North","South, in the sun"]}"#), ["North, South, in the sun"]);
        assert_eq!(of(r#"{"Which beds?":"North, South, in the sun"}"#), ["North, South, in the sun"]);
        assert_eq!(of(r#"{"Which beds?":["North"]}"#), ["North"]);
    }
}
