//! Commits and pull requests: which of them a command makes, and what it prints about them.
//!
//! Only newer versions of Claude Code record them in `gitOperation`, and of several commits only the first. What
//! `git commit` and `gh pr create` print is in the results of all versions (docs/format E.2).

use format::tool::{GitCommit, GitOperation, PullRequest, ShellResult, ToolResult, TypedResult};

use super::command_line::{simple_commands, without_documents};
use super::phrase::word;
use crate::facts::CommitKind;
use crate::preview::{preview, shortened};
use crate::step::GitTerms;

/// A commit that a command made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MadeCommit {
    pub(crate) sha: Box<str>,
    pub(crate) kind: CommitKind,
    pub(crate) branch: Option<Box<str>>,
    pub(crate) subject: Box<str>,
}

/// The commits and pull requests that a command made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) commits: Vec<MadeCommit>,
    /// The addresses of pull requests.
    pub(crate) requests: Vec<Box<str>>,
}

/// The commits and pull requests that a command line makes.
pub(super) fn terms(line: &str) -> GitTerms {
    /// A line with more commands than this is unusual, and hostile ones are unbounded.
    const MOST: usize = 64;
    if !line.contains("git") && !line.contains("gh") {
        return GitTerms::default();
    }
    let line = without_documents(line);
    let commands = simple_commands(&line);
    let mut commits: Vec<CommitKind> = commands.iter().filter_map(|(_, words)| commit(words)).take(MOST).collect();
    let requests = commands.iter().filter(|(_, words)| is_request(words)).take(MOST).count();
    let is_loop = |words: &[&str]| words.first().is_some_and(|word| matches!(*word, "for" | "while" | "until"));
    let repeats = commands.iter().any(|(_, words)| is_loop(words));
    commits.shrink_to_fit();
    GitTerms { commits: commits.into(), requests: u8::try_from(requests).unwrap_or(u8::MAX), repeats }
}

/// The kind of commit that a simple command makes.
fn commit(words: &[&str]) -> Option<CommitKind> {
    let (program, mut rest) = words.split_first()?;
    if !is_program(program, "git") {
        return None;
    }
    // Options of git itself come before the command.
    while let [option, after @ ..] = rest
        && option.starts_with('-')
    {
        let has_value = matches!(*option, "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace");
        rest = if has_value { after.get(1..).unwrap_or_default() } else { after };
    }
    let (command, options) = rest.split_first()?;
    if options.contains(&"--dry-run") {
        return None;
    }
    match *command {
        "commit" if options.contains(&"--amend") => Some(CommitKind::Amended),
        "commit" => Some(CommitKind::Committed),
        "cherry-pick" => Some(CommitKind::CherryPicked),
        "revert" => Some(CommitKind::Reverted),
        _ => None,
    }
}

fn is_request(words: &[&str]) -> bool {
    match words {
        [program, "pr", "create" | "new", options @ ..] => {
            is_program(program, "gh") && !options.iter().any(|option| matches!(*option, "--dry-run" | "--web" | "-w"))
        }
        _ => false,
    }
}

fn is_program(word: &str, name: &str) -> bool {
    let file = word.rsplit(['/', '\\']).next().unwrap_or(word).trim_start_matches('(');
    file.strip_suffix(".exe").unwrap_or(file) == name
}

/// What a command made, according to its output and to the field of its result. Each is named once.
pub(crate) fn made(terms: &GitTerms, read: &TypedResult<'_>) -> Made {
    let mut made = Made::default();
    match &read.result {
        ToolResult::Bash(shell) | ToolResult::PowerShell(shell) => made.read_shell(terms, shell),
        // An earlier command of the line may have succeeded.
        ToolResult::Failed(failure) => made.read_output(terms, failure.text.as_str(), false),
        ToolResult::Persisted(output) => made.read_output(terms, output.preview, true),
        _ => {}
    }
    made
}

