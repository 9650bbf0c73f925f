// recount.archive-status/1, generated from the types in crates/wire: see docs/json/README.md.

/** The contents of an archive. */
export interface ArchiveStatus {
  /** The name and version of this document. */
  schema: "recount.archive-status/1";
  /** The folder of the archive. */
  archive: string;
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
  sessions: KeptSession[];
  /** Bytes that they occupy. */
  stored: number;
  /** Versions of files. */
  versions: number;
}

/** An archived file. */
export interface KeptFile {
  kind: string;
  path: string;
  versions: KeptVersion[];
}

/** An archived session. */
export interface KeptSession {
  /** Whether it is only in the archive. */
  deleted: boolean;
  files: KeptFile[];
  /** The machine that it comes from, if that is another one. */
  machine: string | null;
  session: string;
}

/** A version of an archived file. */
export interface KeptVersion {
  bytes: number;
  /** When it was first seen. */
  since: Moment;
  /** When it was last seen. */
  until: Moment;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;
