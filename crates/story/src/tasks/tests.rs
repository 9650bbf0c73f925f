use std::fmt::Write as _;

use format::block::Block;
use format::tool::read_result;
use format::{Body, Scratch};

use super::*;

/// Applies calls, each a tool with its input and its `toolUseResult`, and lists their changes.
fn report(calls: &[(&str, &str, &str)]) -> String {
    let mut tasks = TaskList::default();
    let mut report = String::new();
    for (tool, input, result) in calls {
        let scratch = Scratch::default();
        let line = format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"{tool}","input":{input}}}]}}}}"#
        );
        let reading = format::read(line.as_bytes(), &scratch);
        let Body::Assistant(entry) = &reading.entries[0].body else { panic!("{line}") };
        let Block::ToolUse(call) = &entry.message.as_ref().unwrap().content.as_ref().unwrap().blocks()[0] else {
            panic!("{line}")
        };
        let result = read_result(Some(tool), Some(format::Raw::from(*result).into()), None, &scratch).result;
        let changes = tasks.apply(call.input.as_ref(), Some(&result));
        writeln!(report, "{tool}").unwrap();
        for TaskChange { subject, reworded_from, event, before, after, .. } in changes {
            let name = |status: Option<TaskStatus>| status.map_or("-".into(), |status| format!("{status:?}"));
            let was = reworded_from.map(|was| format!(" (was {was})")).unwrap_or_default();
            writeln!(report, "  {event:?} {subject}{was}: {} → {}", name(before), name(after)).unwrap();
        }
    }
    for Task { id, subject, status, owner, .. } in tasks.items() {
        let (id, owner) = (id.as_deref().unwrap_or("-"), owner.as_deref().unwrap_or("no owner"));
        writeln!(report, "{id} {subject}: {status:?}, {owner}").unwrap();
    }
    report
}

