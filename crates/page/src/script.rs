//! Links the modules of a script into one text.
//!
//! Scripts are plain ES modules (`assets/script/`), and are checked as such. But a page embeds its script, its policy
//! allows exactly that script by its hash, and browsers load no modules from `file:` URLs. So the modules that an entry
//! needs are concatenated, in the order in which a browser would evaluate them, without `import` and `export`. Comments
//! and indentation are removed, too.
//!
//! The result is the same program because the linker enforces these rules:
//! - An import names exports of another module: `import { a, b } from "./other.js";`, or nothing: `import "./x.js";`.
//!   Modules of the same folder are `./name.js`, all others `folder/name.js`.
//! - An export is a declaration: `export const a = …`, `let`, `function`, `class`.
//! - No two modules of a script declare the same name. None of these names is one of the browser's, which a test checks
//!   in a browser (`crates/browser/tests/scripts/names.rs`): it would hide that global from other modules.
//! - No template literal spans several lines, so that every line begins as code.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        &[$(Module { name: $name, source: include_str!(concat!("../assets/script/", $name)) }),*]
    };
}

/// The modules of pages and lists of sessions. Those in `core/` are shared by all scripts, also of other crates.
pub const MODULES: &[Module<'static>] = modules![
    "core/ask.js",
    "core/dom.js",
    "core/human.js",
    "core/keys.js",
    "core/memory.js",
    "core/pace.js",
    "core/theme.js",
    "core/times.js",
    "core/words.js",
    "index/index.js",
    "page/address.js",
    "page/chunks.js",
    "page/code.js",
    "page/copy.js",
    "page/escapes.js",
    "page/folds.js",
    "page/follow.js",
    "page/growth.js",
    "page/images.js",
    "page/keys.js",
    "page/lexer.js",
    "page/looks.js",
    "page/page.js",
    "page/parts.js",
    "page/places.js",
    "page/player.js",
    "page/search.js",
    "page/server.js",
    "page/start.js",
    "page/text.js",
    "page/timeline.js",
    "page/times.js",
    "page/view.js",
];

/// A module.
#[derive(Debug, Clone, Copy)]
pub struct Module<'m> {
    /// Its name, with its folder: `core/dom.js`.
    pub name: &'m str,
    /// Its source text.
    pub source: &'m str,
}

/// A linked script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linked<'m> {
    /// The script.
    pub text: String,
    /// The names that it declares at its top level.
    pub names: Vec<&'m str>,
    /// Those that the entry exports.
    pub exports: Vec<&'m str>,
}

/// Why modules cannot be linked: the module, the line, and the error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkError {
    module: String,
    line: usize,
    problem: String,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.module, self.line, self.problem)
    }
}

impl std::error::Error for LinkError {}

/// Links a module with all modules that it needs.
///
/// ```
/// use page::script::{Module, link};
///
/// let a = Module { name: "x/a.js", source: "import { b } from \"./b.js\";\nconsole.log(b);\n" };
/// let b = Module { name: "x/b.js", source: "/** Why. */\nexport const b = 1;\n" };
/// assert_eq!(link("x/a.js", &[a, b]).unwrap().text, "const b = 1;\nconsole.log(b);\n");
/// ```
pub fn link<'m>(entry: &str, modules: &[Module<'m>]) -> Result<Linked<'m>, LinkError> {
    let mut linker = Linker { modules, reached: FxHashMap::default(), seen: FxHashSet::default(), order: Vec::new() };
    let missing = || error(Module { name: entry, source: "" }, 1, "there is no such module");
    linker.reach(linker.find(entry).ok_or_else(missing)?)?;
    linker.check_imports()?;
    linker.check_names()?;
    let parts: Vec<&Parsed<'m>> = linker.order.iter().filter_map(|name| linker.reached.get(name)).collect();
    let exports = parts.last().map_or(&[][..], |entry| &entry.declared).iter().filter(|name| name.is_exported);
    Ok(Linked {
        text: parts.iter().map(|part| part.code.as_str()).collect(),
        names: parts.iter().flat_map(|part| &part.declared).map(|declared| declared.name).collect(),
        exports: exports.map(|declared| declared.name).collect(),
    })
}

/// The script of a page, or one that reports why it cannot be linked. Tests ensure that it can.
pub fn link_or_complain(entry: &str, modules: &[Module<'_>]) -> String {
    let complain = |error: LinkError| format!("throw new Error({});\n", serde_json::Value::from(error.to_string()));
    link(entry, modules).map_or_else(complain, |linked| linked.text)
}

struct Linker<'a, 'm> {
    modules: &'a [Module<'m>],
    reached: FxHashMap<&'m str, Parsed<'m>>,
    seen: FxHashSet<&'m str>,
    /// Imported modules come before those that import them, except for cycles.
    order: Vec<&'m str>,
}

