// recount.search/2, generated from the types in crates/wire: see docs/json/README.md.

/** The results of a search. */
export interface Found {
  /** The name and version of this document. */
  schema: "recount.search/2";
  more: boolean;
  /** No entry contains all words; these contain some. */
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

/** The matches in a session. */
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
  title: string;
}

/** A matching entry. */
export interface Hit {
  /** Its URL on the server. */
  address: string | null;
  agent: FoundAgent | null;
  at: Moment | null;
  error: boolean;
  file: string;
  line: number;
  offset: number;
  role: string | null;
  /** The share of the search terms that it contains. */
  share: number;
  snippets: Snippet[];
  tools: string[];
  turn: number | null;
  type: string;
}

/** A moment: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** A text with the positions of its matches. */
export interface Snippet {
  cut_after: boolean;
  cut_before: boolean;
  in: string;
  marks: number[][];
  text: string;
}
