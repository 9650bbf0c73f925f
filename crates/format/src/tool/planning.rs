//! Inputs and results of plans and questions.

use std::fmt;
use std::ops::Deref;

use super::result::{Outcome, Said, said_in};
use crate::json::fields::Each;
use crate::json::{Broken, Cursor, Map, Notes, Place, Raw, Scratch, Shape, Text, Value, Visit, record};

record! {
    /// The notice that plan mode began.
    pub struct EnterPlanModeResult<'a>: "EnterPlanMode result" {
        message: Option<Text<'a>> = "message",
    }

    /// Input of `ExitPlanMode`. The host adds the plan.
    pub struct ExitPlanModeInput<'a>: "ExitPlanMode input" {
        plan: Option<Text<'a>> = "plan" | "plan_content",
        plan_file_path: Option<Text<'a>> = "planFilePath",
        allowed_prompts: Vec<AllowedPrompt<'a>> = "allowedPrompts",
        launch_swarm: Option<bool> = "launchSwarm",
        teammate_count: Option<i64> = "teammateCount",
        /// Stray fields of some models.
        summary: Option<Text<'a>> = "summary",
        parameter: Option<Raw<'a>> = "parameter",
    }

    /// An action that the plan may take without asking again.
    pub struct AllowedPrompt<'a>: "allowed prompt" {
        tool: Option<Text<'a>> = "tool",
        prompt: Option<Text<'a>> = "prompt",
    }

    /// An approved plan; a rejected one is a failure.
    pub struct ExitPlanModeResult<'a>: "ExitPlanMode result" {
        plan: Option<Text<'a>> = "plan",
        is_agent: Option<bool> = "isAgent",
        file_path: Option<Text<'a>> = "filePath",
        has_task_tool: Option<bool> = "hasTaskTool",
        plan_was_edited: Option<bool> = "planWasEdited",
        awaiting_leader_approval: Option<bool> = "awaitingLeaderApproval",
        request_id: Option<Text<'a>> = "requestId",
    }

    /// Input of `AskUserQuestion`.
    pub struct AskUserQuestionInput<'a>: "AskUserQuestion input" {
        questions: Vec<Question<'a>> = "questions",
        /// A single question, in the oldest form.
        question: Option<Text<'a>> = "question",
        answers: Map<'a, Answer<'a>> = "answers",
        annotations: Map<'a, Annotation<'a>> = "annotations",
        metadata: Option<Raw<'a>> = "metadata",
    }

    /// One question.
    pub struct Question<'a>: "question" {
        question: Option<Text<'a>> = "question",
        /// A word or two.
        header: Option<Text<'a>> = "header",
        options: Vec<Choice<'a>> = "options",
        multi_select: Option<bool> = "multiSelect",
    }

    /// An answer to choose from.
    pub struct Choice<'a>: "choice" {
        label: Option<Text<'a>> = "label",
        description: Option<Text<'a>> = "description",
        preview: Option<Text<'a>> = "preview" | "markdown",
    }

    /// The user's answers.
    pub struct AskUserQuestionResult<'a>: "AskUserQuestion result" {
        questions: Vec<Question<'a>> = "questions",
        /// By question.
        answers: Map<'a, Answer<'a>> = "answers",
        annotations: Map<'a, Annotation<'a>> = "annotations",
        response: Option<Text<'a>> = "response",
        afk_timeout_ms: Option<i64> = "afkTimeoutMs",
    }

    /// Additions to an answer.
    pub struct Annotation<'a>: "annotation" {
        preview: Option<Text<'a>> = "preview" | "markdown",
        notes: Option<Text<'a>> = "notes",
        /// `skipped`, `replied_in_chat` or `dismissed`.
        unanswered: Option<Text<'a>> = "unanswered",
    }
}

/// An answer to a question: the label of a choice, or the user's own words.
///
/// Several choices are written as one text, joined by `, `, or as a list of labels. Both read as the former.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Answer<'a>(Text<'a>);

impl<'a> Answer<'a> {
    /// The labels or words.
    pub const fn as_str(self) -> &'a str {
        self.0.as_str()
    }
}

impl fmt::Debug for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Deref for Answer<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a> From<&'a str> for Answer<'a> {
    fn from(words: &'a str) -> Self {
        Self(Text::from(words))
    }
}

