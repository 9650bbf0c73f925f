// The lexer that colours code, by the table of languages in `#languages`. It is the one of `src/highlight/lexer.rs`
// in another language: what is changed there has to be changed here.

const WORD = 1;
const DIGIT = 2;
const MARK = 4;
const SIGIL = 8;

const languages = readData("languages");
const compiled = new Map();

/** What is known about a language, ready for the lexer; `null` if there is nothing. */
function languageOf(name) {
  if (!Object.hasOwn(languages, name)) return null;
  if (!compiled.has(name)) compiled.set(name, compile(languages[name]));
  return compiled.get(name);
}

function compile(spec) {
  const { keywords = "", types = "", word = "", sigils = "" } = spec;
  const { lineComments = [], blockComments = [], strings = [] } = spec;
  const classes = new Uint8Array(128);
  const set = (letters, kind) => {
    for (const letter of letters) classes[letter.charCodeAt(0)] |= kind;
  };
  set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", WORD);
  set("0123456789", WORD | DIGIT);
  set(word, WORD);
  set(sigils, WORD | SIGIL);
  const marks = [...lineComments, ...blockComments.map(([open]) => open), ...strings.map(([open]) => open)];
  if (spec.heredoc) marks.push(spec.heredoc);
  set(marks.map((mark) => mark[0]), MARK);
  const words = new Map();
  for (const type of types.split(" ")) words.set(type, "type");
  for (const keyword of keywords.split(" ")) words.set(keyword, "keyword");
  return {
    ...spec,
    classes,
    words,
    lineComments,
    lineStarts: spec.lineStarts ?? [],
    blockComments: blockComments.map(([open, close, nested]) => ({ open, close, nested })),
    strings: strings.map(([open, close, escape, reach]) => ({ open, close, escape, reach })),
  };
}

/** Reads one piece of code, a line after the other. */
class Lexer {
  constructor(spec) {
    this.spec = spec;
    this.state = { in: "code" };
    this.awaited = null;
  }

  /** Reads the line of `text` from `start` to `end`, and tells of its parts: `tell(from, to, role)`. */
  line(text, start, end, tell) {
    Object.assign(this, { text, start, end, at: start, tell });
    if (this.state.in === "code") {
      const whole = this.spec.lineStarts.find(([mark]) => this.has(mark, start));
      if (whole) return tell(start, end, whole[1]);
    }
    while (this.at < end) {
      const { state } = this;
      if (state.in === "code") this.spec.markup ? this.markup() : this.code();
      else if (state.in === "tag") this.tag();
      else if (state.in === "comment") this.comment(state.block, state.depth, 0);
      else if (state.in === "string") this.string(state.quote, 0);
      else this.heredoc(state.word);
    }
    if (this.awaited) this.state = { in: "heredoc", word: this.awaited };
    this.awaited = null;
  }

  has(mark, at = this.at) {
    return at + mark.length <= this.end && this.text.startsWith(mark, at);
  }

  letter(at) {
    return at >= this.start && at < this.end ? this.text[at] : "";
  }

  class(at) {
    if (at < this.start || at >= this.end) return 0;
    const code = this.text.charCodeAt(at);
    return code < 128 ? this.spec.classes[code] : WORD;
  }

