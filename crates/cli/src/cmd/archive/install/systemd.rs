//! Installation as a timer of the user's systemd.

use std::process::{Command, Stdio};

use super::job::{Home, Job};
use crate::install::plan::{Plan, Step};

const SERVICE: &str = "recount-archive.service";
const TIMER: &str = "recount-archive.timer";

/// Returns whether the user's systemd responds.
pub(super) fn is_there() -> bool {
    let mut command = Command::new("systemctl");
    command.args(["--user", "show-environment"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

pub(super) fn install(home: &Home, job: &Job) -> Plan {
    let folder = home.config().join("systemd/user");
    let service = format!(
        "[Unit]\n\
         Description=Archive Claude Code's sessions (recount)\n\
         \n\
         [Service]\n\
         Type=oneshot\n\
         Nice=10\n\
         ExecStart={}\n",
        job.for_systemd()
    );
    let timer = "[Unit]\n\
                 Description=Archive Claude Code's sessions every day (recount)\n\
                 \n\
                 [Timer]\n\
                 OnCalendar=daily\n\
                 Persistent=true\n\
                 RandomizedDelaySec=15min\n\
                 \n\
                 [Install]\n\
                 WantedBy=timers.target\n";
    Plan::of(vec![
        Step::Write { path: folder.join(SERVICE), text: service },
        Step::Write { path: folder.join(TIMER), text: timer.to_owned() },
        Step::run("systemctl", &["--user", "daemon-reload"]),
        Step::run("systemctl", &["--user", "enable", "--now", TIMER]),
    ])
}

pub(super) fn remove(home: &Home) -> Plan {
    let folder = home.config().join("systemd/user");
    let there = [TIMER, SERVICE].map(|name| folder.join(name)).into_iter().filter(|path| path.exists());
    let files: Vec<Step> = there.map(|path| Step::Remove { path }).collect();
    if files.is_empty() {
        return Plan::default();
    }
    let mut steps = vec![Step::try_run("systemctl", &["--user", "disable", "--now", TIMER])];
    steps.extend(files);
    steps.push(Step::try_run("systemctl", &["--user", "daemon-reload"]));
    Plan::of(steps)
}
