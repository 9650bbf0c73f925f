//! Records a run of a program.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use format::Scratch;
use jiff::Timestamp;

use crate::error::RecordError;
use crate::event::{Event, Outcome};
use crate::line::{Around, Stream};
use crate::meter::Meter;
use crate::name::{Ids, Name};
use crate::store::{VERSION, sync_folder};
use crate::tail;

/// A run to record: its owner, and what is known about it beforehand.
#[derive(Debug, Clone)]
pub struct Run {
    pub(crate) workspace: Name,
    pub(crate) agent: Name,
    pub(crate) conversation: Option<Name>,
    must_be_new: bool,
    pub(crate) workspace_path: Option<PathBuf>,
    pub(crate) fsync: Fsync,
    command: Vec<String>,
    cwd: Option<String>,
    title: Option<String>,
    tags: Vec<String>,
    imported_from: Option<String>,
}

impl Run {
    /// A run of an agent in a workspace, in a conversation of its own.
    pub fn new(workspace: &str, agent: &str) -> Result<Self, RecordError> {
        Ok(Self {
            workspace: Name::new(workspace)?,
            agent: Name::new(agent)?,
            conversation: None,
            must_be_new: false,
            workspace_path: None,
            fsync: Fsync::default(),
            command: Vec::new(),
            cwd: None,
            title: None,
            tags: Vec::new(),
            imported_from: None,
        })
    }

    /// Records into this conversation, and continues it if it exists.
    pub fn in_conversation(mut self, name: &str) -> Result<Self, RecordError> {
        self.conversation = Some(Name::new(name)?);
        Ok(self)
    }

    /// Records into this conversation, which must not exist yet: otherwise starting fails with [`RecordError::Exists`].
    pub fn in_new_conversation(mut self, name: &str) -> Result<Self, RecordError> {
        self.must_be_new = true;
        self.in_conversation(name)
    }

    /// The folder of the workspace.
    #[must_use]
    pub fn workspace_path(mut self, path: &Path) -> Self {
        self.workspace_path = Some(path.to_path_buf());
        self
    }

    /// The program with its arguments, and its working directory.
    #[must_use]
    pub fn command(mut self, command: Vec<String>, cwd: Option<String>) -> Self {
        (self.command, self.cwd) = (command, cwd);
        self
    }

    /// The title of the conversation, and tags for finding it.
    #[must_use]
    pub fn about(mut self, title: Option<String>, tags: Vec<String>) -> Self {
        (self.title, self.tags) = (title, tags);
        self
    }

    /// The file that the lines come from, if they were recorded elsewhere.
    #[must_use]
    pub fn imported_from(mut self, file: String) -> Self {
        self.imported_from = Some(file);
        self
    }

    /// When records are synced to disk.
    #[must_use]
    pub fn fsync(mut self, fsync: Fsync) -> Self {
        self.fsync = fsync;
        self
    }
}

/// When records are synced to disk. In all modes, killing the process loses nothing that a [`Recorder`] has accepted:
/// the system already has it, and syncing only protects against power loss. A [`CaptureWriter`] also accepts lines that
/// wait to be written, which are lost with its process; only [`Hand::take_and_wait`] returns after they are written.
///
/// [`CaptureWriter`]: crate::CaptureWriter
/// [`Hand::take_and_wait`]: crate::capture_writer::Hand::take_and_wait
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fsync {
    /// After every record.
    Always,
    /// After this interval.
    Interval(Duration),
    /// When the system decides.
    Never,
}

impl Default for Fsync {
    fn default() -> Self {
        Self::Interval(Duration::from_secs(1))
    }
}

/// Records a run, line by line.
///
/// A line that cannot be written gives an error, is counted, and leaves the file unchanged; the next record that
/// succeeds is preceded by the number of missing ones.
#[derive(Debug)]
pub struct Recorder {
    file: File,
    path: PathBuf,
    run: Run,
    conversation: Name,
    ids: Ids,
    meter: Meter,
    scratch: Scratch,
    buffer: Vec<u8>,
    /// Where the last complete record ends.
    length: u64,
    /// Whether partial bytes may follow it.
    is_torn: bool,
    /// Missing records that the file does not mention yet.
    unsaid: Lost,
    /// All missing records.
    lost: Lost,
    is_synced: bool,
    last_sync: Instant,
    torn_aside: Option<PathBuf>,
}