impl<'m> Linker<'_, 'm> {
    fn find(&self, name: &str) -> Option<Module<'m>> {
        self.modules.iter().find(|module| module.name == name).copied()
    }

    fn reach(&mut self, module: Module<'m>) -> Result<(), LinkError> {
        if !self.seen.insert(module.name) {
            return Ok(());
        }
        let parsed = Parsed::new(module)?;
        for import in &parsed.imports {
            let missing = || error(module, import.line, format!("there is no module {}", import.from));
            self.reach(self.find(&import.from).ok_or_else(missing)?)?;
        }
        self.order.push(module.name);
        self.reached.insert(module.name, parsed);
        Ok(())
    }

    fn check_imports(&self) -> Result<(), LinkError> {
        for parsed in self.order.iter().filter_map(|name| self.reached.get(name)) {
            for import in &parsed.imports {
                let exports = |name: &str| {
                    let from = self.reached.get(import.from.as_str());
                    from.is_some_and(|from| from.declared.iter().any(|one| one.is_exported && one.name == name))
                };
                if let Some(name) = import.names.iter().find(|name| !exports(name)) {
                    let problem = format!("{} does not export {name}", import.from);
                    return Err(error(parsed.module, import.line, problem));
                }
            }
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), LinkError> {
        let mut owners: FxHashMap<&str, &str> = FxHashMap::default();
        for parsed in self.order.iter().filter_map(|name| self.reached.get(name)) {
            for declared in &parsed.declared {
                if let Some(owner) = owners.insert(declared.name, parsed.module.name) {
                    let problem = format!("{owner} declares {}, too", declared.name);
                    return Err(error(parsed.module, declared.line, problem));
                }
            }
        }
        Ok(())
    }
}

/// A module without its imports and exports.
struct Parsed<'m> {
    module: Module<'m>,
    imports: Vec<Import>,
    declared: Vec<Declared<'m>>,
    code: String,
}

struct Import {
    line: usize,
    /// The name of the module.
    from: String,
    names: Vec<String>,
}

struct Declared<'m> {
    line: usize,
    name: &'m str,
    is_exported: bool,
}

fn error(module: Module<'_>, line: usize, problem: impl Into<String>) -> LinkError {
    LinkError { module: module.name.to_owned(), line, problem: problem.into() }
}

impl<'m> Parsed<'m> {
    fn new(module: Module<'m>) -> Result<Self, LinkError> {
        let code = String::with_capacity(module.source.len());
        let mut parsed = Self { module, imports: Vec::new(), declared: Vec::new(), code };
        let mut in_comment = false;
        let mut statement = String::new();
        for (number, line) in (1..).zip(module.source.lines()) {
            let is_top_level = !in_comment && !line.starts_with(char::is_whitespace);
            let code = without_comments(line, &mut in_comment);
            if code.matches('`').count() % 2 == 1 {
                return Err(error(module, number, "a template literal must end on its line"));
            }
            // An import may span several lines.
            if !statement.is_empty() || (is_top_level && code.starts_with("import ")) {
                statement.push_str(&code);
                if code.ends_with(';') {
                    let import = import(module, number, &std::mem::take(&mut statement))?;
                    parsed.imports.push(import);
                }
                continue;
            }
            let code = if is_top_level { parsed.declare(number, line, &code)? } else { &code };
            if !code.is_empty() {
                parsed.code.push_str(code);
                parsed.code.push('\n');
            }
        }
        Ok(parsed)
    }

    /// Records the declarations of a top-level line, and returns the line without its `export`.
    fn declare<'c>(&mut self, number: usize, line: &'m str, code: &'c str) -> Result<&'c str, LinkError> {
        const KEYWORDS: [&str; 6] = ["const ", "let ", "function ", "function* ", "async function ", "class "];
        let exported = code.strip_prefix("export ");
        let declares = |text: &'m str| KEYWORDS.iter().find_map(|keyword| text.strip_prefix(keyword));
        let Some(rest) = declares(line.strip_prefix("export ").unwrap_or(line)) else {
            return match exported {
                Some(_) => Err(error(self.module, number, "only a declaration can be exported")),
                None => Ok(code),
            };
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
        let name = rest.split(|c| !is_name(c)).next().unwrap_or_default();
        if name.is_empty() {
            return Err(error(self.module, number, "the top level declares one name at a time"));
        }
        self.declared.push(Declared { line: number, name, is_exported: exported.is_some() });
        Ok(exported.unwrap_or(code))
    }
}

/// A line without its indentation and its comments: `//` on a line of its own, `/** … */` anywhere.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let mut code = String::with_capacity(line.len());
    let mut rest = line.trim();
    if rest.starts_with("//") && !*in_comment {
        return code;
    }
    loop {
        if *in_comment {
            let Some((_, after)) = rest.split_once("*/") else { return code };
            *in_comment = false;
            rest = after.trim_start();
        }
        let Some((before, after)) = rest.split_once("/**") else {
            code.push_str(rest);
            return code;
        };
        code.push_str(before);
        rest = after;
        *in_comment = true;
    }
}

