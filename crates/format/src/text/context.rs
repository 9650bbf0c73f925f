//! Reads the context around a prompt: open files, selections, uploads, pastes, skills, image notes and messages from
//! hooks (docs/format F.2).

use super::scan::{Attributes, Opening, fields, first_line, leading_number, opening, strip_any};

/// A file that was open in the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenedFile<'a> {
    /// The file, if the sentence has the known form.
    pub path: Option<&'a str>,
    /// The whole sentence.
    pub text: &'a str,
}

/// Lines that were selected in the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection<'a> {
    /// The file; an editor's virtual document may have a descriptive name instead.
    pub path: Option<&'a str>,
    /// First and last line.
    pub lines: Option<(u64, u64)>,
    /// The selected text; the whole notice if its form is unknown.
    pub text: &'a str,
}

/// Text that was pasted rather than typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paste<'a> {
    /// The id that the opening and closing tags share.
    pub id: Option<&'a str>,
    /// All attributes of the opening tag.
    pub attributes: Attributes<'a>,
    /// The pasted text.
    pub text: &'a str,
}

/// A note about an image in the same or the previous message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImageNote<'a> {
    /// The path of the image on disk.
    pub path: Option<&'a str>,
    /// Width and height of the original.
    pub original: Option<(u32, u32)>,
    /// Width and height of the copy that the model saw.
    pub displayed: Option<(u32, u32)>,
}

/// A skill's instructions, as given to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkillBody<'a> {
    /// The skill's folder.
    pub directory: &'a str,
    /// Its text.
    pub body: &'a str,
}

/// A message from a hook to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookMessage<'a> {
    /// The event, with its matcher if any: `Stop`, `PostToolUse:Edit`; empty if the text does not name it.
    pub hook: &'a str,
    /// The effect of the hook.
    pub says: HookSays,
    /// The message.
    pub text: &'a str,
}

/// The effect of a hook that sends a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookSays {
    /// It kept the turn from ending, and says what to do.
    Feedback,
    /// It added context.
    Context,
    /// It blocked a tool call.
    BlockingError,
    /// It ended the turn.
    Stopped,
    /// It refused a prompt.
    PromptBlocked,
    /// It kept a prompt but stopped the program from sending it.
    PromptStopped,
}

/// The files of an `<uploaded_files>` block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadedFiles<'a> {
    /// The paths that the block names in `<file_path>`.
    pub paths: Vec<&'a str>,
    /// The content of the block.
    pub text: &'a str,
}

const RELATED: &str = "This may or may not be related to the current task.";

pub(super) fn opened_file(inner: &str) -> OpenedFile<'_> {
    let text = inner.trim();
    let path =
        text.strip_prefix("The user opened the file ").and_then(|rest| rest.split_once(" in the IDE")).map(|(p, _)| p);
    OpenedFile { path, text }
}

pub(super) fn selection(inner: &str) -> Selection<'_> {
    let text = inner.trim();
    known_selection(text).unwrap_or(Selection { path: None, lines: None, text })
}

fn known_selection(text: &str) -> Option<Selection<'_>> {
    let rest = strip_any(text, &["The user selected the lines ", "The user selected lines "])?;
    let (first, rest) = leading_number(rest)?;
    let (last, rest) = leading_number(rest.strip_prefix(" to ")?)?;
    let (head, body) = first_line(rest.strip_prefix(" from ")?);
    let body = body.trim_end();
    let body = body.strip_suffix(RELATED).unwrap_or(body).trim_end_matches('\n');
    Some(Selection { path: Some(head.strip_suffix(':').unwrap_or(head)), lines: Some((first, last)), text: body })
}

/// The diagnostics inside `<post-tool-use-hook>`, if there are any.
pub(super) fn hook_diagnostics(inner: &str) -> Option<&str> {
    fields(inner, &["ide_diagnostics"]).first().map(|&(_, list)| list)
}

pub(super) fn uploaded_files(inner: &str) -> UploadedFiles<'_> {
    let paths = fields(inner, &["file_path"]).into_iter().map(|(_, path)| path.trim()).collect();
    UploadedFiles { paths, text: inner.trim() }
}

/// Reads a paste whose opening tag starts `text`, and returns the text after it.
///
/// The closing tag repeats the id (`</pasted_content id="7f40">`); a paste without an id ends like any element.
pub(super) fn paste(text: &str) -> Option<(Paste<'_>, &str)> {
    let Opening { name: "pasted_content", attributes, after } = opening(text)? else { return None };
    let id = attributes.get("id");
    let repeated = id.and_then(|id| after.split_once(&format!("</pasted_content id=\"{id}\">")));
    let (inner, after) = repeated.or_else(|| after.split_once("</pasted_content>"))?;
    Some((Paste { id, attributes, text: inner.trim_matches('\n') }, after))
}

