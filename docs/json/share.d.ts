// recount.share/1, generated from the types in crates/wire: see docs/json/README.md.

/** The report about a session that is shared. */
export interface Share {
  /** The name and version of this document. */
  schema: "recount.share/1";
  /** The files that were written, the session's own first; none while a finding is undecided. */
  files: string[];
  findings: Finding[];
  /** Lines that could not be read and are left out. */
  left_out: LeftOut[];
  /** Why files of the session could not be read; they are left out. */
  problems: string[];
  /** The version of the rules. */
  rules_version: number;
}

/** Something that was found, however often it occurs. */
export interface Finding {
  category: string;
  certainty: string;
  decision: string;
  /** How often a rule found it. */
  found: number;
  /** The first places where it was found. */
  places: Place[];
  /** Its beginning and end, as far as they give nothing away. */
  preview: string;
  /** How often it was replaced, also where only its value tells it. */
  replaced: number;
  /** The text in its place; null if it was kept or is undecided. */
  replacement: string | null;
  /** The rule that found it. */
  rule: string;
}

/** A line that was left out. */
export interface LeftOut {
  /** Its size. */
  bytes: number;
  /** The file. */
  file: string;
  /** The line, from 1. */
  line: number;
}

/** A place in a session. */
export interface Place {
  /** The field: `message.content[0].text`. */
  field: string;
  /** The file. */
  file: string;
  /** The line, from 1; 0 if it is not in a line. */
  line: number;
}