fn import(module: Module<'_>, line: usize, statement: &str) -> Result<Import, LinkError> {
    let understood = || {
        let rest = statement.strip_prefix("import ")?.strip_suffix("\";")?;
        let (names, from) = match rest.strip_prefix('"') {
            Some(from) => ("", from),
            None => rest.strip_prefix('{')?.split_once("} from \"")?,
        };
        let names: Vec<String> =
            names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(Into::into).collect();
        let is_plain = names.iter().all(|name| !name.contains(char::is_whitespace));
        let folder = module.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let from = from.strip_prefix("./").map_or_else(|| from.to_owned(), |name| format!("{folder}/{name}"));
        is_plain.then_some(Import { line, from, names })
    };
    understood().ok_or_else(|| error(module, line, "an import looks like this: import { a, b } from \"./other.js\";"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn linked(sources: &[(&'static str, &'static str)]) -> Result<String, String> {
        let modules: Vec<Module<'_>> = sources.iter().map(|&(name, source)| Module { name, source }).collect();
        link(modules[0].name, &modules).map(|linked| linked.text).map_err(|error| error.to_string())
    }

    #[test]
    fn modules_come_after_what_they_import() {
        let text = linked(&[
            (
                "x/main.js",
                "import { b } from \"./b.js\";\nimport {\n  c,\n} from \"core/c.js\";\nimport \"./d.js\";\nb(c);\n",
            ),
            ("x/b.js", "import { c } from \"core/c.js\";\n\nexport function b(d) {\n  // Why.\n  return c + d;\n}\n"),
            ("core/c.js", "/**\n * It is one.\n *\n * @type {number}\n */\nexport const c = 1;\n"),
            ("x/d.js", "const e = [/** @type {number} */ (2)];\n"),
        ]);
        assert_eq!(text.unwrap(), "const c = 1;\nfunction b(d) {\nreturn c + d;\n}\nconst e = [(2)];\nb(c);\n");
    }

    /// As in browsers: the module that is reached first is evaluated last.
    #[test]
    fn modules_may_import_each_other() {
        let text = linked(&[
            ("x/a.js", "import { b } from \"./b.js\";\nexport const a = () => b();\n"),
            ("x/b.js", "import { a } from \"./a.js\";\nexport const b = () => a();\n"),
        ]);
        assert_eq!(text.unwrap(), "const b = () => a();\nconst a = () => b();\n");
    }

    #[test]
    fn what_could_go_wrong_is_refused() {
        let module = |source| linked(&[("x/a.js", source), ("x/b.js", "export const b = 1;\nconst c = 2;\n")]);
        for (source, problem) in [
            ("import { d } from \"./d.js\";", "x/a.js:1: there is no module x/d.js"),
            ("\nimport { c } from \"./b.js\";", "x/a.js:2: x/b.js does not export c"),
            ("import { b } from \"./b.js\";\nlet c = 1;", "x/a.js:2: x/b.js declares c, too"),
            ("const d = `\n`;", "x/a.js:1: a template literal must end on its line"),
            ("export default 1;", "x/a.js:1: only a declaration can be exported"),
            ("const { d } = {};", "x/a.js:1: the top level declares one name at a time"),
            (
                "import { b as d } from \"./b.js\";",
                "x/a.js:1: an import looks like this: import { a, b } from \"./other.js\";",
            ),
        ] {
            assert_eq!(module(source).unwrap_err(), problem);
        }
    }

    #[test]
    fn all_scripts_can_be_linked() {
        for entry in ["page/start.js", "index/index.js"] {
            if let Err(error) = link(entry, MODULES) {
                panic!("{error}");
            }
        }
    }

    /// A module that is missing from the table, or that no module imports, would never load.
    #[test]
    fn every_module_is_needed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/script");
        let mut names: Vec<String> = ["core", "index", "page"]
            .iter()
            .flat_map(|name| {
                let files = std::fs::read_dir(folder.join(name)).unwrap();
                files.map(move |file| format!("{name}/{}", file.unwrap().file_name().display()))
            })
            .collect();
        names.sort();
        assert_eq!(names, MODULES.iter().map(|module| module.name).collect::<Vec<_>>());
        let imported = |name: &str| {
            let imports =
                MODULES.iter().filter_map(|module| Parsed::new(*module).ok()).flat_map(|parsed| parsed.imports);
            imports.map(|import| import.from).any(|from| from == name)
        };
        let entries = ["index/index.js", "page/start.js"];
        for name in names.iter().filter(|name| !entries.contains(&name.as_str())) {
            assert!(imported(name), "nothing imports {name}");
        }
    }
}
