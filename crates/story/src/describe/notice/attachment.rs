//! `attachment` entries: context for the model besides the prompt (docs/format B.4).

use format::Text;
use format::entry::attachment::{
    AgentListingDelta, Attachment, Budget, CommandPermissions, DeferredToolsDelta, Diagnostics, DynamicSkill,
    Environment, Instructions, McpInstructionsDelta, Model, NestedMemory, PlanMode, PromptAsFile, SelectedLines,
    SessionContext, SkillListing, UnknownCommandFallback,
};

use super::{EntryOutcome, context, hook, say, task, unknown, words};
use crate::step::{ContextKind, NoticeKind, Severity, StepKind};

/// The step of an attachment. Queued commands are prompts, which the caller handles.
#[expect(clippy::too_many_lines, reason = "a table: one row for each kind")]
pub(crate) fn attachment(attachment: &Attachment<'_>) -> EntryOutcome {
    use ContextKind::{Editor, Environment, File, Hook, Image, Instructions, Listing, Plan, Reminder, Skill, Tasks};

    let step = match attachment {
        Attachment::CriticalSystemReminder(reminder) => context(Reminder, words::of(reminder.text)),
        Attachment::ReadTruncationNotice(notice) => context(Reminder, words::of(notice.banner)),
        Attachment::StructuredOutput(_) => context(Reminder, "the answer must have a given structure"),

        Attachment::HookSuccess(outcome) => hook::success(outcome),
        Attachment::HookNonBlockingError(outcome) | Attachment::HookErrorDuringExecution(outcome) => {
            hook::non_blocking_error(outcome)
        }
        Attachment::HookCancelled(outcome) => hook::cancelled(outcome),
        Attachment::HookBlockingError(error) => hook::blocking_error(error),
        Attachment::HookAdditionalContext(said) => hook::additional_context(said),
        Attachment::HookSystemMessage(said) => hook::system_message(said),
        Attachment::HookPermissionDecision(decided) => hook::permission_decision(decided),
        Attachment::HookStoppedContinuation(stop) => hook::stopped_continuation(stop),
        Attachment::AsyncHookResponse(answer) => hook::async_response(answer),
        Attachment::AsyncHookResponseBatch(batch) => {
            context(Hook, &counted("late answer", "of hooks", batch.hooks.len()))
        }
        Attachment::HookDeferredTool(deferred) => {
            let tool = words::with("put off", words::of(deferred.tool_name));
            say(NoticeKind::Hook, Severity::Normal, &words::dotted([&tool, words::of(deferred.hook_name)]))
        }

        Attachment::PromptAsFile(file) => prompt_as_file(file),
        Attachment::TaskReminder(reminder) => task::tasks(reminder),
        Attachment::TodoReminder(reminder) => task::todos(reminder),
        Attachment::TaskStatus(status) => task::status(status),
        Attachment::GoalStatus(goal) => task::goal_status(goal),
        Attachment::SessionCronCarry(carried) => {
            context(Tasks, &counted("scheduled task", "carried over", carried.tasks.len()))
        }
        Attachment::TeammateShutdownBatch(batch) => {
            let count = batch.count.and_then(|count| usize::try_from(count).ok()).unwrap_or_default();
            say(NoticeKind::Task, Severity::Normal, &counted("teammate", "shut down", count))
        }
        Attachment::PollEvents(events) => {
            let kinds = words::list(events.kinds.iter().map(|kind| kind.as_str()));
            context(Reminder, &words::with(&counted("event", "arrived", events.envelopes.len()), &kinds))
        }

        Attachment::BudgetUsd(budget) => budget_usd(budget),
        Attachment::MaxTurnsReached(_) => say(NoticeKind::Limit, Severity::Warning, "no more turns are allowed"),
        Attachment::CommandPermissions(permissions) => command_permissions(permissions),
        Attachment::UnknownCommandFallback(command) => unknown_command(command),
        Attachment::AutoMode(mode) if is_repeated(mode.reminder_type) => None,
        Attachment::AutoMode(_) => say(NoticeKind::Permission, Severity::Normal, "auto mode on"),
        Attachment::AutoModeExit(_) => say(NoticeKind::Permission, Severity::Normal, "auto mode off"),

        Attachment::SkillListing(listing) => skill_listing(listing),
        Attachment::DynamicSkill(found) => dynamic_skill(found),
        Attachment::SkillDiscovery(_) => context(Listing, "skills that may fit"),
        Attachment::DeferredToolsDelta(tools) => tools_delta(tools),
        Attachment::DeferredToolsRecord(record) => context(Listing, &named("tool", "", &record.names)),
        Attachment::AgentListingDelta(agents) => agents_delta(agents),
        Attachment::InvokedSkills(invoked) => {
            context(Skill, &words::list(invoked.skills.iter().map(|skill| words::of(skill.name))))
        }
        Attachment::SkillMention(mention) | Attachment::AgentMention(mention) => {
            context(Skill, words::of(mention.name))
        }
        Attachment::PeerMention(mention) => context(Environment, words::of(mention.mention)),
        Attachment::AdvisorTool(advisor) => {
            let state = if advisor.available == Some(false) { "no advisor" } else { "an advisor" };
            context(Listing, &words::with(state, words::of(advisor.model)))
        }
        Attachment::ReplMcpNeedsAuth(needed) => context(Listing, &named("server", "without login", &needed.servers)),
        Attachment::LinkedPluginToolsNote(note) => context(Listing, words::of(note.text)),
        Attachment::ToolHostResultLines(hosts)
        | Attachment::ToolHostsNotice(hosts)
        | Attachment::ToolHostsCorrection(hosts) => context(Environment, &joined(&hosts.lines)),
        Attachment::ToolResultsCut(cut) => context(Reminder, &counted("tool result", "shortened", cut.call_ids.len())),

        Attachment::PlanMode(mode) => plan_mode("plan mode on", mode),
        Attachment::PlanModeReentry(mode) => plan_mode("plan mode on again", mode),
        Attachment::PlanModeExit(mode) => plan_mode("plan mode off", mode),
        Attachment::PlanFileReference(plan) => {
            context(Plan, &words::with(words::file_name(words::of(plan.plan_file_path)), words::of(plan.plan_content)))
        }

        Attachment::File(file) => context(File, words::of(file.display_path.or(file.filename))),
        Attachment::CompactFileReference(file) => context(File, words::of(file.display_path.or(file.filename))),
        Attachment::Directory(directory) => context(File, words::of(directory.display_path.or(directory.path))),
        Attachment::EditedTextFile(file) => context(File, &changed(file.filename)),
        Attachment::EditedImageFile(file) => context(File, &changed(file.filename)),
        Attachment::AtMentionReference(mention) => context(File, words::of(mention.display_path)),
        Attachment::PdfReference(pdf) => context(File, words::of(pdf.display_path.or(pdf.filename))),
        Attachment::MessagePdfReads(documents) => context(File, &counted("PDF", "read", documents.reads.len())),
        Attachment::ProjectDocReads(documents) => context(File, &counted("document", "read", documents.reads.len())),
        Attachment::AlreadyReadFile(_) => context(File, "a file that was read before"),
        Attachment::McpResource(_) => context(File, "a resource of an MCP server"),
        Attachment::InlinedImagePaths(images) => {
            let named = if images.paths.is_empty() { &images.names } else { &images.paths };
            context(Image, &words::list(named.iter().map(|name| name.as_str())))
        }
        Attachment::OpenedFileInIde(_) => context(Editor, "an open file"),
        Attachment::SelectedLinesInIde(lines) => context(Editor, &selected(lines)),
        Attachment::Diagnostics(found) => diagnostics(found),

        Attachment::NestedMemory(memory) => nested_memory(memory),
        Attachment::RelevantMemories(found) => context(Instructions, &memories(found.memories.len())),
        Attachment::Instructions(files) => instructions(files),
        Attachment::McpInstructionsDelta(servers) => mcp_instructions(servers),
        Attachment::ForkBriefing(note) | Attachment::SandboxInstructions(note) | Attachment::DirSyncNotice(note) => {
            context(Instructions, words::of(note.text))
        }
        Attachment::CoordinatorContext(given) | Attachment::CoworkMemoryContext(given) => {
            context(Instructions, words::of(given.content))
        }
        Attachment::AccountMemoryRecall(_) => context(Instructions, "memories of the account"),
        Attachment::WithheldMemory(_) => context(Instructions, "memories that were withheld"),
        Attachment::InstructionFilesNotLoaded(_) => context(Instructions, "instruction files that were not loaded"),
        Attachment::Language(language) => context(Environment, &words::with("language", words::of(language.language))),
        Attachment::ClaudeAppNotice(notice) => context(Environment, &joined(&notice.lines)),
        Attachment::ArtifactOpeningPrefetch(artifact) => context(Environment, words::of(artifact.content)),
        Attachment::OutputStyle(_) | Attachment::OutputStyleInstructions(_) => context(Instructions, "output style"),

        Attachment::DateChange(date) | Attachment::Date(date) => context(Environment, words::of(date.date)),
        Attachment::Model(model) => context(Environment, &model_name(model)),
        Attachment::Environment(environment) => context(Environment, &machine(environment)),
        Attachment::SessionContext(session) => context(Environment, &session_context(session)),
        Attachment::TeamContext(_) => context(Environment, "the team"),
        Attachment::TeammateMailbox(_) => context(Environment, "messages of the team"),
        Attachment::CompanionIntro(companion) => {
            context(Environment, &words::list([words::of(companion.name), words::of(companion.species)]))
        }
        Attachment::UltraEffortEnter(effort) if is_repeated(effort.reminder_type) => None,
        Attachment::UltraEffortEnter(_) => context(Environment, "effort: ultra"),
        Attachment::UltraEffortExit(_) => context(Environment, "effort: as before"),
        Attachment::UltrathinkEffort(effort) => context(Environment, &words::with("effort", words::of(effort.level))),

        // The same text again and again, or nothing of use to a reader.
        Attachment::QueuedCommand(_)
        | Attachment::TotalTokensReminder(_)
        | Attachment::SilentTurnReminder(_)
        | Attachment::BatchingReminderSent(_)
        | Attachment::CompactionReminder(_)
        | Attachment::BatchingReminder(_)
        | Attachment::SecondaryReminder(_)
        | Attachment::SecondaryReminderSent(_)
        | Attachment::ElapsedTimeReminder(_)
        | Attachment::ToolSearchUsageReminder(_)
        | Attachment::TokenUsage(_)
        | Attachment::OutputLimitNote(_)
        | Attachment::OutputTokenUsage(_)
        | Attachment::WorkflowKeywordRequest(_)
        | Attachment::WorkflowSizeGuidelineChange(_)
        | Attachment::PromptRenderPoint(_)
        | Attachment::ProjectsThreadAsk(_)
        | Attachment::PluginNote(_)
        | Attachment::PrefixDelta(_)
        | Attachment::WidgetContextHint(_)
        | Attachment::ThreadState(_)
        | Attachment::ThinkingStripped(_)
        | Attachment::AdvisorStripped(_)
        | Attachment::WholeTextsWithdrawn(_)
        | Attachment::PromptSnapshot(_)
        | Attachment::ContextSections(_)
        | Attachment::CredentialOrg(_)
        | Attachment::RemoteSessionChange(_)
        | Attachment::BashOutputAudienceNote(_)
        | Attachment::ThinkingDrop(_) => None,

        Attachment::Unknown(attachment) => Some(unknown("attachment", &attachment.kind)),
    };
    step.into()
}

