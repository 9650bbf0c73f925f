//! `attachment` entries: files, diagnostics, memories, output of hooks, and queued prompts.

use format::block::Content;
use format::entry::AttachmentEntry;
use format::entry::attachment::{Attachment, HookOutcome};
use format::fields::Fields;
use story::Detail;

use crate::call;
use crate::pen::{Form, Pen, word};
use crate::speech;

pub(super) fn attachment<'e>(entry: &'e AttachmentEntry<'e>, pen: &mut Pen<'_, 'e>) {
    pen.event(entry, &[("attachment", Form::Elsewhere), ("rendered", Form::Elsewhere), ("renderedRole", Form::Detail)]);
    let mut pen = pen.at(if is_kept(entry) { Detail::Full } else { Detail::Raw });
    let is_written = pen.writes(|pen| entry.attachment.iter().for_each(|attachment| put_attachment(attachment, pen)));
    // The rendered form for the model repeats the attachment in other words.
    if let Some(rendered) = entry.rendered {
        let level = if is_written || !is_kept(entry) { Detail::Raw } else { Detail::Full };
        pen.at(level).json("rendered", Form::Words, rendered);
    }
}

/// Whether it is worth searching. The whole system prompt is the same everywhere, and account data is private.
pub(super) fn is_kept(entry: &AttachmentEntry<'_>) -> bool {
    !matches!(
        entry.attachment.as_deref(),
        Some(
            Attachment::PromptSnapshot(_)
                | Attachment::SessionContext(_)
                | Attachment::CredentialOrg(_)
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
        )
    )
}