impl Made {
    fn read_shell(&mut self, terms: &GitTerms, shell: &ShellResult<'_>) {
        self.read_output(terms, word(shell.stdout), true);
        self.read_output(terms, word(shell.stderr), true);
        let Some(GitOperation { commit, pull_request, .. }) = shell.git_operation.as_deref() else { return };
        if let Some(commit) = commit {
            self.stated_commit(commit);
        }
        if let Some(request) = pull_request {
            self.stated_request(request);
        }
    }

    fn stated_commit(&mut self, stated: &GitCommit<'_>) {
        let sha = word(stated.sha);
        if sha.is_empty() {
            return;
        }
        let kind = match word(stated.kind) {
            "amended" => CommitKind::Amended,
            "cherry-picked" => CommitKind::CherryPicked,
            _ => CommitKind::Committed,
        };
        match self.commits.iter_mut().find(|commit| is_same(&commit.sha, sha)) {
            Some(commit) if kind != CommitKind::Committed => commit.kind = kind,
            Some(_) => {}
            None => {
                let branch = stated.branch.map(|branch| shortened(&branch, LONGEST_NAME));
                let commit = MadeCommit { sha: shortened(sha, LONGEST_NAME), kind, branch, subject: Box::default() };
                self.commits.push(commit);
            }
        }
    }

    fn stated_request(&mut self, stated: &PullRequest<'_>) {
        let url = word(stated.url);
        let is_new = word(stated.action) == "created" && !self.requests.iter().any(|known| **known == *url);
        if is_new && !url.is_empty() {
            self.requests.push(url.into());
        }
    }

    fn read_output(&mut self, terms: &GitTerms, output: &str, has_succeeded: bool) {
        let most = if terms.repeats { usize::MAX } else { terms.commits.len() };
        if !terms.commits.is_empty() {
            for line in output.lines() {
                if self.commits.len() >= most {
                    break;
                }
                let kind = terms.commits.get(self.commits.len()).or(terms.commits.last()).copied().unwrap_or_default();
                let Some(commit) = printed_commit(line, kind) else { continue };
                if !self.commits.iter().any(|known| is_same(&known.sha, &commit.sha)) {
                    self.commits.push(commit);
                }
            }
        }
        // A request that exists already is named by an error.
        if terms.requests > 0 && has_succeeded {
            let most = if terms.repeats { usize::MAX } else { terms.requests.into() };
            let urls: Vec<&str> = output.lines().map(str::trim).filter(|line| request_name(line).is_some()).collect();
            for url in urls {
                if self.requests.len() < most && !self.requests.iter().any(|known| **known == *url) {
                    self.requests.push(url.into());
                }
            }
        }
    }
}

/// Names of branches and commits come from transcripts.
const LONGEST_NAME: usize = 200;

/// The commit in a line such as `[main 6ddd049] fix`, `[main (root-commit) 6ddd049] fix` or `[detached HEAD 6ddd049] fix`.
fn printed_commit(line: &str, kind: CommitKind) -> Option<MadeCommit> {
    let (inside, subject) = line.trim_end().strip_prefix('[')?.split_once("] ")?;
    let (place, sha) = inside.rsplit_once(' ')?;
    let is_sha = (7..=64).contains(&sha.len()) && sha.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    // The remarks are translated, the words are not separated otherwise.
    let branch = place.split_once(" (").filter(|(_, rest)| rest.ends_with(')')).map_or(place, |(branch, _)| branch);
    let is_detached = branch.contains(' ') && branch.split(' ').any(|word| word == "HEAD");
    if !is_sha || branch.is_empty() || branch.len() > LONGEST_NAME || branch.contains(' ') && !is_detached {
        return None;
    }
    let branch = (!is_detached).then(|| branch.into());
    Some(MadeCommit { sha: sha.into(), kind, branch, subject: preview(subject) })
}

/// The name of a pull request, by its address: `acme/shop#7`.
pub(crate) fn request_name(url: &str) -> Option<String> {
    const LONGEST: usize = 500;
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).filter(|_| url.len() <= LONGEST)?;
    match rest.split('/').collect::<Vec<_>>().as_slice() {
        [host, owner, repository, "pull", number] => {
            let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let are_names = [host, owner, repository].iter().all(|name| {
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
            });
            (is_number && are_names).then(|| format!("{owner}/{repository}#{number}"))
        }
        _ => None,
    }
}

