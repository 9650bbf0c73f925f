// The lexer that colours code, driven by the table of languages that `crates/styled/src/highlight/export.rs` writes. It
// is a port of `lexer.rs` beside it; a test holds the two equal (crates/browser/tests/scripts/lexer.rs).

/**
 * A language of the table. Empty and false fields are left out.
 *
 * @typedef {object} LanguageSpec
 * @property {string} [keywords]
 * @property {string} [types]
 * @property {boolean} [ignoreCase]
 * @property {boolean} [capitalTypes]
 * @property {string} [word]
 * @property {string} [sigils]
 * @property {string[]} [lineComments]
 * @property {boolean} [commentAfterBlank]
 * @property {[open: string, close: string, nested: boolean][]} [blockComments]
 * @property {[open: string, close: string, escape: string | null, reach: string][]} [strings]
 * @property {boolean} [apostrophes]
 * @property {string | null} [heredoc]
 * @property {string | null} [key]
 * @property {[start: string, role: string][]} [lineStarts]
 * @property {boolean} [markup]
 */

/** @typedef {{ open: string, close: string, nested: boolean }} Block */
/** @typedef {{ open: string, close: string, escape: string | null, reach: string }} Quote */

/**
 * The state at the next character.
 *
 * @typedef {{ in: "code" } | { in: "tag" } | { in: "comment", block: Block, depth: number }
 *   | { in: "string", quote: Quote } | { in: "heredoc", word: string }} LexerState
 */

/** @typedef {ReturnType<typeof compileLanguage>} Language */

/** Receives a part of a line that has a role. @typedef {(from: number, to: number, role: string) => void} TokenSink */

const WORD = 1;
const DIGIT = 2;
const MARK = 4;
const SIGIL = 8;

/**
 * A language, ready for the lexer.
 *
 * @param {LanguageSpec} spec
 */
export function compileLanguage(spec) {
  const { keywords = "", types = "", word = "", sigils = "" } = spec;
  const { lineComments = [], blockComments = [], strings = [], lineStarts = [] } = spec;
  const { heredoc = null, key = null } = spec;
  const classes = new Uint8Array(128);
  const set = (/** @type {string} */ letters, /** @type {number} */ kind) => {
    for (const letter of letters) classes[letter.charCodeAt(0)] = (classes[letter.charCodeAt(0)] ?? 0) | kind;
  };
  set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", WORD);
  set("0123456789", WORD | DIGIT);
  set(word, WORD);
  set(sigils, WORD | SIGIL);
  const marks = [...lineComments, ...[...blockComments, ...strings].map(([open]) => open), heredoc ?? ""];
  for (const mark of marks) set(mark.slice(0, 1), MARK);
  /** @type {Map<string, string>} */
  const words = new Map();
  for (const type of types.split(" ")) words.set(type, "type");
  for (const keyword of keywords.split(" ")) words.set(keyword, "keyword");
  return {
    classes,
    words,
    ignoreCase: spec.ignoreCase ?? false,
    capitalTypes: spec.capitalTypes ?? false,
    lineComments,
    commentAfterBlank: spec.commentAfterBlank ?? false,
    blockComments: blockComments.map(([open, close, nested]) => ({ open, close, nested })),
    strings: strings.map(([open, close, escape, reach]) => ({ open, close, escape, reach })),
    apostrophes: spec.apostrophes ?? false,
    heredoc,
    key,
    lineStarts,
    markup: spec.markup ?? false,
  };
}

/** Reads one piece of code, a line after the other. */
export class Lexer {
  /** @param {Language} language */
  constructor(language) {
    this.language = language;
    /** @type {LexerState} */
    this.state = { in: "code" };
    /**
     * The word that ends the heredoc which begins on the next line.
     * @type {string | null}
     */
    this.awaited = null;
    this.text = "";
    this.start = 0;
    this.end = 0;
    this.at = 0;
    /** @type {TokenSink} */
    this.tell = () => {};
  }

  /**
   * Reads the line of `text` from `start` to `end`, and reports its tokens.
   *
   * @param {string} text
   * @param {number} start
   * @param {number} end
   * @param {TokenSink} tell
   */
  line(text, start, end, tell) {
    Object.assign(this, { text, start, end, at: start, tell });
    const { language } = this;
    if (this.state.in === "code") {
      const whole = language.lineStarts.find(([mark]) => this.has(mark, start));
      if (whole) return tell(start, end, whole[1]);
    }
    while (this.at < end) {
      const { state } = this;
      if (state.in === "code" && language.markup) this.markup();
      else if (state.in === "code") this.code();
      else if (state.in === "tag") this.tag();
      else if (state.in === "comment") this.comment(state.block, state.depth, 0);
      else if (state.in === "string") this.string(state.quote, 0);
      else this.heredoc(state.word);
    }
    if (this.awaited) this.state = { in: "heredoc", word: this.awaited };
    this.awaited = null;
  }