/// Whether this only repeats a mode that was described in full before.
fn is_repeated(reminder_type: Option<Text<'_>>) -> bool {
    words::of(reminder_type) == "sparse"
}

/// The text of the prompt is only a stub; the file contains all of it.
fn prompt_as_file(file: &PromptAsFile<'_>) -> Option<StepKind> {
    let size = file.characters.and_then(|count| u64::try_from(count).ok());
    let size =
        size.map_or_else(String::new, |count| format!(" ({})", human::counted(count, "character", "characters")));
    let text = format!("the prompt is only a stub of its text{size}: {}", words::of(file.path));
    say(NoticeKind::Info, Severity::Warning, text.trim_end_matches(": "))
}

/// A budget is context until it is used up.
fn budget_usd(budget: &Budget) -> Option<StepKind> {
    let used = budget.used?;
    let total = budget.total.map_or_else(String::new, |total| format!(" of ${total:.2}"));
    let text = format!("${used:.2}{total} used");
    match budget.remaining {
        Some(remaining) if remaining <= 0.0 => say(NoticeKind::Limit, Severity::Warning, &text),
        Some(_) | None => context(ContextKind::Environment, &text),
    }
}

fn command_permissions(permissions: &CommandPermissions<'_>) -> Option<StepKind> {
    let allowed = words::list(permissions.allowed_tools.iter().map(|tool| tool.as_str()));
    let allowed = if allowed.is_empty() { allowed } else { words::with("allowed for this command", &allowed) };
    say(NoticeKind::Permission, Severity::Normal, &words::dotted([&allowed, words::of(permissions.model)]))
}

