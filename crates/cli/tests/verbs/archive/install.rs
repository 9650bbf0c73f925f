//! `recount archive install`: the plan, the changes, and that they can be undone.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Output;

use crate::sandbox::Sandbox;

/// Programs that only record how they were called.
fn with_programs(names: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    for name in names {
        let script = format!(
            "#!/bin/sh\necho \"{name} $*\" >> \"$HOME/called\"\n\
             case \"{name} $*\" in\n\
             'crontab -l') [ -f \"$HOME/crontab\" ] && exec /bin/cat \"$HOME/crontab\"; exit 1;;\n\
             'crontab -') /bin/cat > \"$HOME/crontab\";;\n\
             esac\n"
        );
        let path = format!("bin/{name}");
        sandbox.write(&path, script);
        fs::set_permissions(sandbox.path(&path), fs::Permissions::from_mode(0o755)).unwrap();
    }
    sandbox
}

fn recount(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    let mut command = sandbox.recount(&[&["archive"], arguments].concat());
    command.env("PATH", sandbox.path("bin")).output().unwrap()
}

/// The output, with the name of the program instead of its path.
fn shown(sandbox: &Sandbox, output: &Output) -> String {
    let program = assert_cmd::cargo::cargo_bin!("recount");
    sandbox.shown(output).replace(program.to_str().unwrap(), "[RECOUNT]")
}

fn called(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.path("called")).unwrap_or_default()
}

#[test]
fn a_systemd_timer_is_shown_created_and_removed() {
    let sandbox = with_programs(&["systemctl"]);
    let asked = recount(&sandbox, &["--install"]);
    insta::assert_snapshot!(shown(&sandbox, &asked), @r#"
    exit 2
    this will
      write [HERE]/.config/systemd/user/recount-archive.service
          [Unit]
          Description=Archive Claude Code's sessions (recount)
          
          [Service]
          Type=oneshot
          Nice=10
          ExecStart="[RECOUNT]" "archive" "--quiet"
      write [HERE]/.config/systemd/user/recount-archive.timer
          [Unit]
          Description=Archive Claude Code's sessions every day (recount)
          
          [Timer]
          OnCalendar=daily
          Persistent=true
          RandomizedDelaySec=15min
          
          [Install]
          WantedBy=timers.target
      run systemctl --user daemon-reload
      run systemctl --user enable --now recount-archive.timer
    recount: cannot ask: standard input is not a terminal
    hint: use --yes to confirm
    "#);
    assert!(!sandbox.path(".config").exists());

    assert_eq!(recount(&sandbox, &["--install", "--yes"]).status.code(), Some(0));
    assert!(sandbox.path(".config/systemd/user/recount-archive.timer").exists());
    assert!(called(&sandbox).ends_with("systemctl --user enable --now recount-archive.timer\n"));
    assert_eq!(recount(&sandbox, &["--uninstall", "--yes"]).status.code(), Some(0));
    assert!(!sandbox.path(".config/systemd/user/recount-archive.timer").exists());
    assert!(!sandbox.path(".config/systemd/user/recount-archive.service").exists());
    let again = recount(&sandbox, &["--uninstall", "--yes"]);
    assert_eq!(shown(&sandbox, &again), "exit 1\nnothing is installed\n");
}

#[test]
fn without_systemd_it_is_a_line_in_the_crontab() {
    let sandbox = with_programs(&["crontab"]);
    let mine = "0 4 * * * backup  # mine\n";
    sandbox.write("crontab", mine);
    for _ in 0..2 {
        recount(&sandbox, &["install", "--yes"]);
        let crontab = fs::read_to_string(sandbox.path("crontab")).unwrap();
        let (first, ours) = crontab.split_once('\n').unwrap();
        assert_eq!(format!("{first}\n"), mine);
        assert!(ours.starts_with("37 12 * * * ") && ours.ends_with(" archive --quiet # recount archive\n"), "{ours}");
    }
    assert_eq!(shown(&sandbox, &recount(&sandbox, &["install"])), "exit 1\nalready installed\n");
    assert_eq!(recount(&sandbox, &["install", "--remove", "--yes"]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(sandbox.path("crontab")).unwrap(), mine);
}

#[test]
fn a_launchd_agent_is_created_and_removed() {
    let sandbox = with_programs(&["launchctl"]);
    let arguments = ["install", "--how", "launchd", "--yes", "--archive", "a & b"];
    assert_eq!(recount(&sandbox, &arguments).status.code(), Some(0));
    let path = sandbox.path("Library/LaunchAgents/recount.archive.plist");
    let plist = fs::read_to_string(&path).unwrap();
    assert!(
        plist.contains("<string>--archive</string>\n    <string>") && plist.contains("/a &amp; b</string>"),
        "{plist}"
    );
    assert_eq!(recount(&sandbox, &["--uninstall", "--yes"]).status.code(), Some(0));
    assert!(!path.exists());
    let path = path.to_str().unwrap();
    assert_eq!(called(&sandbox), format!("launchctl load -w {path}\nlaunchctl unload -w {path}\n"));
}

#[test]
fn a_hook_changes_nothing_else_in_the_settings_and_can_be_undone() {
    let sandbox = with_programs(&[]);
    let settings =
        "{\n  \"zeta\": 1.50,\n  \"hooks\": {\n    \"Stop\": [ { \"hooks\": [] } ]\n  },\n  \"alpha\": \"ü\"\n}\n";
    sandbox.write(".claude/settings.json", settings);
    let asked = recount(&sandbox, &["install", "--how", "hook"]);
    insta::assert_snapshot!(shown(&sandbox, &asked), @r##"
    exit 2
    this will
      change [HERE]/.claude/settings.json, and keep a copy as [HERE]/.claude/settings.json.recount-backup
          add to hooks.SessionEnd:
          {
            "hooks": [
              {
                "command": "[RECOUNT] archive --quiet # recount archive",
                "timeout": 60,
                "type": "command"
              }
            ]
          }
    recount: cannot ask: standard input is not a terminal
    hint: use --yes to confirm
    "##);
    assert_eq!(recount(&sandbox, &["install", "--how", "hook", "--yes"]).status.code(), Some(0));
    let path = sandbox.path(".claude/settings.json");
    let after = fs::read_to_string(&path).unwrap();
    assert!(
        after.starts_with("{\n  \"zeta\": 1.50,\n  \"hooks\": {\n    \"Stop\": [ { \"hooks\": [] } ],\n"),
        "{after}"
    );
    assert!(after.ends_with("\n  },\n  \"alpha\": \"ü\"\n}\n"), "{after}");
    assert_eq!(fs::read_to_string(sandbox.path(".claude/settings.json.recount-backup")).unwrap(), settings);
    assert_eq!(recount(&sandbox, &["--uninstall", "--yes"]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&path).unwrap(), settings);

    sandbox.write(".claude/settings.json", "// mine\n{}");
    let odd = shown(&sandbox, &recount(&sandbox, &["install", "--how", "hook", "--yes"]));
    assert!(
        odd.starts_with("exit 2\nrecount: not valid settings: ") && odd.contains("add this to it yourself"),
        "{odd}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "// mine\n{}");
}