#[expect(clippy::too_many_lines, reason = "a table: one row for each kind")]
fn put_attachment<'e>(attachment: &'e Attachment<'e>, pen: &mut Pen<'_, 'e>) {
    match attachment {
        Attachment::QueuedCommand(queued) => {
            let speaker = speech::queue_speaker(queued);
            speech::beside(queued.prompt.iter().flat_map(Content::texts), speaker, pen);
            queued.prompt.iter().for_each(|prompt| crate::block::others(prompt, pen));
            pen.event(&**queued, &[("prompt", Form::Elsewhere)]);
        }
        Attachment::TotalTokensReminder(reminder)
        | Attachment::SilentTurnReminder(reminder)
        | Attachment::BatchingReminderSent(reminder)
        | Attachment::CriticalSystemReminder(reminder)
        | Attachment::CompactionReminder(reminder)
        | Attachment::BatchingReminder(reminder)
        | Attachment::SecondaryReminder(reminder)
        | Attachment::SecondaryReminderSent(reminder)
        | Attachment::ElapsedTimeReminder(reminder)
        | Attachment::LinkedPluginToolsNote(reminder)
        | Attachment::SandboxInstructions(reminder)
        | Attachment::DirSyncNotice(reminder)
        | Attachment::ForkBriefing(reminder)
        | Attachment::PrefixDelta(reminder) => pen.event(reminder, &[("text", Form::Words)]),
        Attachment::ToolSearchUsageReminder(tools) => pen.record(tools, &[]),
        Attachment::ReadTruncationNotice(notice) => pen.event(notice, &[("banner", Form::Words)]),
        Attachment::PromptAsFile(file) => put_facts(file, ["path", "characters"], pen),

        Attachment::HookSuccess(outcome)
        | Attachment::HookNonBlockingError(outcome)
        | Attachment::HookErrorDuringExecution(outcome)
        | Attachment::HookCancelled(outcome) => hook(outcome, pen),
        Attachment::HookBlockingError(error) => {
            put_facts(&**error, ["hookName", "blockingError"], pen);
        }
        Attachment::HookAdditionalContext(said) | Attachment::HookSystemMessage(said) => {
            pen.event(&**said, &[("hookName", Form::Fact), ("content", Form::Words)]);
        }
        Attachment::HookPermissionDecision(decided) => put_facts(&**decided, ["hookName", "decision"], pen),
        Attachment::HookStoppedContinuation(stop) => put_facts(&**stop, ["hookName", "message"], pen),
        Attachment::AsyncHookResponse(answer) => pen.event(
            &**answer,
            &[
                ("hookName", Form::Fact),
                ("toolName", Form::Fact),
                ("stdout", Form::Output),
                ("stderr", Form::Output),
                ("response", Form::Fact),
            ],
        ),

        Attachment::TaskReminder(reminder) => pen.event(reminder, &[("content", Form::Fact)]),
        Attachment::TodoReminder(reminder) => pen.event(reminder, &[("content", Form::Fact)]),
        Attachment::TaskStatus(task) => {
            put_facts(&**task, ["description", "deltaSummary", "outputFilePath"], pen);
        }
        Attachment::GoalStatus(goal) => put_facts(&**goal, ["condition", "reason"], pen),
        Attachment::BudgetUsd(budget) | Attachment::TokenUsage(budget) => pen.event(&**budget, &[]),
        Attachment::AsyncHookResponseBatch(batch) => pen.record(batch, &[]),
        Attachment::HookDeferredTool(deferred) => {
            put_facts(&**deferred, ["hookName", "toolName", "toolInput"], pen);
        }
        Attachment::PromptRenderPoint(point) => pen.event(point, &[]),
        Attachment::UnknownCommandFallback(command) => put_facts(&**command, ["commandName", "suggestion"], pen),
        Attachment::PollEvents(events) => put_facts(&**events, ["kinds", "envelopes"], pen),
        Attachment::SessionCronCarry(carried) => pen.record(&**carried, &[("tickPrompt", Form::Words)]),

        Attachment::SkillListing(listing) => {
            pen.event(&**listing, &[("content", Form::Words), ("names", Form::Item)]);
        }
        Attachment::DynamicSkill(found) => {
            pen.event(&**found, &[("displayPath", Form::Fact), ("skillDir", Form::Fact), ("skillNames", Form::Item)]);
        }
        Attachment::InvokedSkills(invoked) => {
            pen.records("skill", &invoked.skills, &[("content", Form::Words)]);
        }
        Attachment::DeferredToolsDelta(tools) => pen.record(&**tools, &[]),
        Attachment::DeferredToolsRecord(record) => pen.event(record, &[("names", Form::Item)]),
        Attachment::McpInstructionsDelta(servers) => pen.event(
            &**servers,
            &[("addedNames", Form::Fact), ("addedBlocks", Form::Words), ("removedNames", Form::Fact)],
        ),
        Attachment::AgentListingDelta(agents) => pen
            .event(&**agents, &[("addedTypes", Form::Fact), ("addedLines", Form::Item), ("removedTypes", Form::Fact)]),
        Attachment::CommandPermissions(permissions) => pen.record(permissions, &[]),
        Attachment::SkillMention(mention) | Attachment::AgentMention(mention) => pen.record(mention, &[]),
        Attachment::PeerMention(mention) => pen.record(&**mention, &[]),
        Attachment::AdvisorTool(advisor) => pen.record(advisor, &[]),
        Attachment::ReplMcpNeedsAuth(needed) => pen.record(needed, &[]),
        Attachment::ToolHostResultLines(hosts)
        | Attachment::ToolHostsNotice(hosts)
        | Attachment::ToolHostsCorrection(hosts) => {
            pen.event(&**hosts, &[("host", Form::Fact), ("label", Form::Fact), ("lines", Form::Words)]);
        }
        Attachment::ToolResultsCut(cut) => put_facts(&**cut, ["standIn", "roughTokens"], pen),
        Attachment::ProjectsThreadAsk(asked) => pen.record(asked, &[]),

        Attachment::PlanMode(mode) | Attachment::PlanModeExit(mode) | Attachment::PlanModeReentry(mode) => {
            put_facts(mode, ["planFilePath"], pen);
        }
        Attachment::PlanFileReference(plan) => pen.record(plan, &[("planContent", Form::Plan)]),
        Attachment::AutoMode(mode) | Attachment::AutoModeExit(mode) => pen.event(mode, &[]),
        Attachment::UltraEffortEnter(effort)
        | Attachment::UltraEffortExit(effort)
        | Attachment::UltrathinkEffort(effort) => put_facts(effort, ["level"], pen),

        Attachment::File(file) => {
            pen.event(&**file, &[("filename", Form::Fact), ("displayPath", Form::Fact), ("content", Form::Elsewhere)]);
            file.content.iter().for_each(|content| call::file_read(content, pen));
        }
        Attachment::Directory(directory) => pen.record(&**directory, &[("content", Form::Output)]),
        Attachment::EditedTextFile(file) => pen.record(file, &[("snippet", Form::Output)]),
        Attachment::EditedImageFile(file) => pen.record(file, &[]),
        Attachment::CompactFileReference(file) => pen.record(file, &[]),
        Attachment::AtMentionReference(mention) => pen.record(&**mention, &[]),
        Attachment::PdfReference(pdf) => pen.record(&**pdf, &[]),
        Attachment::MessagePdfReads(documents) | Attachment::ProjectDocReads(documents) => pen.record(documents, &[]),
        Attachment::InlinedImagePaths(images) => pen.record(images, &[]),
        Attachment::SelectedLinesInIde(lines) => pen.record(&**lines, &[("content", Form::Output)]),
        Attachment::Diagnostics(found) => diagnostics(found, pen),
        Attachment::NestedMemory(memory) => {
            pen.event(&**memory, &[("path", Form::Fact), ("displayPath", Form::Fact), ("content", Form::Elsewhere)]);
            memory.content.iter().for_each(|file| pen.event(file, &[("content", Form::Words)]));
        }
        Attachment::RelevantMemories(found) => pen.record(found, &[]),
        Attachment::Instructions(files) => pen.record(&**files, &[]),
        Attachment::WithheldMemory(withheld) => pen.record(withheld, &[]),
        Attachment::CoworkMemoryContext(given)
        | Attachment::CoordinatorContext(given)
        | Attachment::ArtifactOpeningPrefetch(given) => pen.event(&**given, &[("content", Form::Words)]),

        Attachment::DateChange(date) | Attachment::Date(date) => pen.record(date, &[]),
        Attachment::Model(model) => pen.record(&**model, &[("text", Form::Words)]),
        Attachment::Environment(environment) => pen.record(&**environment, &[]),
        Attachment::SessionContext(context) => pen.record(&**context, &[]),
        Attachment::PromptSnapshot(snapshot) => pen.record(&**snapshot, &[]),
        Attachment::CompanionIntro(companion) => pen.record(companion, &[]),
        Attachment::ContextSections(context) => pen.record(context, &[]),
        Attachment::TeammateShutdownBatch(batch) => pen.record(batch, &[]),
        Attachment::ClaudeAppNotice(notice) => pen.record(notice, &[("lines", Form::Words)]),
        Attachment::Language(language) => pen.record(language, &[]),
        Attachment::WidgetContextHint(hint) => pen.event(hint, &[]),
        Attachment::WorkflowSizeGuidelineChange(change) => pen.event(change, &[]),
        Attachment::BashOutputAudienceNote(note) => pen.event(note, &[]),
        Attachment::ThinkingDrop(dropped) => pen.event(&**dropped, &[]),
        Attachment::ThinkingStripped(stripped) => pen.event(stripped, &[]),
        Attachment::Unknown(unknown) => pen.open(unknown, &[]),

        // Only the type is known; the fields are listed as unexpected.
        Attachment::MaxTurnsReached(named)
        | Attachment::SkillDiscovery(named)
        | Attachment::OutputStyle(named)
        | Attachment::OutputStyleInstructions(named)
        | Attachment::StructuredOutput(named)
        | Attachment::AlreadyReadFile(named)
        | Attachment::OpenedFileInIde(named)
        | Attachment::McpResource(named)
        | Attachment::CredentialOrg(named)
        | Attachment::RemoteSessionChange(named)
        | Attachment::TeamContext(named)
        | Attachment::TeammateMailbox(named)
        | Attachment::AccountMemoryRecall(named)
        | Attachment::InstructionFilesNotLoaded(named)
        | Attachment::OutputLimitNote(named)
        | Attachment::OutputTokenUsage(named)
        | Attachment::WorkflowKeywordRequest(named)
        | Attachment::PluginNote(named)
        | Attachment::ThreadState(named)
        | Attachment::AdvisorStripped(named)
        | Attachment::WholeTextsWithdrawn(named) => pen.record(named, &[]),
    }
}