fn plan_mode(what: &str, mode: &PlanMode<'_>) -> Option<StepKind> {
    if is_repeated(mode.reminder_type) {
        return None;
    }
    context(ContextKind::Plan, &words::dotted([what, words::file_name(words::of(mode.plan_file_path))]))
}

/// The file was changed outside the session.
fn changed(filename: Option<Text<'_>>) -> String {
    filename.map_or_else(String::new, |name| format!("{name} was changed"))
}

/// The file and the lines that are selected in the editor.
fn selected(lines: &SelectedLines<'_>) -> String {
    let range = match (lines.line_start, lines.line_end) {
        (Some(start), Some(end)) if start != end => format!("lines {start}–{end}"),
        (Some(line), _) | (None, Some(line)) => format!("line {line}"),
        (None, None) => "selected lines".to_owned(),
    };
    words::dotted([words::of(lines.display_path.or(lines.filename)), &range])
}

/// A command that does not exist, with the one that was perhaps meant.
fn unknown_command(command: &UnknownCommandFallback<'_>) -> Option<StepKind> {
    let name = words::with("no such command", words::of(command.command_name));
    let suggestion = command.suggestion.map_or_else(String::new, |other| format!("perhaps {other}"));
    say(NoticeKind::Info, Severity::Normal, &words::dotted([&name, &suggestion]))
}

