// recount.diff/2, generated from the types in crates/wire: see docs/json/README.md.

/** The changes of a session to files. */
export interface Changes {
  /** The name and version of this document. */
  schema: "recount.diff/2";
  added: number;
  changes_on_branches: number;
  files: ChangedFile[];
  project: string | null;
  removed: number;
  session: string;
  shell_commands: number;
  since_turn: number | null;
  title: string;
}

export interface ChangedFile {
  absolute_path: string;
  added: number;
  calls: number;
  complete: boolean;
  first_turn: number;
  last_turn: number;
  outside_project: boolean;
  patches: Patch[];
  path: string;
  removed: number;
  unplaced: Replacement[];
}

export interface ChangedLine {
  change: string;
  no_newline: boolean;
  text: string;
}

export interface Hunk {
  lines: ChangedLine[];
  new_start: number;
  old_start: number;
}

export interface Patch {
  base: string;
  hunks: Hunk[];
  indentation_guessed: boolean;
}

export interface Replacement {
  new: string;
  old: string;
}
