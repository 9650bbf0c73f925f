//! What is said about a conversation when it is recorded.

use record::{RecordError, Run};

#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct About {
    /// The agent that speaks
    #[arg(long, value_name = "NAME", default_value = "claude")]
    pub(crate) agent: String,
    /// What the conversation is called
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// A word to find it by (may be repeated)
    #[arg(long = "tag", value_name = "WORD")]
    tags: Vec<String>,
}

impl About {
    /// A run in a workspace, with all this said about it.
    pub(crate) fn run_in(&self, workspace: &str) -> Result<Run, RecordError> {
        Ok(Run::new(workspace, &self.agent)?.about(self.title.clone(), self.tags.clone()))
    }
}
