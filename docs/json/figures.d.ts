// recount.figures/1, generated from the types in crates/wire: see docs/json/README.md.

/** Figures of usage. */
export interface Figures {
  /** The name and version of this document. */
  schema: "recount.figures/1";
  /** By day. */
  days: Day[];
  /** By model. */
  models: Named[];
  /** By project. */
  projects: Named[];
  /** By tool; estimated. */
  tools: ToolUse[];
  /** All of it. */
  totals: Used;
  /** Files that could not be read. */
  unread_files: number;
}

/** A day. */
export interface Day {
  /** Only a first count of tokens was recorded for some of it. */
  cost_is_at_least: boolean;
  /** Some of it has no known price. */
  cost_is_partial: boolean;
  /** The cost in US dollars, without usage of unknown price. */
  cost_usd: number;
  /** The day. */
  day: string;
  /** By model. */
  models: Named[];
  /** Tokens of all kinds. */
  tokens: number;
}

/** A model or a project. */
export interface Named {
  /** Only a first count of tokens was recorded for some of it. */
  cost_is_at_least: boolean;
  /** Some of it has no known price. */
  cost_is_partial: boolean;
  /** The cost in US dollars, without usage of unknown price. */
  cost_usd: number;
  /** Its name. */
  name: string;
  /** Tokens of all kinds. */
  tokens: number;
}

/** The estimated usage of a tool; without a name, of the conversation itself. */
export interface ToolUse {
  /** Calls. */
  calls: number;
  /** Their cost in US dollars. */
  cost_usd: number;
  /** Tokens. */
  tokens: number;
  /** Its name. */
  tool: string | null;
}

/** Tokens and cost. */
export interface Used {
  /** Only a first count of tokens was recorded for some of it. */
  cost_is_at_least: boolean;
  /** Some of it has no known price. */
  cost_is_partial: boolean;
  /** The cost in US dollars, without usage of unknown price. */
  cost_usd: number;
  /** Tokens of all kinds. */
  tokens: number;
}
