//! `attachment` entries: files, diagnostics, memories, what hooks said, and prompts that waited.

use format::Text;
use format::block::Content;
use format::entry::AttachmentEntry;
use format::entry::attachment::{Attachment, Diagnostics, HookOutcome, QueuedCommand};
use format::tool::ReadResult;

use super::speech::{self, Who, is_human};
use super::{Column, Pen};

pub(super) fn pieces(entry: &AttachmentEntry<'_>, pen: &mut Pen<'_>) {
    match entry.attachment.as_deref() {
        Some(Attachment::QueuedCommand(queued)) => self::queued(queued, pen),
        Some(attachment) if is_kept(attachment) => {
            let (each, mut is_silent) = (&mut *pen.each, true);
            told(
                attachment,
                &mut Pen {
                    each: &mut |column, text| {
                        is_silent = false;
                        each(column, text);
                    },
                },
            );
            // What was sent to the model says the same in other words.
            if is_silent {
                pen.put_json(Column::Seen, entry.rendered);
            }
        }
        Some(_) | None => {}
    }
}

/// Whether anybody would look for it. The whole system prompt is the same everywhere, and who works where is private.
const fn is_kept(attachment: &Attachment<'_>) -> bool {
    !matches!(
        attachment,
        Attachment::PromptSnapshot(_)
            | Attachment::SessionContext(_)
            | Attachment::CredentialOrg(_)
            | Attachment::TotalTokensReminder(_)
            | Attachment::SilentTurnReminder(_)
            | Attachment::BatchingReminderSent(_)
            | Attachment::CompactionReminder(_)
    )
}

/// What the user typed while the model was at work, or a notice that came in.
fn queued(queued: &QueuedCommand<'_>, pen: &mut Pen<'_>) {
    let is_other = queued.is_meta == Some(true) || !is_human(queued.origin.as_ref().and_then(|origin| origin.kind));
    let who = if is_other { Who::Other } else { Who::Human };
    speech::beside(queued.prompt.iter().flat_map(Content::texts), who, pen);
}