/// Reads an image note at the start of `text`, and returns the text after it.
pub(super) fn image_note(text: &str) -> Option<(ImageNote<'_>, &str)> {
    let (inside, after) = strip_any(text, &["[Image: ", "[Image "])?.split_once(']')?;
    let mut note = ImageNote::default();
    let mut rest = inside;
    if let Some(source) = rest.strip_prefix("source: ") {
        let (path, tail) = source.split_once(", original ").unwrap_or((source, ""));
        note.path = Some(path);
        rest = tail;
    } else {
        rest = rest.strip_prefix("original ")?;
    }
    if let Some((original, rest)) = size(rest) {
        note.original = Some(original);
        note.displayed = rest.strip_prefix(", displayed at ").and_then(size).map(|(displayed, _)| displayed);
    }
    (note != ImageNote::default()).then_some((note, after))
}

fn size(text: &str) -> Option<((u32, u32), &str)> {
    let (width, rest) = leading_number(text)?;
    let (height, rest) = leading_number(rest.strip_prefix('x')?)?;
    Some(((width, height), rest))
}

pub(super) fn skill_body(text: &str) -> Option<SkillBody<'_>> {
    let (directory, body) = first_line(text.strip_prefix("Base directory for this skill: ")?);
    Some(SkillBody { directory: directory.trim_end(), body: body.trim() })
}

/// The name in `Skill /name is already loaded above; instructions unchanged.`
pub(super) fn skill_loaded(text: &str) -> Option<&str> {
    text.strip_prefix("Skill /")?.trim_end().strip_suffix(" is already loaded above; instructions unchanged.")
}

pub(super) fn hook_message(text: &str) -> Option<HookMessage<'_>> {
    const FORMS: [(&str, HookSays); 5] = [
        ("hook feedback:", HookSays::Feedback),
        ("hook additional context:", HookSays::Context),
        ("hook blocking error from command:", HookSays::BlockingError),
        ("hook stopped continuation:", HookSays::Stopped),
        ("operation blocked by hook:", HookSays::PromptBlocked),
    ];
    if let Some(why) = text.strip_prefix("Operation stopped by hook")
        && (why.starts_with(": ") || why.trim().is_empty())
    {
        let why = why.strip_prefix(':').unwrap_or(why).trim();
        return Some(HookMessage { hook: "", says: HookSays::PromptStopped, text: why });
    }
    let (hook, rest) = text.split_once(' ')?;
    // The name of an event begins with a capital letter. Otherwise a person wrote the sentence.
    if !hook.starts_with(|c: char| c.is_ascii_uppercase()) || hook.contains('\n') {
        return None;
    }
    let (says, words) = FORMS.iter().find_map(|&(form, says)| Some((says, rest.strip_prefix(form)?)))?;
    Some(HookMessage { hook, says, text: words.trim() })
}

#[cfg(test)]
mod tests {
    use super::super::{SegmentKind, segments};
    use super::*;