  /** @param {string} mark */
  has(mark, at = this.at) {
    return at + mark.length <= this.end && this.text.startsWith(mark, at);
  }

  /** @param {number} at */
  letter(at) {
    return at >= this.start && at < this.end ? this.text.charAt(at) : "";
  }

  /** @param {number} at */
  class(at) {
    if (at < this.start || at >= this.end) return 0;
    return this.language.classes[this.text.charCodeAt(at)] ?? WORD;
  }

  /** Reads up to a change of state, or to the end of the line. */
  code() {
    while (this.at < this.end) {
      const kind = this.class(this.at);
      if (kind & MARK && this.mark()) return;
      if (kind & DIGIT) this.number();
      else if (kind & WORD) this.word(Boolean(kind & SIGIL));
      else this.at++;
    }
  }

  /** Reads a comment or a string if one begins here. */
  mark() {
    const { language, at } = this;
    const block = language.blockComments.find(({ open }) => this.has(open));
    if (block) {
      this.comment(block, 0, block.open.length);
      return true;
    }
    const before = this.letter(at - 1);
    const mayComment = !language.commentAfterBlank || before === "" || before === " " || before === "\t";
    if (mayComment && language.lineComments.some((mark) => this.has(mark))) {
      this.at = this.end;
      this.tell(at, this.end, "comment");
      return true;
    }
    const isApostrophe = language.apostrophes && this.class(at - 1) & WORD;
    const quote = isApostrophe ? null : language.strings.find(({ open }) => this.has(open));
    if (quote && (quote.reach !== "character" || this.isCharacter(quote))) {
      this.string(quote, quote.open.length);
      return true;
    }
    return language.heredoc ? this.awaitHeredoc(language.heredoc) : false;
  }

  /**
   * Reads a comment from here; `skip` is the length of its opening.
   *
   * @param {Block} block
   * @param {number} outer how deep it is nested already
   * @param {number} skip
   */
  comment(block, outer, skip) {
    const from = this.at;
    let depth = Math.max(outer, 1);
    this.at += skip;
    while (this.at < this.end) {
      if (this.has(block.close)) {
        this.at += block.close.length;
        if (--depth === 0) break;
      } else if (block.nested && this.has(block.open)) {
        this.at += block.open.length;
        depth++;
      } else {
        this.at++;
      }
    }
    this.state = depth === 0 ? { in: "code" } : { in: "comment", block, depth };
    this.tell(from, this.at, "comment");
  }

  /**
   * Reads a string from here; `skip` is the length of its opening.
   *
   * @param {Quote} quote
   * @param {number} skip
   */
  string(quote, skip) {
    const { key, markup } = this.language;
    const from = this.at;
    this.at += skip;
    /** @type {LexerState} */
    const around = { in: markup ? "tag" : "code" };
    this.state = quote.reach === "lines" ? { in: "string", quote } : around;
    while (this.at < this.end) {
      if (this.has(quote.close)) {
        this.at += quote.close.length;
        this.state = around;
        break;
      }
      this.at = Math.min(this.end, this.at + (this.text[this.at] === quote.escape ? 2 : 1));
    }
    const isKey = key !== null && skip > 0 && this.has(key, this.skipBlanks(/\s/));
    this.tell(from, this.at, isKey ? "key" : "string");
  }

  /** @param {RegExp} blank */
  skipBlanks(blank) {
    let { at } = this;
    while (at < this.end && blank.test(this.text.charAt(at))) at++;
    return at;
  }

