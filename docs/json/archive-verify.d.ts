// recount.archive-verify/1, generated from the types in crates/wire: see docs/json/README.md.

/** What is damaged in an archive. */
export interface ArchiveVerify {
  /** The name and version of this document. */
  schema: "recount.archive-verify/1";
  /** Bytes of all versions. */
  bytes: number;
  damages: Damage[];
  /** Files that were read. */
  files: number;
  /** Bytes left behind by a run that did not end. */
  unfinished: number;
  /** Versions of these. */
  versions: number;
}

/** A damaged place. */
export interface Damage {
  file: string;
  /** Whether something is lost: there may be another copy. */
  is_lost: boolean;
  lost: Loss[];
  offset: number;
  what: string;
}

/** What a damage destroyed. */
export interface Loss {
  path: string;
  session: string;
  versions: number[];
}
