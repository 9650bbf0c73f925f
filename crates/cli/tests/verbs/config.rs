//! Tests where settings are found, and the messages about mistakes in them.

use crate::sandbox::Sandbox;

/// The output of `recount statusline`, which needs settings like any other verb, for `{}` with these variables.
fn shown(sandbox: &Sandbox, variables: &[(&str, &str)]) -> String {
    let mut command = sandbox.recount(&["statusline"]);
    for (name, value) in variables {
        command.env(name, value.replace("[HERE]", sandbox.path("").to_str().unwrap()));
    }
    sandbox.shown(&command.write_stdin("{}").output().unwrap())
}

#[test]
fn settings_are_looked_for_in_their_places() {
    let sandbox = Sandbox::new();
    assert_eq!(shown(&sandbox, &[]), "exit 0\n$0.00 today\n");
    sandbox.write(".config/recount/config.toml", "[usage]\ncurrency = \"€\"\n");
    assert_eq!(shown(&sandbox, &[]), "exit 0\n€0.00 today\n");
    sandbox.write("xdg/recount/config.toml", "[usage]\ncurrency = \"£\"\n");
    assert_eq!(shown(&sandbox, &[("XDG_CONFIG_HOME", "[HERE]xdg")]), "exit 0\n£0.00 today\n");
    sandbox.write("own.toml", "[usage]\ncurrency = \"CHF \"\n");
    let own = [("XDG_CONFIG_HOME", "[HERE]xdg"), ("RECOUNT_CONFIG", "own.toml")];
    assert_eq!(shown(&sandbox, &own), "exit 0\nCHF 0.00 today\n");
    let with_variable = [("RECOUNT_CONFIG", "own.toml"), ("RECOUNT_CURRENCY", "¥")];
    assert_eq!(shown(&sandbox, &with_variable), "exit 0\n¥0.00 today\n");
}

#[test]
fn mistakes_are_named_with_their_line() {
    let sandbox = Sandbox::new();
    sandbox.write(".config/recount/config.toml", "[usage]\ncurrency = \"€\"\ncurency-rate = 0.92\n");
    insta::assert_snapshot!(shown(&sandbox, &[]), @r"
    exit 0
    €0.00 today
    recount: [HERE]/.config/recount/config.toml:3: unknown setting usage.curency-rate is ignored
    hint: this version knows start-of-week, billing-day, currency, currency-rate, block-limit here; check the spelling, or update recount
    ");
    sandbox.write(".config/recount/config.toml", "[usage]\ncurrency = \"€\"\ncurrency-rate = \"much\"\n");
    let wrong = shown(&sandbox, &[]);
    assert!(wrong.starts_with("exit 2\nrecount: [HERE]/.config/recount/config.toml:3: "), "{wrong}");
    sandbox.write("odd.toml", b"timezone = \"\xff\"\n");
    insta::assert_snapshot!(shown(&sandbox, &[("RECOUNT_CONFIG", "odd.toml")]), @r"
    exit 2
    recount: cannot read the settings: odd.toml: stream did not contain valid UTF-8
    ");
    insta::assert_snapshot!(shown(&sandbox, &[("RECOUNT_CONFIG", "gone.toml")]), @r"
    exit 2
    recount: cannot read the settings: gone.toml: No such file or directory (os error 2)
    ");
    let variable = [("RECOUNT_CONFIG", "/dev/null"), ("RECOUNT_TIMEZONE", "Mars\u{1b}[2J")];
    insta::assert_snapshot!(shown(&sandbox, &variable), @r"
    exit 2
    recount: RECOUNT_TIMEZONE=Mars\u{1b}[2J: unknown time zone `Mars\u{1b}[2J`, expected one such as Europe/Riga or UTC
    ");
}