/// Lines that could not be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lost {
    /// How many.
    pub records: u64,
    /// How many bytes they had.
    pub bytes: u64,
}

impl Lost {
    pub(crate) fn add(&mut self, bytes: usize) {
        self.records += 1;
        self.bytes += bytes as u64;
    }

    fn join(&mut self, other: Self) {
        self.records += other.records;
        self.bytes += other.bytes;
    }
}

impl Recorder {
    pub(crate) fn begin(folder: &Path, run: Run) -> Result<Self, RecordError> {
        let now = Timestamp::now();
        let is_new = run.must_be_new || run.conversation.is_none();
        let (conversation, path, file) = match &run.conversation {
            Some(name) => {
                let path = path_of(folder, name);
                match private::options().read(true).append(true).create(true).create_new(run.must_be_new).open(&path) {
                    Ok(file) => (name.clone(), path, file),
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        return Err(RecordError::Exists { name: name.to_string() });
                    }
                    Err(error) => return Err(RecordError::disk("open", &path)(error)),
                }
            }
            None => make_new(folder, now)?,
        };
        lock(&file, &conversation, &path)?;
        let begun = Self::begin_in(file, path.clone(), conversation, folder, run, now);
        if begun.is_err() && is_new {
            // It is empty.
            let _ = fs::remove_file(path);
        }
        begun
    }

    fn begin_in(
        mut file: File,
        path: PathBuf,
        conversation: Name,
        folder: &Path,
        run: Run,
        now: Timestamp,
    ) -> Result<Self, RecordError> {
        let torn_aside = tail::mend(&mut file, &path).map_err(RecordError::disk("repair", &path))?;
        let length = file.metadata().map_err(RecordError::disk("read", &path))?.len();
        if run.fsync != Fsync::Never {
            sync_folder(folder).map_err(RecordError::disk("sync", folder))?;
        }
        let start = Event::Start {
            version: VERSION,
            command: run.command.clone(),
            cwd: run.cwd.clone(),
            title: run.title.clone(),
            tags: run.tags.clone(),
            imported_from: run.imported_from.clone(),
        };
        let mut recorder = Self {
            file,
            path,
            run,
            conversation,
            ids: Ids::new(),
            meter: Meter::default(),
            scratch: Scratch::default(),
            buffer: Vec::new(),
            length,
            is_torn: false,
            unsaid: Lost::default(),
            lost: Lost::default(),
            is_synced: true,
            last_sync: Instant::now(),
            torn_aside,
        };
        recorder.event(&start, now)?;
        Ok(recorder)
    }

    /// The conversation.
    pub fn conversation(&self) -> &Name {
        &self.conversation
    }

    /// The file that it is written to.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that the torn end was moved to, if there was one.
    pub fn torn_aside(&self) -> Option<&Path> {
        self.torn_aside.as_deref()
    }

    /// What could not be written.
    pub fn lost(&self) -> Lost {
        self.lost
    }

    /// Records a line that has just been completed, with its line feed if it has one.
    pub fn push(&mut self, stream: Stream, line: &[u8]) -> Result<(), RecordError> {
        self.push_at(stream, line, Timestamp::now())
    }

    /// Records a line that was completed at a given time.
    pub fn push_at(&mut self, stream: Stream, line: &[u8], at: Timestamp) -> Result<(), RecordError> {
        self.push_all(stream, [line], at)
    }

    /// Records lines that were completed at the same time: all of them, or none.
    pub fn push_all<'l>(
        &mut self,
        stream: Stream,
        lines: impl IntoIterator<Item = &'l [u8]>,
        at: Timestamp,
    ) -> Result<(), RecordError> {
        let Self { ids, conversation, run, meter, scratch, buffer, .. } = self;
        buffer.clear();
        let mut pushed = Lost::default();
        for line in lines {
            pushed.add(line.len());
            let id = ids.next(at);
            let around = Around { id: &id, conversation, agent: &run.agent, at };
            let read = |message: &[u8]| {
                let is_answer = stream == Stream::Output;
                let reading = is_answer.then(|| meter.read(message, scratch)).flatten().unwrap_or_default();
                (reading.cost, reading.duration_ms)
            };
            around.line(stream, line, read, buffer);
        }
        if pushed.records == 0 {
            return Ok(());
        }
        let done = self.write(at);
        if done.is_err() {
            self.unsaid.join(pushed);
            self.lost.join(pushed);
        }
        done
    }

    /// Waits until all records are on the disk.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        if !self.is_synced {
            self.file.sync_data().map_err(RecordError::disk("sync", &self.path))?;
            self.is_synced = true;
        }
        self.last_sync = Instant::now();
        Ok(())
    }

    /// The same, if it is due. Call this from time to time while nothing is pushed.
    pub fn flush_if_due(&mut self) -> Result<(), RecordError> {
        match self.run.fsync {
            Fsync::Interval(time) if !self.is_synced && self.last_sync.elapsed() >= time => self.flush(),
            Fsync::Always | Fsync::Interval(_) | Fsync::Never => Ok(()),
        }
    }

    /// Records how the run ended, and waits until everything is on the disk, unless syncing is off.
    pub fn close(mut self, outcome: Outcome) -> Result<(), RecordError> {
        self.event(&Event::End(outcome), Timestamp::now())?;
        if self.run.fsync == Fsync::Never { Ok(()) } else { self.flush() }
    }

    fn event(&mut self, event: &Event, at: Timestamp) -> Result<(), RecordError> {
        let Self { ids, conversation, run, buffer, .. } = self;
        buffer.clear();
        let id = ids.next(at);
        Around { id: &id, conversation, agent: &run.agent, at }.event(event, buffer);
        self.write(at)
    }

    /// Writes the record in the buffer with one call.
    fn write(&mut self, at: Timestamp) -> Result<(), RecordError> {
        if self.is_torn {
            self.file.set_len(self.length).map_err(RecordError::disk("truncate", &self.path))?;
            self.is_torn = false;
        }
        if self.unsaid != Lost::default() {
            let Lost { records, bytes } = self.unsaid;
            let id = self.ids.next(at);
            let around = Around { id: &id, conversation: &self.conversation, agent: &self.run.agent, at };
            let record = std::mem::take(&mut self.buffer);
            around.event(&Event::Lost { records, bytes }, &mut self.buffer);
            self.buffer.extend_from_slice(&record);
        }
        let length = self.buffer.len() as u64;
        if let Err(error) = self.file.write_all(&self.buffer) {
            self.is_torn = self.file.set_len(self.length).is_err();
            return Err(RecordError::disk("write", &self.path)(error));
        }
        (self.length, self.is_synced, self.unsaid) = (self.length + length, false, Lost::default());
        match self.run.fsync {
            Fsync::Always => self.flush(),
            Fsync::Interval(_) | Fsync::Never => self.flush_if_due(),
        }
    }
}

/// Locks a conversation for this process.
///
/// After a process was killed, a program that it was about to start may hold the lock a moment longer.
fn lock(file: &File, conversation: &Name, path: &Path) -> Result<(), RecordError> {
    const TRIES: u32 = 30;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
            Err(TryLockError::Error(error)) => return Err(RecordError::disk("lock", path)(error)),
        }
    }
    Err(RecordError::Busy { name: conversation.to_string() })
}

fn path_of(folder: &Path, conversation: &Name) -> PathBuf {
    folder.join(format!("{conversation}.jsonl"))
}

/// A new conversation with a unique name.
fn make_new(folder: &Path, now: Timestamp) -> Result<(Name, PathBuf, File), RecordError> {
    loop {
        let name = Name::of_moment(now);
        let path = path_of(folder, &name);
        match private::options().read(true).append(true).create_new(true).open(&path) {
            Ok(file) => return Ok((name, path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(RecordError::disk("create", &path)(error)),
        }
    }
}
