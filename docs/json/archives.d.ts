// recount.archives/2, generated from the types in crates/wire: see docs/json/README.md.

/** Archives. */
export interface Archives {
  /** The name and version of this document. */
  schema: "recount.archives/2";
  /** The archives. */
  archives: Archive[];
  /** Sessions that are gone from the disk and read from an archive. */
  only_archived: number;
}

/** An archive. */
export interface Archive {
  /** Why it cannot be read. */
  error: string | null;
  /** The folder. */
  folder: string;
  /** Its contents; `null` if it cannot be read. */
  held: Held | null;
}

/** Numbers, sizes and times of an archive. */
export interface Held {
  /** Bytes of all versions. */
  bytes: number;
  /** How many of these are only in the archive. */
  deleted: number;
  /** Files. */
  files: number;
  /** When something was last added. */
  last_change: Moment | null;
  /** When it was last updated. */
  last_run: Moment | null;
  /** Sessions. */
  session_count: number;
  /** Bytes that they occupy. */
  stored: number;
  /** Versions of files. */
  versions: number;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;
