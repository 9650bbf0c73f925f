// recount.file/1, generated from the types in crates/wire: see docs/json/README.md.

/** The history of the files that a path matches. */
export interface Files {
  /** The name and version of this document. */
  schema: "recount.file/1";
  files: File[];
  path: string;
}

export interface Change {
  lines: string[];
  new_start: number | null;
  old_start: number | null;
}

export interface File {
  more: boolean;
  path: string;
  sessions: FileSession[];
}

export interface FileSession {
  file: string;
  last: Moment | null;
  project: string | null;
  session: string;
  title: string;
  touches: Touch[];
}

/** The subagent in whose file it is. */
export interface FoundAgent {
  description: string | null;
  id: string;
  type: string | null;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

export interface Touch {
  added: number;
  agent: FoundAgent | null;
  at: Moment | null;
  failed: boolean;
  file: string;
  line: number;
  patch: Change[];
  removed: number;
  touch: string;
  turn: number | null;
}
