// recount.search-count/1, generated from the types in crates/wire: see docs/json/README.md.

/** The number of matches of a search. */
export interface Count {
  /** The name and version of this document. */
  schema: "recount.search-count/1";
  entries: number;
  query: string;
  sessions: number;
}
