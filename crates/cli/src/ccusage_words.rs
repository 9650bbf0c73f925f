//! Translates ccusage's command line: `recount daily -j` accepts the flags of `ccusage daily -j`.

use std::ffi::OsString;

/// The reports of ccusage.
const REPORTS: [&str; 5] = ["daily", "weekly", "monthly", "session", "blocks"];

/// Flags of ccusage that have another name here.
const WORDS: [(&str, &[&str]); 11] = [
    ("-j", &["--json=ccusage"]),
    ("--json", &["--json=ccusage"]),
    ("-b", &["--breakdown"]),
    ("-o", &["--order"]),
    ("-i", &["project"]),
    ("--instances", &["project"]),
    ("-a", &["--active"]),
    ("-r", &["--last", "3d"]),
    ("--recent", &["--last", "3d"]),
    ("-t", &["--block-limit"]),
    ("-n", &["--length"]),
];

/// Flags of ccusage that recount does not need: it is always offline, fits tables to the width, and lists doubtful
/// lines.
const NEEDLESS: [&str; 6] = ["-O", "--offline", "--no-offline", "--compact", "-d", "--debug"];

/// Translates arguments whose verb is a report of ccusage to those of `usage`; returns others unchanged.
pub(crate) fn translated(arguments: Vec<OsString>, verb: usize) -> Vec<OsString> {
    let Some(report) = REPORTS.iter().find(|report| arguments.get(verb).is_some_and(|typed| typed == *report)) else {
        return arguments;
    };
    let mut report = *report;
    let (before, after) = arguments.split_at(verb.min(arguments.len()));
    let mut rest: Vec<OsString> = Vec::new();
    for argument in after.iter().skip(1) {
        match argument.to_str() {
            Some(typed) if NEEDLESS.contains(&typed) => {}
            Some(typed) => match WORDS.iter().find(|(theirs, _)| *theirs == typed) {
                Some((_, ["project"])) => report = "project",
                Some((_, ours)) => rest.extend(ours.iter().map(OsString::from)),
                None => rest.push(argument.clone()),
            },
            None => rest.push(argument.clone()),
        }
    }
    before.iter().cloned().chain(["usage".into(), report.into()]).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(words: &str) -> String {
        let arguments = words.split(' ').map(OsString::from).collect();
        translated(arguments, 1).iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_letters_of_ccusage_keep_their_meaning() {
        assert_eq!(
            typed("recount daily -j -b -o desc -s 20260801"),
            "recount usage daily --json=ccusage --breakdown --order desc -s 20260801"
        );
        assert_eq!(
            typed("recount blocks -a -t max -n 5 -O"),
            "recount usage blocks --active --block-limit max --length 5"
        );
        assert_eq!(typed("recount blocks --recent"), "recount usage blocks --last 3d");
        assert_eq!(typed("recount daily --instances"), "recount usage project");
        assert_eq!(typed("recount ls -o out.txt"), "recount ls -o out.txt");
    }
}
