//! Installation as a launchd agent.

use super::job::{Home, Job};
use crate::install::plan::{Plan, Step};

const NAME: &str = "recount.archive";

pub(super) fn install(home: &Home, job: &Job) -> Plan {
    let path = home.path.join("Library/LaunchAgents").join(format!("{NAME}.plist"));
    let text = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>{NAME}</string>
  <key>ProgramArguments</key>
  <array>
{}  </array>
  <key>StartCalendarInterval</key>
  <dict>
    <key>Hour</key>
    <integer>12</integer>
    <key>Minute</key>
    <integer>37</integer>
  </dict>
</dict>
</plist>
"#,
        job.for_plist()
    );
    let show = path.display().to_string();
    // Unloads an earlier installation first.
    let unload = path.exists().then(|| Step::try_run("launchctl", &["unload", "-w", &show]));
    let load = Step::run("launchctl", &["load", "-w", &show]);
    Plan::of(unload.into_iter().chain([Step::Write { path, text }, load]).collect())
}

pub(super) fn remove(home: &Home) -> Plan {
    let path = home.path.join("Library/LaunchAgents").join(format!("{NAME}.plist"));
    if !path.exists() {
        return Plan::default();
    }
    let unload = Step::try_run("launchctl", &["unload", "-w", &path.display().to_string()]);
    Plan::of(vec![unload, Step::Remove { path }])
}
