//! The words of the document: one for each kind, state and cause that a story knows.

use serde::Serialize;

/// Declares words that stand for the variants of an enum of the story, all of them.
macro_rules! words {
    ($( $(#[$meta:meta])* $name:ident for $of:ty { $( $(#[$about:meta])* $variant:ident ),+ $(,)? } )+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $( $(#[$about])* $variant, )+
        }

        impl From<$of> for $name {
            fn from(of: $of) -> Self {
                match of {
                    $( <$of>::$variant => Self::$variant, )+
                }
            }
        }
    )+};
}

words! {
    /// How much is told. Every level tells all that the ones before it tell.
    Detail for story::Detail {
        /// What was asked, and what failed.
        Prompts,
        /// What was said.
        Talk,
        /// What was done, a line each.
        Steps,
        /// All texts.
        Full,
        /// With the lines themselves.
        Raw,
    }

    /// Where a title comes from.
    TitleSource for story::TitleSource {
        /// The user gave it.
        Custom,
        /// The model found it.
        Model,
        /// The last thing that was asked.
        LastPrompt,
        /// A summary, as old versions wrote.
        Summary,
        /// The first thing that was asked.
        FirstPrompt,
    }

    /// What a link leads to.
    LinkKind for story::LinkKind {
        /// A pull request.
        PullRequest,
        /// A page that was published.
        Artifact,
        /// Remote control of the session.
        Bridge,
        /// A worktree.
        Worktree,
    }

    /// How a turn ended.
    TurnState for story::TurnState {
        /// It has not: the model is at work, as far as the lines tell.
        Working,
        /// It has not: the model has a question.
        Asking,
        /// The model said all it had to say.
        Done,
        /// The user stopped it.
        Interrupted,
        /// Something went wrong.
        Failed,
    }

    /// How a prompt reached the model.
    Delivery for story::step::Delivery {
        /// At once.
        Direct,
        /// It waited for the turn to end.
        Queued,
        /// In the middle of the turn.
        Steering,
        /// Never: the user took it back, or it is waiting.
        Undelivered,
    }

    /// How a call went.
    CallState for story::step::CallState {
        /// There is no result yet.
        Pending,
        /// It went well.
        Done,
        /// It goes on in the background.
        Background,
        /// It failed.
        Failed,
        /// The user, a rule or a mode did not allow it.
        Rejected,
        /// The user interrupted it.
        Interrupted,
        /// There is no result, and none will come: the program ended first.
        Lost,
    }

    /// Whether a reader should look at something.
    Severity for story::step::Severity {
        /// All is well.
        Normal,
        /// Not what was hoped for, but nothing to worry about.
        Expected,
        /// Something that may matter.
        Warning,
        /// A failure.
        Error,
    }

    /// What a notice is about.
    NoticeKind for story::step::NoticeKind {
        /// A request to the API failed, and is tried again or given up.
        ApiError,
        /// The plan or the budget allows no more.
        Limit,
        /// The user stopped the model.
        Interrupted,
        /// A hook had something to say, or failed.
        Hook,
        /// How long the turn took.
        TurnDuration,
        /// What happened while the user was away.
        AwaySummary,
        /// Another model took over.
        ModelChange,
        /// What may be done without asking was changed, or something was not allowed.
        Permission,
        /// A task in the background.
        Task,
        /// Something was remembered.
        Memory,
        /// The session itself: its connection, its store, its mode.
        Session,
        /// Whatever else the program thinks worth telling.
        Info,
    }

    /// What the model was told beside the prompt.
    ContextKind for story::step::ContextKind {
        /// A file or a folder that was mentioned, or has changed.
        File,
        /// What the editor shows: an open file, selected lines, diagnostics.
        Editor,
        /// An image, or a note about one.
        Image,
        /// Instructions: memory files, rules, output styles.
        Instructions,
        /// The body of a skill or a command.
        Skill,
        /// What a hook adds.
        Hook,
        /// The plan, or the mode of planning.
        Plan,
        /// The list of tasks.
        Tasks,
        /// What is available: tools, skills, agents, servers.
        Listing,
        /// The environment: date, model, machine, team.
        Environment,
        /// A reminder of the program's.
        Reminder,
        /// Filler that keeps the protocol happy.
        Filler,
        /// Hidden from the user for whatever other reason.
        Hidden,
    }

    /// How a compaction came about.
    Trigger for story::step::Trigger {
        /// The context was full.
        Auto,
        /// The user asked for it.
        Manual,
        /// It is not said.
        Unknown,
    }

    /// How much of the conversation was compacted.
    Extent for story::step::Extent {
        /// All of it.
        Whole,
        /// A part of it.
        Part,
        /// Only results of tools.
        Results,
    }

    /// Where a task stands.
    TaskStatus for story::tasks::TaskStatus {
        /// Nobody has begun.
        Pending,
        /// Somebody is at it.
        InProgress,
        /// It is done.
        Completed,
    }
}