impl Visit for Answer<'_> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        self.0.visit(key, each);
    }
    fn shape() -> Shape {
        Shape::Either(vec![Text::shape, Vec::<Text<'_>>::shape])
    }
}

impl<'a> Value<'a> for Answer<'a> {
    const EXPECTED: &'static str = "text or a list of texts";

    fn from_text(text: &'a str) -> Option<Self> {
        Some(Self::from(text))
    }
    fn from_bool(flag: bool) -> Option<Self> {
        Text::from_bool(flag).map(Self)
    }
    fn from_integer(number: i64, scratch: &'a Scratch) -> Option<Self> {
        Text::from_integer(number, scratch).map(Self)
    }
    fn from_float(number: f64, scratch: &'a Scratch) -> Option<Self> {
        Text::from_float(number, scratch).map(Self)
    }
    fn from_list(
        cursor: &mut Cursor<'a>,
        place: &'static Place,
        notes: &mut Notes<'a>,
    ) -> Result<Option<Self>, Broken> {
        let labels: Option<Vec<Text<'a>>> = Vec::from_list(cursor, place, notes)?;
        let labels: Vec<&str> = labels.iter().flatten().map(|label| label.as_str()).collect();
        Ok(Some(Self::from(notes.scratch.keep(&labels.join(", ")))))
    }
}

said_in! { EnterPlanModeResult.message }

impl<'a> Outcome<'a> for ExitPlanModeResult<'a> {
    /// `User has approved your plan. …`, in newer versions with the plan and its file.
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        let Some(rest) = said.text.strip_prefix("User has approved") else { return said.json(notes) };
        let (head, plan) = rest.split_once("\n## Approved Plan").unzip();
        let (title, plan) = plan.and_then(|plan| plan.split_once('\n')).unzip();
        let path = head.unwrap_or(rest).split_once("saved to: ").and_then(|(_, path)| path.lines().next());
        Some(Self {
            plan: plan.map(Text::from),
            plan_was_edited: title.is_some_and(|title| title.contains("edited")).then_some(true),
            file_path: path.map(Text::from),
            ..Self::default()
        })
    }
}

impl<'a> Outcome<'a> for AskUserQuestionResult<'a> {
    /// `User has answered your questions: "q"="a", "q"="a". You can now continue…`
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        const STARTS: [&str; 2] = ["User has answered your questions: ", "Your questions have been answered: "];
        let Some(pairs) = STARTS.iter().find_map(|start| said.text.strip_prefix(start)) else {
            return said.json(notes);
        };
        let mut result = Self::default();
        let mut rest = pairs;
        while let Some((question, answer)) = rest.strip_prefix('"').and_then(|rest| rest.split_once("\"=\"")) {
            let (mine, after) = split_pair(answer);
            let (answer, annotation) = annotated(mine);
            let question = Text::from(question);
            result.answers.push(question, Answer::from(answer));
            if annotation != Annotation::default() {
                result.annotations.push(question, annotation);
            }
            rest = after;
        }
        (!result.answers.is_empty()).then_some(result)
    }
}

/// Splits an answer from the following pairs. Answers may contain quotes and commas, so the next pair begins at the
/// last `, "` before its `"="`.
fn split_pair(text: &str) -> (&str, &str) {
    let next = text.split_once("\"=\"").and_then(|(head, _)| head.rfind(", \""));
    match next.and_then(|at| text.split_at_checked(at)) {
        Some((mine, after)) => (mine, after.strip_prefix(", ").unwrap_or(after)),
        None => (text.rsplit_once(". You can now continue").map_or(text, |(mine, _)| mine), ""),
    }
}

/// The answer in `North" selected preview:\n… user notes: …`, and its additions.
fn annotated(text: &str) -> (&str, Annotation<'_>) {
    let (text, notes) = match text.split_once(" user notes: ") {
        Some((text, notes)) => (text, Some(notes)),
        None => (text, None),
    };
    let (answer, preview) = match text.split_once("\" selected preview:\n") {
        Some((answer, preview)) => (answer, Some(preview.trim_end_matches('\n'))),
        None => (text.strip_suffix('"').unwrap_or(text), None),
    };
    (answer, Annotation { preview: preview.map(Text::from), notes: notes.map(Text::from), ..Annotation::default() })
}
