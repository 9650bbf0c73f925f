// recount.archive-verify/1, generated from the types in crates/wire: see docs/json/README.md.

/** The damage in an archive. */
export interface ArchiveVerify {
  /** The name and version of this document. */
  schema: "recount.archive-verify/1";
  /** Bytes of all versions. */
  bytes: number;
  damages: Damage[];
  /** Files that were read. */
  files: number;
  /** Bytes left behind by a run that did not finish. */
  unfinished: number;
  /** Versions of these files. */
  versions: number;
}

/** A damaged place. */
export interface Damage {
  file: string;
  /** Whether data is lost; there may be another copy. */
  is_lost: boolean;
  lost: Loss[];
  offset: number;
  what: string;
}

/** The data lost to damage. */
export interface Loss {
  path: string;
  session: string;
  versions: number[];
}