#[test]
fn the_whole_list_is_replaced() {
    let done = r#"{"oldTodos":[],"newTodos":[]}"#;
    let shown = report(&[
        (
            "TodoWrite",
            r#"{"todos":[{"content":"Dig","status":"in_progress"},{"content":"Sow","status":"pending"}]}"#,
            done,
        ),
        (
            "TodoWrite",
            r#"{"todos":[{"content":"Dig","status":"in_progress"},{"content":"Sow","status":"pending"}]}"#,
            done,
        ),
        ("TodoWrite", r#"{"todos":[]}"#, r#""Error: Exit code 1""#),
        (
            "TodoWrite",
            r#"{"todos":[{"content":"Dig","status":"completed"},{"content":"Water","status":"in_progress"}]}"#,
            done,
        ),
        ("Bash", r#"{"command":"ls"}"#, r#"{"stdout":""}"#),
        ("TodoRead", "{}", r#"[{"id":"1","content":"Water","status":"completed"}]"#),
    ]);
    insta::assert_snapshot!(shown, @r"
    TodoWrite
      New Dig: - → InProgress
      New Sow: - → Pending
    TodoWrite
    TodoWrite
    TodoWrite
      Done Dig: InProgress → Completed
      New Water: - → InProgress
      Removed Sow: Pending → -
    Bash
    TodoRead
      Done Water: InProgress → Completed
      Removed Dig: Completed → -
    - Water: Completed, no owner
    ");
}

#[test]
fn a_reworded_item_is_the_same_task() {
    let list = |items: &str| format!(r#"{{"todos":[{items}]}}"#);
    let item = |content: &str, active: &str, status: &str| {
        format!(r#"{{"content":"{content}","activeForm":"{active}","status":"{status}"}}"#)
    };
    let first = list(
        &[
            item("Dig the north bed", "Digging", "in_progress"),
            item("Sow beans", "Sowing", "pending"),
            item("Water", "Watering", "pending"),
        ]
        .join(","),
    );
    let second = list(
        &[
            // The same words but one; another wording with the same active form; a replacement.
            item("Dig the south bed", "Digging on", "completed"),
            item("Plant them", "Sowing", "pending"),
            item("Mow the lawn", "Mowing", "pending"),
        ]
        .join(","),
    );
    let done = r#"{"oldTodos":[],"newTodos":[]}"#;
    let shown = report(&[("TodoWrite", &first, done), ("TodoWrite", &second, done)]);
    insta::assert_snapshot!(shown, @r"
    TodoWrite
      New Dig the north bed: - → InProgress
      New Sow beans: - → Pending
      New Water: - → Pending
    TodoWrite
      Done Dig the south bed (was Dig the north bed): InProgress → Completed
      Reworded Plant them (was Sow beans): Pending → Pending
      New Mow the lawn: - → Pending
      Removed Water: Pending → -
    - Dig the south bed: Completed, no owner
    - Plant them: Pending, no owner
    - Mow the lawn: Pending, no owner
    ");
}

#[test]
fn tasks_are_changed_one_by_one() {
    let shown = report(&[
        ("TaskCreate", r#"{"subject":"Dig","description":"deep"}"#, r#"{"task":{"id":"1","subject":"Dig"}}"#),
        ("TaskCreate", r#"{"subject":"Sow","description":"all"}"#, r#"{"task":{"id":"2","subject":"Sow"}}"#),
        ("TaskCreate", r#"{"subject":"Rest","description":""}"#, r#""Error: no""#),
        (
            "TaskUpdate",
            r#"{"taskId":"1","status":"in_progress","owner":"ana"}"#,
            r#"{"success":true,"taskId":"1","updatedFields":["status","owner"],"statusChange":{"from":"pending","to":"in_progress"}}"#,
        ),
        (
            "TaskUpdate",
            r#"{"taskId":"2","subject":"Sow beans"}"#,
            r#"{"success":true,"taskId":"2","updatedFields":["subject"]}"#,
        ),
        (
            "TaskUpdate",
            r#"{"taskId":"2","description":"more"}"#,
            r#"{"success":true,"taskId":"2","updatedFields":["description"]}"#,
        ),
        (
            "TaskUpdate",
            r#"{"taskId":"3","status":"completed"}"#,
            r#"{"success":false,"taskId":"3","updatedFields":[],"error":"Task not found"}"#,
        ),
        (
            "TaskUpdate",
            r#"{"taskId":"7","status":"completed"}"#,
            r#"{"success":true,"taskId":"7","updatedFields":["status"],"statusChange":{"from":"in_progress","to":"completed"}}"#,
        ),
        (
            "TaskUpdate",
            r#"{"taskId":"2","status":"deleted"}"#,
            r#"{"success":true,"taskId":"2","updatedFields":["deleted"]}"#,
        ),
        (
            "TaskGet",
            r#"{"taskId":"7"}"#,
            r#"{"task":{"id":"7","subject":"Fence","status":"completed","blocks":[],"blockedBy":[]}}"#,
        ),
        ("TaskGet", r#"{"taskId":"9"}"#, r#"{"task":null}"#),
        (
            "TaskList",
            "{}",
            r#"{"tasks":[{"id":"1","subject":"Dig","status":"completed","owner":"ana","blockedBy":[]},{"id":"8","subject":"Rake","status":"pending","blockedBy":["1"]}]}"#,
        ),
    ]);
    insta::assert_snapshot!(shown, @r"
    TaskCreate
      New Dig: - → Pending
    TaskCreate
      New Sow: - → Pending
    TaskCreate
    TaskUpdate
      Started Dig: Pending → InProgress
    TaskUpdate
      Reworded Sow beans (was Sow): Pending → Pending
    TaskUpdate
    TaskUpdate
    TaskUpdate
      Done #7: InProgress → Completed
    TaskUpdate
      Removed Sow beans: Pending → -
    TaskGet
    TaskGet
    TaskList
      Done Dig: InProgress → Completed
      New Rake: - → Pending
      Removed Fence: Completed → -
    1 Dig: Completed, ana
    8 Rake: Pending, no owner
    ");
}

#[test]
fn a_result_alone_shows_the_change() {
    let scratch = Scratch::default();
    let mut tasks = TaskList::default();
    let read = |tool, json| read_result(Some(tool), Some(format::Raw::from(json).into()), None, &scratch).result;
    let written = read("TodoWrite", r#"{"oldTodos":[],"newTodos":[{"content":"Dig","status":"pending"}]}"#);
    assert_eq!(tasks.apply(None, Some(&written)).len(), 1);
    let created = read("TaskCreate", r#"{"task":{"id":"1","subject":"Sow"}}"#);
    assert_eq!(tasks.apply(None, Some(&created)).len(), 1);
    let updated =
        read("TaskUpdate", r#"{"success":true,"taskId":"1","statusChange":{"from":"pending","to":"completed"}}"#);
    assert_eq!(
        *tasks.apply(None, Some(&updated)),
        [TaskChange {
            id: Some("1".into()),
            subject: "Sow".into(),
            reworded_from: None,
            active_form: None,
            event: TaskEvent::Done,
            before: Some(TaskStatus::Pending),
            after: Some(TaskStatus::Completed)
        }]
    );
    let silent = ["TodoWrite", "TaskUpdate"].map(|tool| {
        let json = r#"{"success":true,"taskId":"9","updatedFields":["owner"]}"#;
        read_result(Some(tool), Some(format::Raw::from(json).into()), None, &scratch).result
    });
    let before = tasks.clone();
    assert!(silent.iter().all(|result| tasks.apply(None, Some(result)).is_empty()));
    assert_eq!(tasks.apply(None, None).len(), 0);
    assert_eq!(tasks, before);
}

#[test]
fn the_list_stays_small() {
    let scratch = Scratch::default();
    let many = vec![format!(r#"{{"content":"{}","status":"pending"}}"#, "x".repeat(500)); 3 * MOST];
    let json = format!(r#"{{"oldTodos":[],"newTodos":[{}]}}"#, many.join(","));
    let result = read_result(Some("TodoWrite"), Some(format::Raw::from(&*json).into()), None, &scratch).result;
    let mut tasks = TaskList::default();
    assert_eq!(tasks.apply(None, Some(&result)).len(), MOST);
    assert!(tasks.items().all(|task| task.subject.chars().count() <= 121));
}
