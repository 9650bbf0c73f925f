//! `recount archive verify`: reads the whole archive and reports damage.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use ::archive::verify::{Damage, Loss, What};
use ::archive::{Archive, is_archive, verify};
use app::App;
use wire::JsonLayout;
use wire::archive::ArchiveVerifyOut;

use super::archive_location::ArchiveLocation;
use crate::failure::{self, CommandError};
use crate::flags::JsonFlag;
use crate::terminal::{clean, plural};

/// Read the whole archive and report damage
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Verify {
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    place: ArchiveLocation,
}

const EXAMPLES: &str = "\
Exit codes: 0 no damage; 1 something is damaged; 2 wrong usage, or there is no archive, or it
cannot be read.

Examples:
  recount archive verify
  recount archive --compare              store damaged files again if they still exist";

impl Verify {
    pub(super) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let folder = self.place.folder(app)?;
        let archive = Archive::open(&folder)?;
        if !is_archive(&folder) {
            let error = CommandError::io(format!("not an archive: {}", folder.display()));
            return Err(error.hint("`recount archive` creates one; --archive names another folder"));
        }
        let progress = app.progress(archive.stored());
        let before = AtomicU64::new(0);
        let verified = verify(&folder, &|bytes| {
            progress.add(bytes.saturating_sub(before.swap(bytes, Ordering::Relaxed)));
        });
        drop(progress);
        let verified = verified?;
        if self.json.json {
            wire::write(&mut anstream::stdout(), &ArchiveVerifyOut::of(&verified, describe), JsonLayout::Pretty)?;
        } else {
            verified.damages.iter().for_each(say);
            let read = format!(
                "{} in {} read",
                plural(verified.versions, "version", "versions"),
                plural(verified.files, "file", "files")
            );
            let found = match verified.damages.len() as u64 {
                0 => "all in order".to_owned(),
                number => plural(number, "place is damaged", "places are damaged"),
            };
            anstream::println!("{read}, {}: {found}", human::bytes(verified.bytes));
            if verified.unfinished > 0 {
                let rest = human::bytes(verified.unfinished);
                anstream::println!("{rest} are left of a run that did not finish; the next run removes them");
            }
        }
        Ok(ExitCode::from(if verified.damages.is_empty() { 0 } else { failure::FOUND_FAULT }))
    }
}

fn describe(what: What) -> String {
    match what {
        What::Checksum => "does not match its checksum".to_owned(),
        What::Missing => "is missing".to_owned(),
        What::Gone => "refers to bytes that were damaged before a session was forgotten".to_owned(),
        What::Recovered => "does not match its checksum; there is another copy, nothing is lost".to_owned(),
        What::Commits { from, to } if from == to => format!("commit {from} is lost"),
        What::Commits { from, to } => format!("commits {from} to {to} are lost"),
    }
}

fn say(damage: &Damage) {
    let Damage { file, offset, what, lost } = damage;
    anstream::println!("{} at byte {offset}: {}", clean(&file.display().to_string()), describe(*what));
    for Loss { path, session, versions } in lost {
        let numbers: Vec<_> = versions.iter().map(ToString::to_string).collect();
        let session = if session.is_empty() { String::new() } else { format!(", session {}", clean(session)) };
        let path = path.display().to_string();
        anstream::println!("  lost bytes: {}, version {}{session}", clean(&path), numbers.join(", "));
    }
}
