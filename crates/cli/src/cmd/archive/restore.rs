//! `recount archive restore`: writes the archived files of a session.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::failure::{CommandError, Context as _};
use ::archive::{Archive, Kept, Version};
use app::App;
use output::Folder;
use reader::find_session;
use sources::keep::kind;
use sources::kept::{KeptSession, kept_sessions};
use sources::naming::split_name;
use sources::{FileKey, Root, SourceKind, machine};

use super::archive_location::ArchiveLocation;
use crate::failure;
use crate::flags::{self, OutputFlag};
use crate::terminal::{clean, plural};

/// Restore the files of a session from the archive
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Restore {
    /// Session as `ls` lists it: an id or the beginning of one, `last`, `last~1`, or words of its title
    #[arg(value_name = "SESSION", value_parser = flags::session_word())]
    session: String,
    #[command(flatten)]
    output: OutputFlag,
    /// Also restore older versions beside the latest, as NAME.version-1 and so on
    #[arg(long, alias = "all")]
    versions: bool,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    place: ArchiveLocation,
}

const EXAMPLES: &str = "\
Files are written below the folder given with -o, or the working directory, with the paths they had
below the config root. restore writes to a config root only if -o names it, and overwrites
existing files only with --force. A link below that folder is not followed.

Exit codes: 0 restored; 1 no such session; 2 wrong usage, or something cannot be read or written.

Examples:
  recount archive restore 4c1e -o old/ && recount show last --root old/
  recount archive restore 4c1e -o ~/.claude";

impl Restore {
    pub(super) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let folder = self.place.folder(app)?;
        let archive = Archive::open(&folder)?;
        let all = kept_sessions(&archive);
        let files = match find(&all, &self.session) {
            Ok(session) => session.files.clone(),
            Err(hints) => find_as_listed(app, &archive, &all, &self.session, hints)?,
        };
        let output = self.output.output.clone().unwrap_or_else(|| PathBuf::from("."));
        let in_root = is_in_root(app, &output);
        if in_root && self.output.output.is_none() {
            let what = "the working directory is in a config root, which is only written to if you name it";
            return Err(CommandError::usage(what).hint("name a folder with -o"));
        }
        let jobs = self.jobs(&files);
        let to = Folder::create(&output).with_context(|| format!("cannot write: {}", output.display()))?;
        for job in &jobs {
            let shown = || output.join(&job.to).display().to_string();
            if to.is_taken(&job.to).map_err(|error| refused(&shown(), &error))? && !self.force {
                let message = format!("this file already exists: {}", shown());
                return Err(CommandError::io(message).hint("name another folder with -o, or replace it with --force"));
            }
        }
        let mut failed = false;
        for job in &jobs {
            // Claude Code deletes files by age, so a file that goes back to a config root gets a new modification time.
            let modified = (!in_root).then(|| job.version.modified());
            let shown = output.join(&job.to).display().to_string();
            match write(&archive, job, &to, modified) {
                Ok(()) => anstream::println!("{}", clean(&shown)),
                Err(error) => {
                    failed = true;
                    let what = format!("cannot restore: {shown}: {error}");
                    failure::say(&what, &["`recount archive verify` lists the damage".to_owned()]);
                }
            }
        }
        Ok(ExitCode::from(if failed { failure::USAGE_OR_IO } else { 0 }))
    }

    fn jobs<'a>(&self, files: &[&'a Kept]) -> Vec<Job<'a>> {
        let mut jobs = Vec::new();
        for file in files.iter().copied() {
            let to = file.name.path.clone();
            let latest = file.versions.len().saturating_sub(1);
            for (number, version) in file.versions.iter().enumerate() {
                if number == latest {
                    jobs.push(Job { file, version, to: to.clone() });
                } else if self.versions {
                    jobs.push(Job { file, version, to: older(&to, number + 1) });
                }
            }
        }
        jobs
    }
}

/// A file to write.
struct Job<'a> {
    file: &'a Kept,
    version: &'a Version,
    /// Below the output folder.
    to: PathBuf,
}

/// Returns the name of an older version beside the latest.
pub(super) fn older(path: &Path, number: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".version-{number}"));
    PathBuf::from(name)
}

/// The error for a file that cannot be placed in the output folder.
fn refused(shown: &str, error: &io::Error) -> CommandError {
    let failed = CommandError::io(format!("cannot restore: {shown}: {error}"));
    let is_link = error.kind() == io::ErrorKind::InvalidInput;
    failed.maybe_hint(is_link.then_some("restore to another folder with -o, and move the files to their place"))
}

