//! Todos, tasks, plans, questions, messages, schedules and worktrees.

use super::{Call, Outcome, Workplace};
use crate::json::{Json, Object};
use crate::text;
use crate::{array, object};

fn todo(content: &str, state: usize, version: crate::era::Version, number: usize) -> Json {
    let status = match state {
        0 => "pending",
        1 => "in_progress",
        _ => "completed",
    };
    if version.since(2, 0, 0) {
        object! { "content" => content, "status" => status, "activeForm" => format!("Going to {content}") }
    } else {
        object! { "content" => content, "status" => status, "priority" => "high", "id" => number.to_string() }
    }
}

/// The list of todos, one of which has progressed.
pub(super) fn todo_write(place: &mut Workplace) -> Call {
    let spell = |todos: &[(String, usize)]| -> Vec<Json> {
        todos
            .iter()
            .enumerate()
            .map(|(number, (content, state))| todo(content, *state, place.version, number + 1))
            .collect()
    };
    let old = spell(&place.todos);
    if place.todos.iter().all(|(_, state)| *state > 1) {
        place.todos = (0..place.rng.between(3, 7)).map(|_| (text::phrase(&mut place.rng), 0)).collect();
    }
    if let Some((_, state)) = place.todos.iter_mut().find(|(_, state)| *state < 2) {
        *state += 1;
    }
    let spell = |todos: &[(String, usize)]| -> Vec<Json> {
        todos
            .iter()
            .enumerate()
            .map(|(number, (content, state))| todo(content, *state, place.version, number + 1))
            .collect()
    };
    let new = spell(&place.todos);
    let content = "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable";
    Call {
        name: "TodoWrite".to_owned(),
        input: object! { "todos" => new.clone() },
        outcome: Outcome::done(content, object! { "oldTodos" => old, "newTodos" => new }),
    }
}

/// A new task.
pub(super) fn task_create(place: &mut Workplace) -> Call {
    place.tasks += 1;
    let id = place.tasks.to_string();
    let subject = text::capitalised(&text::phrase(&mut place.rng));
    let description = text::prose(&mut place.rng, 120);
    Call {
        name: "TaskCreate".to_owned(),
        input: object! { "subject" => subject.as_str(), "description" => description, "activeForm" => format!("Working on: {subject}") },
        outcome: Outcome::done(
            format!("Task #{id} created successfully: {subject}"),
            object! { "task" => object! { "id" => id, "subject" => subject } },
        ),
    }
}

/// A change of a task's status.
pub(super) fn task_update(place: &mut Workplace) -> Call {
    let id = place.rng.between(1, place.tasks.max(1)).to_string();
    let (from, to) = if place.rng.chance(50) { ("pending", "in_progress") } else { ("in_progress", "completed") };
    let result = object! {
        "success" => true, "taskId" => id.as_str(), "updatedFields" => array!["status"],
        "statusChange" => object! { "from" => from, "to" => to },
    };
    Call {
        name: "TaskUpdate".to_owned(),
        input: object! { "taskId" => id.as_str(), "status" => to },
        outcome: Outcome::done(format!("Updated task #{id} status"), result),
    }
}

/// All tasks.
pub(super) fn task_list(place: &mut Workplace) -> Call {
    let tasks: Vec<Json> = (1..=place.tasks.clamp(1, 5))
        .map(|id| {
            let subject = text::phrase(&mut place.rng);
            object! { "id" => id.to_string(), "subject" => subject, "status" => "pending", "blockedBy" => array![] }
        })
        .collect();
    let lines: Vec<String> =
        tasks.iter().map(|task| format!("#{} [pending] {}", text_of(task, "id"), text_of(task, "subject"))).collect();
    Call {
        name: "TaskList".to_owned(),
        input: object! {},
        outcome: Outcome::done(lines.join("\n"), object! { "tasks" => tasks }),
    }
}

fn text_of<'a>(value: &'a Json, key: &str) -> &'a str {
    value.get(key).and_then(Json::as_str).unwrap_or_default()
}

/// A plan for the user to approve.
pub(crate) fn exit_plan_mode(place: &mut Workplace, plan_file: &str) -> Call {
    let length = place.rng.between(900, 4000);
    let plan = text::markdown(&mut place.rng, length);
    let content = format!("User has approved your plan. You can now start coding.\n\n## Approved Plan:\n{plan}");
    let result = object! { "plan" => plan.as_str(), "isAgent" => false };
    let result = if place.version.since(2, 0, 64) { result.with("filePath", plan_file) } else { result };
    let name = if place.version.since(1, 0, 43) { "ExitPlanMode" } else { "exit_plan_mode" };
    let input = object! { "plan" => plan };
    let is_stray = place.version.since(2, 1, 97) && place.next("plan", 3) == 1;
    let input = if is_stray { super::newest::with_stray_keys(input) } else { input };
    Call { name: name.to_owned(), input, outcome: Outcome::done(content, result) }
}