/// The relevant fields of an attachment, as facts.
fn put_facts<'e, const N: usize>(attachment: &'e impl Fields, keys: [&'static str; N], pen: &mut Pen<'_, 'e>) {
    pen.event(attachment, &keys.map(|key| (key, Form::Fact)));
}

/// The output of a hook for the model is usually one of its streams.
fn hook<'e>(outcome: &'e HookOutcome<'e>, pen: &mut Pen<'_, 'e>) {
    let content = word(outcome.content);
    let stream = |text: Option<format::Text<'_>>| {
        if content.contains(word(text).trim()) { Form::Detail } else { Form::Output }
    };
    pen.event(
        outcome,
        &[
            ("hookName", Form::Fact),
            ("hookEvent", if outcome.hook_name.is_some() { Form::Detail } else { Form::Fact }),
            ("command", Form::Code("bash")),
            ("content", Form::Output),
            ("stdout", stream(outcome.stdout)),
            ("stderr", stream(outcome.stderr)),
        ],
    );
}

fn diagnostics<'e>(found: &'e format::entry::attachment::Diagnostics<'e>, pen: &mut Pen<'_, 'e>) {
    pen.event(found, &[("files", Form::Elsewhere)]);
    for file in &found.files {
        pen.event(file, &[("uri", Form::Fact), ("diagnostics", Form::Elsewhere)]);
        for problem in &file.diagnostics {
            put_facts(problem, ["message", "source", "code"], pen);
        }
    }
}