/// A number of things and what happened to them; empty if there are none.
fn counted(noun: &str, happened: &str, count: usize) -> String {
    if count == 0 { String::new() } else { format!("{} {happened}", words::counted(count, noun)) }
}

/// Lines as one text.
fn joined(lines: &[Text<'_>]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.as_str()).collect();
    lines.join("\n")
}

/// Additions and removals: `3 tools added: …`.
fn delta<const N: usize>(kind: ContextKind, groups: [(&str, &str, &[Text<'_>]); N]) -> Option<StepKind> {
    let groups_in_words = groups.map(|(noun, happened, names)| named(noun, happened, names));
    context(kind, &words::dotted(groups_in_words.each_ref().map(String::as_str)))
}

/// Their number and names; empty if there are none.
fn named(noun: &str, happened: &str, names: &[Text<'_>]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let count = words::counted(names.len(), noun);
    words::with(&format!("{count} {happened}"), &words::list(names.iter().map(|name| name.as_str())))
}

fn tools_delta(tools: &DeferredToolsDelta<'_>) -> Option<StepKind> {
    let groups: [(_, _, &[_]); 5] = [
        ("tool", "added", &tools.added_names),
        ("tool", "back", &tools.readded_names),
        ("tool", "gone", &tools.removed_names),
        ("server", "not ready", &tools.pending_mcp_servers),
        ("server", "without login", &tools.needs_auth_mcp_servers),
    ];
    delta(ContextKind::Listing, groups)
}

fn agents_delta(agents: &AgentListingDelta<'_>) -> Option<StepKind> {
    let groups: [(_, _, &[_]); 2] =
        [("agent type", "added", &agents.added_types), ("agent type", "gone", &agents.removed_types)];
    delta(ContextKind::Listing, groups)
}

fn mcp_instructions(servers: &McpInstructionsDelta<'_>) -> Option<StepKind> {
    let groups: [(_, _, &[_]); 2] =
        [("MCP server", "added", &servers.added_names), ("MCP server", "gone", &servers.removed_names)];
    delta(ContextKind::Instructions, groups)
}

fn skill_listing(listing: &SkillListing<'_>) -> Option<StepKind> {
    if !listing.names.is_empty() {
        return context(ContextKind::Listing, &named("skill", "", &listing.names));
    }
    let count = listing
        .skill_count
        .map_or_else(String::new, |count| format!("{count} {}", if count == 1 { "skill" } else { "skills" }));
    // Before the field `names` existed, each skill was a line: `- pdf: reads and fills forms`.
    let lines = words::of(listing.content).lines();
    let names = lines.filter_map(|line| line.strip_prefix("- ")?.split(": ").next());
    context(ContextKind::Listing, &words::with(&count, &words::list(names)))
}

fn dynamic_skill(found: &DynamicSkill<'_>) -> Option<StepKind> {
    let place = words::of(found.display_path.or(found.skill_dir));
    context(ContextKind::Listing, &words::with(place, &named("skill", "", &found.skill_names)))
}

fn diagnostics(found: &Diagnostics<'_>) -> Option<StepKind> {
    let problems: usize = found.files.iter().map(|file| file.diagnostics.len()).sum();
    let first = found.files.iter().find(|file| !file.diagnostics.is_empty())?;
    let message = words::of(first.diagnostics.iter().find_map(|problem| problem.message));
    let place = words::with(words::file_name(words::of(first.uri)), message);
    context(ContextKind::Editor, &words::dotted([&words::counted(problems, "problem"), &place]))
}

fn nested_memory(memory: &NestedMemory<'_>) -> Option<StepKind> {
    let inside = memory.content.as_ref().and_then(|content| content.path);
    context(ContextKind::Instructions, words::of(memory.display_path.or(memory.path).or(inside)))
}

fn memories(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "1 memory".to_owned(),
        count => format!("{count} memories"),
    }
}

fn instructions(files: &Instructions<'_>) -> Option<StepKind> {
    let count = words::counted(files.files.len(), "instruction file");
    context(ContextKind::Instructions, &words::dotted([&count, words::of(files.reason)]))
}

fn model_name(model: &Model<'_>) -> String {
    let identity = model.identity.as_ref();
    let name = identity.and_then(|identity| identity.marketing_name.or(identity.model_id));
    words::of(name.or(model.text)).to_owned()
}

fn machine(environment: &Environment<'_>) -> String {
    let Some(snapshot) = &environment.snapshot else { return String::new() };
    let system = words::of(snapshot.os_version.or(snapshot.platform));
    words::dotted([words::of(snapshot.working_directory), system, words::of(snapshot.shell)])
}

/// What the context is about, without the values, which are private.
fn session_context(session: &SessionContext<'_>) -> String {
    words::list(session.context.iter().map(|(name, _)| name))
}
