//! Events around the lines of a capture, and captured lines that are not messages (docs/store.md).

use format::Text;
use format::entry::capture::{CaptureEnd, CaptureEvent, CaptureStart, Captured, Side};

use super::{say, unknown, words};
use crate::step::{NoticeKind, Severity, StepKind};

/// The step of a record that contains no message. `None` if it is bookkeeping.
pub(super) fn captured(record: &Captured<'_>) -> Option<StepKind> {
    if let Some(event) = record.event.as_deref() {
        return match event {
            CaptureEvent::Start(start) => started(start),
            CaptureEvent::End(end) => ended(end),
            CaptureEvent::Lost(lost) => {
                let records = usize::try_from(lost.records.unwrap_or_default()).unwrap_or_default();
                let text = format!("{} could not be recorded here", words::counted(records, "line"));
                say(NoticeKind::Session, Severity::Warning, &text)
            }
            CaptureEvent::Unknown(event) => Some(unknown("capture", &event.kind)),
        };
    }
    let text = match (record.text, record.base64) {
        (Some(text), _) => text.as_str().to_owned(),
        (None, Some(bytes)) => format!("{} that are no text", words::counted(bytes.len() / 4 * 3, "byte")),
        (None, None) => return None,
    };
    if text.trim().is_empty() {
        return None;
    }
    match record.stream {
        Some(Side::Errors) => say(NoticeKind::Info, Severity::Warning, &words::with("stderr", &text)),
        Some(Side::Input) => say(NoticeKind::Info, Severity::Normal, &words::with("stdin", &text)),
        _ => say(NoticeKind::Info, Severity::Normal, &text),
    }
}

fn started(start: &CaptureStart<'_>) -> Option<StepKind> {
    let command: Vec<&str> = start.command.iter().map(|word| Text::as_str(*word)).collect();
    let text = match start.imported_from {
        Some(file) => words::with("imported from", &file),
        None if command.is_empty() => return None,
        None => words::with("ran", &command.join(" ")),
    };
    say(NoticeKind::Session, Severity::Normal, &text)
}

fn ended(end: &CaptureEnd) -> Option<StepKind> {
    let text = match (end.code, end.signal) {
        (_, Some(signal)) => format!("the program was ended by signal {signal}"),
        (Some(code), None) if code != 0 => format!("the program ended with exit code {code}"),
        _ => return None,
    };
    say(NoticeKind::Session, Severity::Warning, &text)
}