  /** Reads up to something that changes the state, or to the end of the line. */
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
    const { spec, at } = this;
    const block = spec.blockComments.find(({ open }) => this.has(open));
    if (block) {
      this.comment(block, 0, block.open.length);
      return true;
    }
    const before = this.letter(at - 1);
    const mayComment = !spec.commentAfterBlank || before === "" || before === " " || before === "\t";
    if (mayComment && spec.lineComments.some((mark) => this.has(mark))) {
      this.at = this.end;
      this.tell(at, this.end, "comment");
      return true;
    }
    const isApostrophe = spec.apostrophes && this.class(at - 1) & WORD;
    const quote = isApostrophe ? null : spec.strings.find(({ open }) => this.has(open));
    if (quote && (quote.reach !== "character" || this.isCharacter(quote))) {
      this.string(quote, quote.open.length);
      return true;
    }
    return spec.heredoc ? this.awaitHeredoc(spec.heredoc) : false;
  }

  /** Reads a comment from here; so many letters of it are its beginning. */
  comment(block, depth, skip) {
    const from = this.at;
    depth = Math.max(depth, 1);
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

  /** Reads a string from here; so many letters of it are its beginning. */
  string(quote, skip) {
    const from = this.at;
    this.at += skip;
    const around = { in: this.spec.markup ? "tag" : "code" };
    this.state = quote.reach === "lines" ? { in: "string", quote } : around;
    while (this.at < this.end) {
      if (this.has(quote.close)) {
        this.at += quote.close.length;
        this.state = around;
        break;
      }
      this.at = Math.min(this.end, this.at + (this.text[this.at] === quote.escape ? 2 : 1));
    }
    const isKey = this.spec.key && skip > 0 && this.has(this.spec.key, this.skipBlanks(/\s/));
    this.tell(from, this.at, isKey ? "key" : "string");
  }

  skipBlanks(blank) {
    let at = this.at;
    while (at < this.end && blank.test(this.text[at])) at++;
    return at;
  }

  /** Notes the word that ends a text of lines, if it is announced here: `<<EOF`, `<<-'EOF'`. */
  awaitHeredoc(mark) {
    // `<<<word` is a string, not a text.
    if (!this.has(mark) || this.letter(this.at - 1) === "<") return false;
    const rest = this.text.slice(this.at + mark.length, this.end);
    const [, dash, quote, word, close] = rest.match(/^([-~]?)(['"]?)(\w*)(['"]?)/);
    // `1 <<n` is something else.
    const isSure = dash || quote || /^[A-Z_]/.test(word);
    if (!word || !isSure || (quote && !close)) return false;
    const from = this.at;
    this.at += mark.length + dash.length + quote.length + word.length + (quote ? 1 : 0);
    this.tell(from, this.at, "string");
    this.awaited = word;
    return true;
  }

  heredoc(word) {
    if (this.text.slice(this.start, this.end).trim().replace(/[;),]+$/, "") === word) this.state = { in: "code" };
    this.at = this.end;
    this.tell(this.start, this.end, "string");
  }

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

  role(word, isSetApart, isAfterDot) {
    const { spec } = this;
    if (spec.key && this.isKey(spec.key)) return "key";
    const role = spec.words.get(spec.ignoreCase ? word.toLowerCase() : word);
    if (role && !isAfterDot) return role;
    const isCapital = spec.capitalTypes && /^[A-Z]($|.*[a-z])/s.test(word);
    return (isSetApart && word.length > 1) || isCapital ? "type" : null;
  }

  /** Whether what comes makes a key of the word before it. `http://` is no key. */
  isKey(mark) {
    const at = this.skipBlanks(/ /);
    if (!this.has(mark, at)) return false;
    const after = this.letter(at + 1);
    return mark !== ":" || after === "" || after === " " || after === "\t";
  }

  /** Whether there is a quoted character here. */
  isCharacter({ close, escape }) {
    const [, first, second, ...more] = this.text.slice(this.at, Math.min(this.end, this.at + 26));
    if (first && first === escape) return more.slice(0, 10).includes(close[0]);
    return Boolean(first) && first !== close[0] && second === close[0];
  }

  /** Reads a number: `42`, `0xff_u8`, `1.5e-3`, `10px`. */
  number() {
    const from = this.at;
    const isHexadecimal = /x/i.test(this.letter(from + 1));
    let previous = "";
    for (; this.at < this.end; this.at++) {
      const letter = this.text[this.at];
      const goesOn =
        letter === "."
          ? /^[0-9]$/.test(this.letter(this.at + 1))
          : letter === "+" || letter === "-"
            ? !isHexadecimal && (previous === "e" || previous === "E")
            : /^[0-9A-Za-z_]$/.test(letter);
      if (!goesOn) break;
      previous = letter;
    }
    this.tell(from, this.at, "number");
  }

  /** Reads text up to a tag or a comment. */
  markup() {
    const found = this.text.indexOf("<", this.at);
    if (found < 0 || found >= this.end) {
      this.at = this.end;
      return;
    }
    this.at = found;
    const block = this.spec.blockComments.find(({ open }) => this.has(open));
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
      const quote = this.spec.strings.find(({ open }) => this.has(open));
      if (quote) return this.string(quote, quote.open.length);
      const from = this.at++;
      if (!(this.class(from) & WORD)) continue;
      this.skipWord();
      this.tell(from, this.at, "key");
    }
  }
}