/// Finds the one session with this id or id prefix. The error holds hints.
fn find<'s, 'a>(all: &'s [KeptSession<'a>], name: &str) -> Result<&'s KeptSession<'a>, Vec<String>> {
    /// Number of candidates listed in a hint.
    const SHOWN: usize = 8;
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    let exact: Vec<_> = all.iter().filter(|session| session.id == name || session.id == stem).collect();
    if let [exact] = exact.as_slice() {
        return Ok(exact);
    }
    let (id, mark) = split_name(name);
    let has_mark = |session: &&KeptSession<'_>| match (mark, split_name(&session.name)) {
        (Some(mark), (_, Some(of_session))) => of_session.starts_with(mark),
        (Some(_), (_, None)) => false,
        (None, _) => true,
    };
    let fitting: Vec<_> = all.iter().filter(|session| session.id.starts_with(id)).filter(has_mark).collect();
    match fitting.as_slice() {
        [one] if !name.is_empty() => Ok(one),
        [] => Err(vec![format!("looked at the ids of {}", plural(all.len() as u64, "session", "sessions"))]),
        several => {
            let ids: Vec<_> = several.iter().take(SHOWN).map(|session| session.name.as_str()).collect();
            let more = several.len().saturating_sub(SHOWN);
            let mut hints = vec!["several ids begin with this, give more of the id:".to_owned()];
            hints.extend(ids.iter().map(ToString::to_string));
            hints.extend((more > 0).then(|| format!("and {more} more")));
            Err(hints)
        }
    }
}

/// Finds the files of a session by any other name by which it is listed: an id with a mark, the id of an agent, `last`,
/// words of its title. `hints` belong to the error if there is none.
fn find_as_listed<'a>(
    app: &App,
    archive: &'a Archive,
    all: &[KeptSession<'a>],
    name: &str,
    hints: Vec<String>,
) -> Result<Vec<&'a Kept>, CommandError> {
    let unknown = || {
        let error = CommandError::nothing(format!("no such session in the archive: {name}"));
        hints.into_iter().fold(error, CommandError::hint)
    };
    let mut roots = app.roots().to_vec();
    if !roots.iter().any(|root| root.path == archive.folder()) {
        roots.push(Root { path: archive.folder().to_path_buf(), named: true });
    }
    let Ok(session) = find_session(name, &roots) else { return Err(unknown()) };
    if session.kind == SourceKind::Prompts {
        let error = CommandError::nothing(format!("only its prompts are left, as lines of history.jsonl: {name}"));
        return Err(error.hint("`recount cat` prints these lines"));
    }
    let sources = std::iter::once(&session).chain(&session.strays);
    let files: Vec<&Kept> = sources.filter_map(|source| kept_at(archive, &source.input.key()?)).collect();
    let Some(first) = files.first().copied() else { return Err(unknown()) };
    // Two homes may have sessions with the same id, and here one of them is meant.
    let is_same = |file: &&Kept| file.name.session == first.name.session && file.name.origin == first.name.origin;
    let of_session = all.iter().filter(|session| session.id == &*first.name.session).flat_map(|session| &session.files);
    let mut of_session: Vec<&Kept> = of_session.copied().filter(is_same).collect();
    // Nor may two folders of one home.
    let is_other = |file: &&Kept| {
        &*file.name.kind == kind(SourceKind::Transcript) && files.iter().all(|meant| meant.name != file.name)
    };
    let others: Vec<PathBuf> = of_session.iter().copied().filter(is_other).map(|file| file.name.full()).collect();
    of_session.retain(|file| {
        let path = file.name.full();
        others.iter().all(|other| path != *other && !path.starts_with(other.with_extension("")))
    });
    // An agent whose session is not known is alone.
    Ok(if of_session.is_empty() { files } else { of_session })
}

/// The archived file with this key, as seen from this machine.
fn kept_at<'a>(archive: &'a Archive, key: &FileKey) -> Option<&'a Kept> {
    let is_here = key.tenant.is_empty() && key.machine.is_empty();
    let own = machine::known().filter(|_| is_here).map(|machine| FileKey { machine, ..key.clone() });
    own.and_then(|own| archive.file(&own)).or_else(|| archive.file(key))
}

/// Returns whether a folder is a config root or inside one.
fn is_in_root(app: &App, folder: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path)).ok();
    let Some(folder) = real(folder) else { return false };
    app.roots().iter().filter_map(|root| real(&root.path)).any(|root| folder.starts_with(root))
}

/// Writes a file below a folder as a whole.
fn write(archive: &Archive, job: &Job<'_>, to: &Folder, modified: Option<std::time::SystemTime>) -> io::Result<()> {
    let mut file = to.begin(&job.to)?;
    io::copy(&mut archive.read(job.file, job.version), &mut file)?;
    file.flush()?;
    // As Claude Code creates them.
    #[cfg(unix)]
    file.file().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    if let Some(modified) = modified {
        file.file().set_modified(modified)?;
    }
    file.file().sync_all()?;
    file.finish()?.place()
}
