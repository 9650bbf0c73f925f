//! The steps of a change, which can be shown before they are carried out.

use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{CommandError, Context as _};

use crate::terminal::clean;

/// Steps, in order.
#[derive(Debug, Default)]
pub(crate) struct Plan(Vec<Step>);

#[derive(Debug)]
pub(crate) enum Step {
    /// Writes a file.
    Write { path: PathBuf, text: String },
    /// Removes a file.
    Remove { path: PathBuf },
    /// Runs a program, with this on its standard input.
    Run { program: &'static str, arguments: Vec<String>, input: Option<String>, may_fail: bool },
    /// Changes a file that belongs to another program, and keeps a backup copy.
    Change { path: PathBuf, copy: PathBuf, text: String, what: String },
}

impl Step {
    /// Runs a program that must succeed.
    pub(crate) fn run(program: &'static str, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Self::Run { program, arguments, input: None, may_fail: false }
    }

    /// Runs a program that may fail, because what it stops may not be running.
    pub(crate) fn try_run(program: &'static str, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Self::Run { program, arguments, input: None, may_fail: true }
    }
}

impl Plan {
    pub(crate) fn of(steps: Vec<Step>) -> Self {
        Self(steps)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    pub(crate) fn run(self) -> Result<(), CommandError> {
        self.0.into_iter().try_for_each(Step::take)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "this will")?;
        self.0.iter().try_for_each(|step| step.fmt(f))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = |text: &str, f: &mut fmt::Formatter<'_>| {
            text.lines().try_for_each(|line| writeln!(f, "      {}", clean(line)))
        };
        let show = |path: &PathBuf| clean(&path.display().to_string()).into_owned();
        match self {
            Self::Write { path, text } => {
                writeln!(f, "  write {}", show(path))?;
                indent(text, f)
            }
            Self::Remove { path } => writeln!(f, "  remove {}", show(path)),
            Self::Run { program, arguments, input, .. } => {
                writeln!(f, "  run {program} {}", clean(&arguments.join(" ")))?;
                match input {
                    Some(input) => {
                        writeln!(f, "    with")?;
                        indent(input, f)
                    }
                    None => Ok(()),
                }
            }
            Self::Change { path, copy, what, .. } => {
                writeln!(f, "  change {}, and keep a copy as {}", show(path), show(copy))?;
                indent(what, f)
            }
        }
    }
}

impl Step {
    fn take(self) -> Result<(), CommandError> {
        match self {
            Self::Write { path, text } => {
                let folder = path.parent().unwrap_or(&path);
                fs::create_dir_all(folder).with_context(|| format!("cannot write {}", folder.display()))?;
                Ok(output::write(&path, text.as_bytes())?)
            }
            Self::Remove { path } => {
                fs::remove_file(&path).with_context(|| format!("cannot remove: {}", path.display()))
            }
            Self::Run { program, arguments, input, may_fail } => {
                let outcome = start(program, &arguments, input.as_deref());
                if may_fail { Ok(()) } else { outcome }
            }
            Self::Change { path, copy, text, .. } => change(&path, &copy, &text),
        }
    }
}

fn start(program: &str, arguments: &[String], input: Option<&str>) -> Result<(), CommandError> {
    let failed = || format!("cannot run: {program} {}", arguments.join(" "));
    let mut command = Command::new(program);
    command.args(arguments).stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().with_context(failed)?;
    if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
        stdin.write_all(input.as_bytes()).with_context(failed)?;
    }
    let output = child.wait_with_output().with_context(failed)?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(CommandError::io(format!("{}: {}", failed(), why.trim())));
    }
    Ok(())
}

/// Replaces a file when its new content is completely written, and keeps a copy of the old one.
fn change(path: &Path, copy: &Path, text: &str) -> Result<(), CommandError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot write {}", folder.display()))?;
    }
    if path.exists() {
        let before = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        // The copy has the permissions before it has the words.
        let make = || {
            let permissions = fs::metadata(path)?.permissions();
            fs::File::options().create(true).append(true).open(copy)?.set_permissions(permissions)
        };
        make().with_context(|| format!("cannot write {}", copy.display()))?;
        output::write(copy, &before)?;
    }
    Ok(output::write(path, text.as_bytes())?)
}
