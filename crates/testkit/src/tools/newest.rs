//! Code Mode, goals, chapters, and calls whose names or inputs are not as they should be.

use super::{Call, Outcome, Workplace};
use crate::json::Json;
use crate::object;
use crate::text;

/// Code that calls other tools, under this name of the tool.
fn code(place: &mut Workplace, name: &str) -> Call {
    let mut code = String::new();
    text::fill(
        "const $w = await bash({ command: \"ls src/$w\" });\nfor (const name of $w.stdout.split(\"\\n\")) {\n  if (name.length > $n) console.log(`$v ${name}`);\n}\n",
        &mut place.rng,
        &mut code,
    );
    let printed = text::log_output(&mut place.rng, 200);
    Call {
        name: name.to_owned(),
        input: object! { "code" => code },
        outcome: Outcome::done(printed.clone(), object! { "stdout" => printed, "stderr" => "" }).saying_no_error(),
    }
}

pub(super) fn repl(place: &mut Workplace) -> Call {
    code(place, "REPL")
}

pub(super) fn eval(place: &mut Workplace) -> Call {
    code(place, "Eval")
}

fn goal(place: &mut Workplace, name: &str) -> Call {
    let condition = text::phrase(&mut place.rng);
    let result = object! { "condition" => condition.as_str(), "askUser" => false };
    Call {
        name: name.to_owned(),
        input: object! { "condition" => condition, "ask_user" => false },
        outcome: Outcome::done("Goal set.", result),
    }
}

pub(super) fn set_goal(place: &mut Workplace) -> Call {
    goal(place, "SetGoal")
}

pub(super) fn propose_goal(place: &mut Workplace) -> Call {
    goal(place, "ProposeGoal")
}

/// The beginning of a chapter, in the desktop app.
pub(super) fn mark_chapter(place: &mut Workplace) -> Call {
    let title = text::capitalised(&text::phrase(&mut place.rng));
    Call {
        name: "mcp__ccd_session__mark_chapter".to_owned(),
        input: object! { "title" => title },
        outcome: Outcome::done(crate::array![super::text_block("ok")], crate::array![super::text_block("ok")]),
    }
}

/// A shell command under a name in lower case.
pub(super) fn small_bash(place: &mut Workplace) -> Call {
    Call { name: "bash".to_owned(), ..super::shell::quick_bash(place) }
}

/// A shell command for a tab of a terminal that Bash does not know.
pub(super) fn bash_in_a_tab(place: &mut Workplace) -> Call {
    let call = super::shell::quick_bash(place);
    Call { input: call.input.with("tabId", "tab-3"), ..call }
}

/// A path under a name that Read does not have, and that it refuses.
pub(super) fn read_relative(place: &mut Workplace) -> Call {
    let mut path = "src/".to_owned();
    text::identifier(&mut place.rng, &mut path);
    Call {
        name: "Read".to_owned(),
        input: object! { "relative_path" => path },
        outcome: Outcome::tool_error(
            "InputValidationError: Read failed: the required parameter `file_path` is missing",
        ),
    }
}

/// Keys that models add to the input of a plan.
pub(super) fn with_stray_keys(input: Json) -> Json {
    input.with("parameter", "plan").with("summary", "In small steps")
}
