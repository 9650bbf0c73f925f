//! `recount archive export`: writes the whole archive to one tar file.

use std::fs;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ::archive::{Archive, Kept};
use app::App;
use output::NewFile;
use sources::kept::other_machine;
use sources::machine;

use super::archive_location::ArchiveLocation;
use super::restore::older;
use super::tar;
use crate::failure::{self, CommandError};
use crate::flags::OutputFlag;
use crate::terminal::plural;

/// Export all archived files to one tar file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Export {
    #[command(flatten)]
    output: OutputFlag,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    place: ArchiveLocation,
}

const EXAMPLES: &str = "\
Files keep their absolute paths without the leading slash; files of other machines are in a folder
named after the machine. Older versions are beside the latest, as NAME.version-1 and so on.
Without -o, or with `-o -`, the tar file goes to standard output.

Exit codes: 0 all exported; 1 nothing to export; 2 wrong usage, or something cannot be read or
written.

Examples:
  recount archive export -o sessions.tar
  recount archive export | zstd > sessions.tar.zst";

impl Export {
    pub(super) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let archive = Archive::open(&self.place.folder(app)?)?;
        if archive.files().next().is_none() {
            return Err(CommandError::nothing("nothing is archived yet").hint("`recount archive` creates an archive"));
        }
        let to_file = self.output.output.filter(|path| path.as_os_str() != "-");
        let Some(path) = to_file else {
            let mut out = io::stdout().lock();
            if out.is_terminal() {
                let error = CommandError::usage("refusing to write a tar file to a terminal");
                return Err(error.hint("name a file with -o FILE"));
            }
            let written = write(app, &archive, &mut BufWriter::new(&mut out))?;
            return Ok(code(&written));
        };
        if path.exists() && !self.force {
            let what = format!("this file already exists: {}", path.display());
            return Err(CommandError::io(what).hint("name another one, or replace it with --force"));
        }
        let mut out = NewFile::create(&path)?;
        let written = write(app, &archive, &mut out)?;
        out.finish()?;
        let length = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        let files = plural(written.files, "file", "files");
        anstream::println!(
            "{}: {files}, {}",
            crate::terminal::clean(&path.display().to_string()),
            human::bytes(length)
        );
        Ok(code(&written))
    }
}

struct Written {
    files: u64,
    failed: u64,
}

fn code(written: &Written) -> ExitCode {
    ExitCode::from(if written.failed > 0 { failure::USAGE_OR_IO } else { 0 })
}

/// Writes all files. Damaged files are skipped and reported; a write error stops the export.
fn write(app: &App, archive: &Archive, out: &mut impl Write) -> io::Result<Written> {
    let versions = || archive.files().flat_map(|file| &file.versions);
    let progress = app.progress(versions().map(|version| version.length).sum());
    let mut written = Written { files: 0, failed: 0 };
    let here = machine::known();
    for file in archive.files() {
        let latest = file.versions.len().saturating_sub(1);
        for (number, version) in file.versions.iter().enumerate() {
            let full = path_of(file, here.as_deref());
            let name = if number == latest { full } else { older(&full, number + 1) };
            let mut content = archive.read(file, version);
            match whole(&mut content) {
                Ok(()) => {
                    let header = tar::Header { path: &name, length: version.length, modified: version.modified() };
                    tar::append(out, &header, &mut content)?;
                    written.files += 1;
                }
                Err(error) => {
                    written.failed += 1;
                    let hint = "`recount archive verify` lists all damage; the rest is exported";
                    failure::say(&format!("left out: {}: {error}", name.display()), &[hint.to_owned()]);
                }
            }
            progress.add(version.length);
        }
    }
    tar::finish(out)?;
    out.flush()?;
    Ok(written)
}

/// Returns the path of a file in the tar file. Files of another machine are in its own folder, since their paths may
/// collide.
fn path_of(file: &Kept, here: Option<&str>) -> PathBuf {
    let full = file.name.full();
    match other_machine(file, here) {
        Some(machine) => Path::new(machine).join(full.strip_prefix("/").unwrap_or(&full)),
        None => full,
    }
}

/// Reads the content once before it is written, since a half-written member would corrupt the tar file.
fn whole(content: &mut ::archive::Content) -> io::Result<()> {
    use std::io::Seek as _;
    io::copy(content, &mut io::sink())?;
    content.rewind()
}