/// Whether two names are of the same commit: git shortens them.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(line: &str) -> Vec<CommitKind> {
        terms(line).commits.to_vec()
    }

    #[test]
    fn only_commands_that_commit_make_commits() {
        use CommitKind::{Amended, CherryPicked, Committed, Reverted};
        let cases: &[(&str, &[CommitKind])] = &[
            ("git commit -m x", &[Committed]),
            ("git add -A && git commit -m 'a; b' && git push", &[Committed]),
            ("cd beds; /usr/bin/git -C . -c user.name=x --no-pager commit --amend --no-edit", &[Amended]),
            ("git commit -m \"$(cat <<'EOF'\nfix\n\ngit commit\nEOF\n)\"\ngit log -1", &[Committed]),
            ("git commit -m a && git commit -m b", &[Committed, Committed]),
            ("git cherry-pick 6ddd049; git revert HEAD", &[CherryPicked, Reverted]),
            ("if ! git diff --quiet; then git commit -am x; fi", &[Committed]),
            ("(cd beds && git commit -m x)", &[Committed]),
            ("git log --oneline -3", &[]),
            ("git commit --dry-run", &[]),
            ("echo 'git commit -m x'", &[]),
            ("cat <<EOF > notes\ngit commit -m x\nEOF", &[]),
            ("git commit-tree HEAD", &[]),
            ("rg 'git commit' docs", &[]),
            ("", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(kinds(line), *expected, "{line}");
        }
    }

    #[test]
    fn only_gh_pr_create_makes_pull_requests() {
        let cases = [
            ("gh pr create --fill", 1),
            ("git push && gh pr create --title x --body \"$(cat <<'EOF'\ny\nEOF\n)\"", 1),
            ("gh pr view --json url", 0),
            ("gh pr comment 7 --body x", 0),
            ("gh pr create --dry-run", 0),
            ("echo gh pr create", 0),
        ];
        for (line, expected) in cases {
            assert_eq!(terms(line).requests, expected, "{line}");
        }
    }

    #[test]
    fn what_git_prints_about_a_commit_is_recognised() {
        let read = |line| printed_commit(line, CommitKind::Committed).map(|it| (it.branch, it.sha, it.subject));
        let made = |branch: Option<&str>, sha: &str, subject: &str| {
            Some((branch.map(Box::from), Box::from(sha), Box::from(subject)))
        };
        assert_eq!(read("[main 6ddd049] Plant [beans]"), made(Some("main"), "6ddd049", "Plant [beans]"));
        assert_eq!(read("[main (root-commit) 6ddd049] Dig"), made(Some("main"), "6ddd049", "Dig"));
        assert_eq!(read("[main (Root-Commit) 6ddd049] Dig\r"), made(Some("main"), "6ddd049", "Dig"));
        assert_eq!(read("[detached HEAD 6ddd0491] Dig"), made(None, "6ddd0491", "Dig"));
        assert_eq!(read("[losgelöster HEAD 6ddd0491] Dig"), made(None, "6ddd0491", "Dig"));
        for line in [
            "6ddd049 Plant",
            "    [main 6ddd049] in a message",
            "[main] 6ddd049",
            "[main 6ddd04] too short",
            "[main 6DDD049] not a name",
            "[a b 6ddd049] no branch",
            "[ 6ddd049] no branch",
            "[entire] Pushing session logs",
            "[2026-03-01 12345678]",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn the_address_of_a_pull_request_names_it() {
        assert_eq!(request_name("https://github.com/acme/shop/pull/7").as_deref(), Some("acme/shop#7"));
        assert_eq!(request_name("https://git.example.org/acme/my.shop/pull/12").as_deref(), Some("acme/my.shop#12"));
        for url in [
            "https://github.com/acme/shop/pull/new/branch",
            "https://github.com/acme/shop/pull/7#issuecomment-1",
            "https://github.com/acme/shop/pull/",
            "see https://github.com/acme/shop/pull/7",
            "https://github.com/acme/shop/issues/7",
        ] {
            assert_eq!(request_name(url), None, "{url}");
        }
    }
}