  /**
   * Records the word that ends a heredoc, if one is announced here: `<<EOF`, `<<-'EOF'`.
   *
   * @param {string} mark
   */
  awaitHeredoc(mark) {
    // `<<<word` is a here-string, not a heredoc.
    if (!this.has(mark) || this.letter(this.at - 1) === "<") return false;
    const rest = this.text.slice(this.at + mark.length, this.end);
    const [, dash = "", quote = "", word = "", close = ""] = rest.match(/^([-~]?)(['"]?)(\w*)(['"]?)/) ?? [];
    // `1 <<n` is a shift.
    const isSure = dash || quote || /^[A-Z_]/.test(word);
    if (!word || !isSure || (quote && !close)) return false;
    const from = this.at;
    this.at += mark.length + dash.length + quote.length + word.length + (quote ? 1 : 0);
    this.tell(from, this.at, "string");
    this.awaited = word;
    return true;
  }

  /** @param {string} word */
  heredoc(word) {
    const line = this.text.slice(this.start, this.end);
    if (line.trim().replace(/[;),]+$/, "") === word) this.state = { in: "code" };
    this.at = this.end;
    this.tell(this.start, this.end, "string");
  }

  /** @param {boolean} isSetApart */
  word(isSetApart) {
    const from = this.at;
    const isAfterDot = this.letter(from - 1) === ".";
    this.at++;
    this.skipWord();
    const role = this.role(this.text.slice(from, this.at), isSetApart, isAfterDot);
    if (role) this.tell(from, this.at, role);
  }

  skipWord() {
    while (this.class(this.at) & WORD) this.at++;
  }

  /**
   * @param {string} word
   * @param {boolean} isSetApart
   * @param {boolean} isAfterDot
   */
  role(word, isSetApart, isAfterDot) {
    const { language } = this;
    if (language.key && this.isKey(language.key)) return "key";
    // Only ASCII: the table has nothing else, and a Kelvin sign is not a k.
    const key = language.ignoreCase ? word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : word;
    const role = language.words.get(key);
    if (role && !isAfterDot) return role;
    const isCapital = language.capitalTypes && /^[A-Z]($|.*[a-z])/s.test(word);
    return (isSetApart && word.length > 1) || isCapital ? "type" : null;
  }

  /**
   * Whether the following characters make the word before them a key. `http://` is not a key.
   *
   * @param {string} mark
   */
  isKey(mark) {
    const at = this.skipBlanks(/ /);
    if (!this.has(mark, at)) return false;
    const after = this.letter(at + 1);
    return mark !== ":" || after === "" || after === " " || after === "\t";
  }

  /**
   * Whether there is a quoted character here.
   *
   * @param {Quote} quote
   */
  isCharacter({ close, escape }) {
    const [, first, second, ...more] = this.text.slice(this.at, Math.min(this.end, this.at + 26));
    if (first && first === escape) return more.slice(0, 10).includes(close.charAt(0));
    return Boolean(first) && first !== close[0] && second === close[0];
  }

  /** Reads a number: `42`, `0xff_u8`, `1.5e-3`, `10px`. */
  number() {
    const from = this.at;
    const isHexadecimal = /x/i.test(this.letter(from + 1));
    let previous = "";
    for (; this.at < this.end; this.at++) {
      const letter = this.text.charAt(this.at);
      if (!this.continuesNumber(letter, previous, isHexadecimal)) break;
      previous = letter;
    }
    this.tell(from, this.at, "number");
  }

  /**
   * @param {string} letter
   * @param {string} previous
   * @param {boolean} isHexadecimal
   */
  continuesNumber(letter, previous, isHexadecimal) {
    if (letter === ".") return /^[0-9]$/.test(this.letter(this.at + 1));
    if (letter === "+" || letter === "-") return !isHexadecimal && (previous === "e" || previous === "E");
    return /^[0-9A-Za-z_]$/.test(letter);
  }

  /** Reads text up to a tag or a comment. */
  markup() {
    const found = this.text.indexOf("<", this.at);
    if (found < 0 || found >= this.end) {
      this.at = this.end;
      return;
    }
    this.at = found;
    const block = this.language.blockComments.find(({ open }) => this.has(open));
    if (block) return this.comment(block, 0, block.open.length);
    this.at++;
    if (/[/!?]/.test(this.letter(this.at))) this.at++;
    const from = this.at;
    this.skipWord();
    if (this.at === from) return;
    this.tell(from, this.at, "keyword");
    this.state = { in: "tag" };
  }

  /** Reads the attributes of a tag up to its end, or to a string. */
  tag() {
    while (this.at < this.end) {
      if (this.letter(this.at) === ">") {
        this.at++;
        this.state = { in: "code" };
        return;
      }
      const quote = this.language.strings.find(({ open }) => this.has(open));
      if (quote) return this.string(quote, quote.open.length);
      const from = this.at++;
      if (!(this.class(from) & WORD)) continue;
      this.skipWord();
      this.tell(from, this.at, "key");
    }
  }
}

/**
 * Reads a whole text.
 *
 * @param {Language} language
 * @param {string} text
 * @param {TokenSink} tell
 */
export function lexText(language, text, tell) {
  const lexer = new Lexer(language);
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    lexer.line(text, start, end, tell);
    start = end + 1;
  }
}