/// Questions to the user, answered, and the words of the answers.
pub(crate) fn ask_user_question(place: &mut Workplace) -> (Call, Vec<String>) {
    let option = |label: &str, description: &str| object! { "label" => label, "description" => description };
    let (mut questions, mut answers, mut notes) = (Vec::new(), Object::default(), Object::default());
    let (mut words, mut said) = (Vec::new(), Vec::new());
    for number in 1..=place.rng.between(2, 4) {
        let question = format!("{}, {number}?", text::capitalised(&text::phrase(&mut place.rng)));
        let variant = place.next("answer", 5);
        let several = variant > 2;
        questions.push(object! {
            "question" => question.as_str(), "header" => "Store",
            "options" => array![option("SQLite", "one file"), option("Postgres", "a server"), option("None", "keep \"as is\"")],
            "multiSelect" => several,
        });
        let (answer, told) = if variant == 1 {
            // Words of one's own instead of a label.
            let own = text::prose(&mut place.rng, 50);
            words.push(own.clone());
            (Json::from(own.as_str()), own)
        } else if variant == 4 && place.version.since(2, 1, 181) {
            (array!["SQLite", "Postgres"], "SQLite, Postgres".to_owned())
        } else if several {
            ("SQLite, Postgres".into(), "SQLite, Postgres".to_owned())
        } else {
            ("SQLite".into(), "SQLite".to_owned())
        };
        if place.version.since(2, 1, 97) && place.rng.chance(30) {
            let note = text::prose(&mut place.rng, 40);
            notes.push(question.clone(), object! { "notes" => note.as_str() });
            words.push(note);
        }
        said.push(format!("\"{question}\"=\"{told}\""));
        answers.push(question, answer);
    }
    let content = format!(
        "User has answered your questions: {}. You can now continue with the user's answers in mind.",
        said.join(", ")
    );
    let result = object! { "questions" => questions.clone(), "answers" => answers };
    let result = if notes == Object::default() { result } else { result.with("annotations", notes) };
    let call = Call {
        name: "AskUserQuestion".to_owned(),
        input: object! { "questions" => questions },
        outcome: Outcome::done(content, result),
    };
    (call, words)
}

/// A message to another agent.
pub(super) fn send_message(place: &mut Workplace) -> Call {
    let message = text::prose(&mut place.rng, 200);
    let summary = text::phrase(&mut place.rng);
    let result = object! {
        "success" => true, "message" => "Message sent to ui-dev's inbox",
        "routing" => object! {
            "sender" => "team-lead", "target" => "@ui-dev", "targetColor" => "yellow", "summary" => summary.as_str(),
            "content" => message.as_str(),
        },
    };
    Call {
        name: "SendMessage".to_owned(),
        input: object! { "to" => "ui-dev", "summary" => summary, "message" => message },
        outcome: Outcome::done(array![super::text_block(result.to_string())], result),
    }
}

/// A schedule.
pub(super) fn cron_create(place: &mut Workplace) -> Call {
    let id = place.rng.hex(8);
    let prompt = text::phrase(&mut place.rng);
    let result =
        object! { "id" => id.as_str(), "humanSchedule" => "Every 15 minutes", "recurring" => true, "durable" => false };
    Call {
        name: "CronCreate".to_owned(),
        input: object! { "cron" => "*/15 * * * *", "prompt" => prompt, "recurring" => true },
        outcome: Outcome::done(format!("Scheduled recurring job {id} (Every 15 minutes)."), result),
    }
}

/// All schedules.
pub(super) fn cron_list(place: &mut Workplace) -> Call {
    let job = object! {
        "id" => place.rng.hex(8), "cron" => "*/15 * * * *", "humanSchedule" => "Every 15 minutes",
        "prompt" => text::phrase(&mut place.rng), "recurring" => true,
    };
    Call {
        name: "CronList".to_owned(),
        input: object! {},
        outcome: Outcome::done("1 scheduled job", object! { "jobs" => array![job] }),
    }
}

/// The end of a schedule.
pub(super) fn cron_delete(place: &mut Workplace) -> Call {
    let id = place.rng.hex(8);
    Call {
        name: "CronDelete".to_owned(),
        input: object! { "id" => id.as_str() },
        outcome: Outcome::done(format!("Cancelled job {id}."), object! { "id" => id }),
    }
}

fn worktree(place: &Workplace) -> String {
    text::join(&place.cwd, ".claude/worktrees/feat")
}

/// Enters a worktree.
pub(super) fn enter_worktree(place: &mut Workplace) -> Call {
    let path = worktree(place);
    let message = format!("Created worktree at {path} on branch worktree-feat");
    let result = object! { "worktreePath" => path, "worktreeBranch" => "worktree-feat", "message" => message.as_str() };
    Call {
        name: "EnterWorktree".to_owned(),
        input: object! { "name" => "feat" },
        outcome: Outcome::done(message, result),
    }
}

/// Leaves a worktree.
pub(super) fn exit_worktree(place: &mut Workplace) -> Call {
    let path = worktree(place);
    let message = format!("Exited worktree. Your work is preserved at {path}");
    let result = object! {
        "action" => "keep", "originalCwd" => place.cwd.as_str(), "worktreePath" => path,
        "worktreeBranch" => "worktree-feat", "message" => message.as_str(),
    };
    Call {
        name: "ExitWorktree".to_owned(),
        input: object! { "action" => "keep" },
        outcome: Outcome::done(message, result),
    }
}
