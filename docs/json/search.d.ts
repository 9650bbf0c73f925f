// recount.search/2, generated from the types in crates/wire: see docs/json/README.md.

/** What a search found. */
export interface Found {
  /** The name and version of this document. */
  schema: "recount.search/2";
  more: boolean;
  /** Nothing has all words; these have some. */
  partial: boolean;
  query: string;
  sessions: FoundIn[];
}

/** The subagent in whose file it is. */
export interface FoundAgent {
  description: string | null;
  id: string;
  type: string | null;
}

/** What was found in a session. */
export interface FoundIn {
  branch: string | null;
  file: string;
  first: Moment | null;
  hits: Hit[];
  last: Moment | null;
  matches: number;
  more: boolean;
  project: string | null;
  session: string;
  title: string | null;
}

/** An entry that was found. */
export interface Hit {
  /** Where the server shows it. */
  address: string | null;
  agent: FoundAgent | null;
  at: Moment | null;
  error: boolean;
  file: string;
  line: number;
  offset: number;
  role: string | null;
  /** How much of what was looked for it has. */
  share: number;
  snippets: Snippet[];
  tools: string[];
  turn: number | null;
  type: string;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** Where in a text it is. */
export interface Snippet {
  cut_after: boolean;
  cut_before: boolean;
  in: string;
  marks: number[][];
  text: string;
}