fn told(attachment: &Attachment<'_>, pen: &mut Pen<'_>) {
    let mut seen = |texts: &[Option<Text<'_>>]| pen.put_all(Column::Seen, texts.iter().copied());
    match attachment {
        Attachment::CriticalSystemReminder(reminder) => seen(&[reminder.text]),
        Attachment::ReadTruncationNotice(notice) => seen(&[notice.banner]),

        Attachment::HookSuccess(_)
        | Attachment::HookNonBlockingError(_)
        | Attachment::HookErrorDuringExecution(_)
        | Attachment::HookCancelled(_)
        | Attachment::HookBlockingError(_)
        | Attachment::HookAdditionalContext(_)
        | Attachment::HookSystemMessage(_)
        | Attachment::HookPermissionDecision(_)
        | Attachment::HookStoppedContinuation(_)
        | Attachment::AsyncHookResponse(_) => hook(attachment, pen),

        Attachment::TaskReminder(reminder) => {
            reminder.content.iter().for_each(|task| seen(&[task.subject, task.description, task.owner]));
        }
        Attachment::TodoReminder(reminder) => {
            reminder.content.iter().for_each(|todo| seen(&[todo.content, todo.active_form]));
        }
        Attachment::TaskStatus(task) => seen(&[task.description, task.delta_summary, task.output_file_path]),
        Attachment::GoalStatus(goal) => seen(&[goal.condition, goal.reason]),

        Attachment::SkillListing(_)
        | Attachment::DynamicSkill(_)
        | Attachment::InvokedSkills(_)
        | Attachment::DeferredToolsDelta(_)
        | Attachment::DeferredToolsRecord(_)
        | Attachment::McpInstructionsDelta(_)
        | Attachment::AgentListingDelta(_)
        | Attachment::CommandPermissions(_) => available(attachment, pen),

        Attachment::PlanMode(mode) | Attachment::PlanModeExit(mode) | Attachment::PlanModeReentry(mode) => {
            seen(&[mode.plan_file_path]);
        }
        Attachment::PlanFileReference(plan) => seen(&[plan.plan_file_path, plan.plan_content]),

        Attachment::File(file) => {
            seen(&[file.filename, file.display_path]);
            file.content.iter().for_each(|content| self::file(content, pen));
        }
        Attachment::Directory(directory) => seen(&[directory.path, directory.display_path, directory.content]),
        Attachment::EditedTextFile(file) => seen(&[file.filename, file.snippet]),
        Attachment::CompactFileReference(file) => seen(&[file.filename, file.display_path]),
        Attachment::Diagnostics(found) => diagnostics(found, pen),
        Attachment::NestedMemory(memory) => {
            seen(&[memory.path, memory.display_path]);
            memory.content.iter().for_each(|file| seen(&[file.content]));
        }
        Attachment::RelevantMemories(found) => pen.put_json(Column::Seen, found.memories.iter().copied()),
        Attachment::Instructions(files) => {
            seen(&[files.reason]);
            pen.put_json(Column::Seen, files.files.iter().copied().chain(files.changed).chain(files.removed));
        }

        Attachment::Model(model) => {
            seen(&[model.text]);
            model.identity.iter().for_each(|names| seen(&[names.marketing_name, names.model_id]));
        }
        Attachment::Environment(environment) => {
            let machine = environment.snapshot.iter();
            machine.for_each(|is| seen(&[is.working_directory, is.platform, is.os_version, is.shell]));
        }
        Attachment::DateChange(date) | Attachment::Date(date) => seen(&[date.date]),
        Attachment::CompanionIntro(companion) => seen(&[companion.name, companion.species]),
        Attachment::UltraEffortEnter(effort)
        | Attachment::UltraEffortExit(effort)
        | Attachment::UltrathinkEffort(effort) => seen(&[effort.level]),
        Attachment::Unknown(unknown) => {
            pen.put_json(Column::Seen, unknown.fields.iter().map(|(_, json)| *json));
        }

        // Known by their names; what they hold is among what was not expected.
        Attachment::MaxTurnsReached(_)
        | Attachment::SkillDiscovery(_)
        | Attachment::SkillMention(_)
        | Attachment::OutputStyle(_)
        | Attachment::OutputStyleInstructions(_)
        | Attachment::StructuredOutput(_)
        | Attachment::AlreadyReadFile(_)
        | Attachment::OpenedFileInIde(_)
        | Attachment::SelectedLinesInIde(_)
        | Attachment::InlinedImagePaths(_)
        | Attachment::McpResource(_)
        | Attachment::ContextSections(_)
        | Attachment::RemoteSessionChange(_)
        | Attachment::TeamContext(_)
        | Attachment::TeammateMailbox(_)
        | Attachment::BashOutputAudienceNote(_)
        | Attachment::ThinkingDrop(_)
        | Attachment::SessionCronCarry(_)
        // Figures and flags.
        | Attachment::BudgetUsd(_)
        | Attachment::AutoMode(_)
        | Attachment::AutoModeExit(_)
        // Not kept, or told by others.
        | Attachment::QueuedCommand(_)
        | Attachment::TotalTokensReminder(_)
        | Attachment::SilentTurnReminder(_)
        | Attachment::BatchingReminderSent(_)
        | Attachment::CompactionReminder(_)
        | Attachment::SessionContext(_)
        | Attachment::PromptSnapshot(_)
        | Attachment::CredentialOrg(_) => {}
    }
}

/// What a hook did and said.
fn hook(attachment: &Attachment<'_>, pen: &mut Pen<'_>) {
    let mut seen = |texts: &[Option<Text<'_>>]| pen.put_all(Column::Seen, texts.iter().copied());
    match attachment {
        Attachment::HookSuccess(outcome)
        | Attachment::HookNonBlockingError(outcome)
        | Attachment::HookErrorDuringExecution(outcome)
        | Attachment::HookCancelled(outcome) => outcome_of(outcome, pen),
        Attachment::HookBlockingError(error) => {
            seen(&[error.hook_name.or(error.hook_event)]);
            error.blocking_error.iter().for_each(|why| seen(&[why.blocking_error, why.command]));
        }
        Attachment::HookAdditionalContext(said) | Attachment::HookSystemMessage(said) => {
            seen(&[said.hook_name.or(said.hook_event)]);
            pen.put_all(Column::Seen, said.content.iter().copied());
        }
        Attachment::HookPermissionDecision(decided) => {
            seen(&[decided.hook_name.or(decided.hook_event), decided.decision]);
        }
        Attachment::HookStoppedContinuation(stop) => seen(&[stop.hook_name.or(stop.hook_event), stop.message]),
        Attachment::AsyncHookResponse(answer) => {
            seen(&[answer.hook_name.or(answer.hook_event), answer.tool_name, answer.stdout, answer.stderr]);
            pen.put_json(Column::Seen, answer.response);
        }
        _ => {}
    }
}

/// What the model got to read of a hook is one of its streams, as a rule.
fn outcome_of(outcome: &HookOutcome<'_>, pen: &mut Pen<'_>) {
    let content = outcome.content.map_or("", Text::as_str);
    pen.put_all(Column::Seen, [outcome.hook_name.or(outcome.hook_event), outcome.command, outcome.content]);
    let streams = [outcome.stdout, outcome.stderr].into_iter().flatten();
    pen.put_all(Column::Seen, streams.filter(|text| !content.contains(text.trim())));
}

/// What can be used: skills, tools, agents.
fn available(attachment: &Attachment<'_>, pen: &mut Pen<'_>) {
    let mut seen = |texts: &[Option<Text<'_>>]| pen.put_all(Column::Seen, texts.iter().copied());
    match attachment {
        Attachment::SkillListing(listing) => {
            seen(&[listing.content]);
            pen.put_all(Column::Seen, listing.names.iter().copied());
        }
        Attachment::DynamicSkill(found) => {
            seen(&[found.display_path.or(found.skill_dir)]);
            pen.put_all(Column::Seen, found.skill_names.iter().copied());
        }
        Attachment::InvokedSkills(invoked) => {
            invoked.skills.iter().for_each(|skill| seen(&[skill.name, skill.path, skill.content]));
        }
        Attachment::DeferredToolsDelta(tools) => {
            let names = tools.added_names.iter().chain(&tools.added_lines).chain(&tools.removed_names);
            let servers = tools.pending_mcp_servers.iter().chain(&tools.needs_auth_mcp_servers);
            pen.put_all(Column::Seen, names.chain(&tools.readded_names).chain(servers).copied());
        }
        Attachment::DeferredToolsRecord(record) => pen.put_all(Column::Seen, record.names.iter().copied()),
        Attachment::McpInstructionsDelta(servers) => {
            let names = servers.added_names.iter().chain(&servers.added_blocks).chain(&servers.removed_names);
            pen.put_all(Column::Seen, names.copied());
        }
        Attachment::AgentListingDelta(agents) => {
            let names = agents.added_types.iter().chain(&agents.added_lines).chain(&agents.removed_types);
            pen.put_all(Column::Seen, names.copied());
        }
        Attachment::CommandPermissions(permissions) => {
            pen.put_all(Column::Seen, permissions.allowed_tools.iter().copied().chain(permissions.model));
        }
        _ => {}
    }
}

fn file(file: &ReadResult<'_>, pen: &mut Pen<'_>) {
    match file {
        ReadResult::Text(read) => pen.put_all(Column::Seen, read.file.iter().map(|file| file.content)),
        ReadResult::Notebook(read) => {
            for cell in read.file.iter().flat_map(|file| &file.cells) {
                pen.put_all(Column::Seen, [cell.source]);
                pen.put_json(Column::Seen, cell.outputs.iter().copied());
            }
        }
        ReadResult::Unknown(unknown) => {
            pen.put_json(Column::Seen, unknown.fields.iter().map(|(_, json)| *json));
        }
        ReadResult::Image(_) | ReadResult::Pdf(_) | ReadResult::Parts(_) | ReadResult::Unchanged(_) => {}
    }
}

fn diagnostics(found: &Diagnostics<'_>, pen: &mut Pen<'_>) {
    for file in &found.files {
        pen.put_all(Column::Seen, [file.uri]);
        for problem in &file.diagnostics {
            pen.put_all(Column::Seen, [problem.message, problem.source, problem.code]);
        }
    }
}
