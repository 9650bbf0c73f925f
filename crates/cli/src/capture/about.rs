//! Metadata of a recorded conversation.

use record::{RecordError, Run};

#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct About {
    /// Name of the agent
    #[arg(long, value_name = "NAME", default_value = "claude")]
    pub(crate) agent: String,
    /// Title of the conversation
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Tag to find the conversation by (may be repeated)
    #[arg(long = "tag", value_name = "WORD")]
    tags: Vec<String>,
}

impl About {
    /// Creates a run in a workspace, with this metadata.
    pub(crate) fn run_in(&self, workspace: &str) -> Result<Run, RecordError> {
        Ok(Run::new(workspace, &self.agent)?.about(self.title.clone(), self.tags.clone()))
    }
}