    fn kinds(text: &str) -> Vec<SegmentKind<'_>> {
        segments(text).into_iter().map(|segment| segment.kind).collect()
    }

    #[test]
    fn an_opened_file_comes_before_the_prompt() {
        let text = "<ide_opened_file>The user opened the file /g/my seeds.toml in the IDE. This may or may not be \
                    related to the current task.</ide_opened_file>\nsow them";
        let found = kinds(text);
        assert!(matches!(&found[0], SegmentKind::OpenedFile(file) if file.path == Some("/g/my seeds.toml")));
        assert_eq!(found[1], SegmentKind::Plain("sow them"));
    }

    #[test]
    fn a_selection_has_path_lines_and_text() {
        let text = "<ide_selection>The user selected the lines 3 to 4 from c:\\g\\beds.rs:\nlet rows = 2;\n  plant();\n\n\
                    This may or may not be related to the current task.</ide_selection>";
        assert_eq!(
            kinds(text),
            [SegmentKind::Selection(Selection {
                path: Some("c:\\g\\beds.rs"),
                lines: Some((3, 4)),
                text: "let rows = 2;\n  plant();"
            })]
        );
        assert_eq!(
            kinds("<ide_selection>something new</ide_selection>"),
            [SegmentKind::Selection(Selection { path: None, lines: None, text: "something new" })]
        );
    }

    #[test]
    fn diagnostics_of_both_spellings() {
        let old = "<post-tool-use-hook><ide_diagnostics>[{\"line\":1}]</ide_diagnostics></post-tool-use-hook>";
        assert_eq!(kinds(old), [SegmentKind::Diagnostics("[{\"line\":1}]")]);
        assert_eq!(
            kinds("<new-diagnostics>beds.rs: weeds</new-diagnostics>"),
            [SegmentKind::Diagnostics("beds.rs: weeds")]
        );
        assert_eq!(
            kinds("<post-tool-use-hook>formatted</post-tool-use-hook>"),
            [SegmentKind::HookOutput { hook: "post-tool-use-hook", text: "formatted" }]
        );
    }

    #[test]
    fn old_hook_output_ticks_goals_and_budgets() {
        assert_eq!(
            kinds("<session-start-hook>hello</session-start-hook>"),
            [SegmentKind::HookOutput { hook: "session-start-hook", text: "hello" }]
        );
        assert_eq!(
            kinds("<user-prompt-submit-hook>ok</user-prompt-submit-hook>water"),
            [SegmentKind::HookOutput { hook: "user-prompt-submit-hook", text: "ok" }, SegmentKind::Plain("water")]
        );
        assert_eq!(kinds("<tick>09:30</tick>"), [SegmentKind::Tick("09:30")]);
        assert_eq!(kinds("<goal>no weeds</goal>"), [SegmentKind::Goal("no weeds")]);
        // People structure their own prompts with this tag.
        let own = "<goal>no weeds</goal>\n<beds>4</beds>";
        assert_eq!(kinds(own), [SegmentKind::Plain(own)]);
        assert_eq!(
            kinds("<total_tokens>14962655 tokens left</total_tokens>"),
            [SegmentKind::TotalTokens { tokens: Some(14_962_655), text: "14962655 tokens left" }]
        );
    }

    #[test]
    fn pastes_are_found_between_typed_words() {
        let text =
            "look at\n\n<pasted_content id=\"7f\">\nline <pasted_content>\nlast\n</pasted_content id=\"7f\">\nwhy?";
        let found = kinds(text);
        assert_eq!(found[0], SegmentKind::Plain("look at"));
        assert!(
            matches!(&found[1], SegmentKind::Paste(paste) if paste.id == Some("7f") && paste.text == "line <pasted_content>\nlast")
        );
        assert_eq!(found[2], SegmentKind::Plain("why?"));
        let unclosed = "see <pasted_content id=\"7f\"> here";
        assert_eq!(kinds(unclosed), [SegmentKind::Plain(unclosed)]);
        let bare = kinds("<pasted_content>words</pasted_content>");
        assert!(matches!(&bare[0], SegmentKind::Paste(paste) if paste.id.is_none() && paste.text == "words"));
    }

    #[test]
    fn uploads_name_their_paths() {
        let text = "<uploaded_files>\n<file><file_path>/u/a.pdf</file_path><file_uuid>1</file_uuid></file>\n\
                    <file><file_path>b.csv</file_path></file>\n</uploaded_files>\n\ncompare";
        let found = kinds(text);
        assert!(matches!(&found[0], SegmentKind::UploadedFiles(files) if files.paths == ["/u/a.pdf", "b.csv"]));
        assert_eq!(found[1], SegmentKind::Plain("compare"));
    }

    #[test]
    fn skills() {
        assert_eq!(
            kinds("Base directory for this skill: /s/prune\n\n# Prune\n\nCut.\n"),
            [SegmentKind::SkillBody(SkillBody { directory: "/s/prune", body: "# Prune\n\nCut." })]
        );
        assert_eq!(
            kinds("Skill /prune is already loaded above; instructions unchanged."),
            [SegmentKind::SkillLoaded { name: "prune" }]
        );
    }

    #[test]
    fn image_notes() {
        assert_eq!(
            kinds("[Image: source: /c/1.png] [Image: source: /c/2.png]"),
            [
                SegmentKind::ImageNote(ImageNote { path: Some("/c/1.png"), ..ImageNote::default() }),
                SegmentKind::ImageNote(ImageNote { path: Some("/c/2.png"), ..ImageNote::default() }),
            ]
        );
        assert_eq!(
            kinds("[Image: original 2000x1000, displayed at 1000x500. Multiply coordinates by 2.00.]"),
            [SegmentKind::ImageNote(ImageNote {
                path: None,
                original: Some((2000, 1000)),
                displayed: Some((1000, 500))
            })]
        );
        assert_eq!(
            kinds("[Image: source: /c/3.png, original 20x10, displayed at 10x5.]"),
            [SegmentKind::ImageNote(ImageNote {
                path: Some("/c/3.png"),
                original: Some((20, 10)),
                displayed: Some((10, 5))
            })]
        );
        assert_eq!(kinds("[Image #1] what is this?"), [SegmentKind::Plain("[Image #1] what is this?")]);
    }

    #[test]
    fn hooks_speak_in_five_ways() {
        let said = |hook, says, text| [SegmentKind::Hook(HookMessage { hook, says, text })];
        assert_eq!(kinds("Stop hook feedback:\nrake first"), said("Stop", HookSays::Feedback, "rake first"));
        assert_eq!(
            kinds("PostToolUse:Edit hook additional context: tidy\nup"),
            said("PostToolUse:Edit", HookSays::Context, "tidy\nup")
        );
        assert_eq!(
            kinds("PreToolUse:Bash hook blocking error from command: \"x\": no"),
            said("PreToolUse:Bash", HookSays::BlockingError, "\"x\": no")
        );
        assert_eq!(kinds("Stop hook stopped continuation: dusk"), said("Stop", HookSays::Stopped, "dusk"));
        assert_eq!(
            kinds("UserPromptSubmit operation blocked by hook:\nnot now"),
            said("UserPromptSubmit", HookSays::PromptBlocked, "not now")
        );
        assert!(matches!(&kinds("this hook feedback: is mine")[0], SegmentKind::Plain(_)));
    }
}
