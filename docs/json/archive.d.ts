// recount.archive/1, generated from the types in crates/wire: see docs/json/README.md.

/** The result of a run. */
export interface Archived {
  /** The name and version of this document. */
  schema: "recount.archive/1";
  /** The folder of the archive. */
  archive: string;
  /** Bytes that are new. */
  bytes: number;
  /** Files that were checked. */
  files: number;
  /** Files that have grown. */
  grown: number;
  /** Files that are new. */
  new: number;
  /** Files that were rewritten. */
  replaced: number;
  /** New bytes that the archive already had under another name. */
  shared: number;
  /** Bytes that they occupy in the archive. */
  stored: number;
}
