use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::line::tests::{hold, marked};
use crate::style::Style;
use testkit::hostile::hostile;

fn colored(language: &str, code: &str) -> String {
    marked(&highlight(code, Language::named(language).unwrap()))
}

fn all() -> impl Iterator<Item = &'static Spec> {
    LANGUAGES.iter().copied().flatten()
}

#[test]
fn names_are_unique() {
    let mut seen = HashSet::new();
    for spec in all() {
        let aliases = spec.aliases.split_ascii_whitespace();
        for name in aliases.chain([spec.name]) {
            assert!(seen.insert(name), "{name} twice, once in {}", spec.name);
            assert_eq!(name, name.to_ascii_lowercase());
        }
    }
}

/// A mark after its own prefix would never be found.
#[test]
fn longer_marks_come_first() {
    let check = |marks: Vec<&str>| {
        for (at, mark) in marks.iter().enumerate() {
            let hides = |earlier: &&str| mark.starts_with(*earlier);
            assert!(!marks[..at].iter().any(hides), "{mark} is never found in {marks:?}");
        }
    };
    for spec in all() {
        check(spec.block_comments.iter().map(|block| block.open).chain(spec.line_comments.iter().copied()).collect());
        check(spec.strings.iter().map(|quote| quote.open).collect());
        check(spec.line_starts.iter().map(|(start, _)| *start).collect());
        if spec.ignore_case {
            assert_eq!(spec.keywords, spec.keywords.to_ascii_lowercase());
            assert_eq!(spec.types, spec.types.to_ascii_lowercase());
        }
    }
}

#[test]
fn languages_are_found_by_name_and_by_path() {
    let named = |info| Language::named(info).map(Language::name);
    for (info, name) in [("Rust", "rust"), (" ts {1,3}", "typescript"), ("{.py}", "python"), ("rust,ignore", "rust")] {
        assert_eq!(named(info), Some(name));
    }
    assert_eq!([named(""), named("text"), named("made-up")], [None; 3]);
    let of = |path| Language::of_path(path).map(Language::name);
    let cases = [
        ("/a/b.c/main.go", "go"),
        ("C:\\a\\Main.CS", "c#"),
        ("Dockerfile.dev", "dockerfile"),
        ("x/Makefile", "makefile"),
        (".bashrc", "bash"),
        ("a.tar.yml", "yaml"),
    ];
    for (path, name) in cases {
        assert_eq!(of(path), Some(name), "{path}");
    }
    assert_eq!([of("rust"), of("a.unknown"), of("")], [None; 3]);
}

#[test]
fn rust() {
    let code = r##"/* one /* two */ */ #[test]
fn f<'a>(x: &'a str) -> Vec<u8> { // why
    let c = ['x', '\'', '\u{1f}']; x.match_();
    r#"raw " \"#; b"x\"y"; 1..0xff_u8 + 1.5e-3; MAX
    "two
lines" }"##;
    insta::assert_snapshot!(colored("rust", code), @r##"
    ⟨Comment /* one /* two */ */⟩ #[test]
    ⟨Keyword fn⟩ f<'a>(x: &'a ⟨Type str⟩) -> ⟨Type Vec⟩<⟨Type u8⟩> { ⟨Comment // why⟩
        ⟨Keyword let⟩ c = [⟨String 'x'⟩, ⟨String '\''⟩, ⟨String '\u{1f}'⟩]; x.match_();
        ⟨String r#"raw " \"#⟩; b⟨String "x\"y"⟩; ⟨Number 1⟩..⟨Number 0xff_u8⟩ + ⟨Number 1.5e-3⟩; MAX
        ⟨String "two⟩
    ⟨String lines"⟩ }
    "##);
}

#[test]
fn python() {
    let code = "@cache\ndef f(self, n=10):\n    '''Says\n    \"it\".'''\n    return f\"{n}\" or None  # done\nclass A(B): pass";
    insta::assert_snapshot!(colored("python", code), @r#"
    ⟨Type @cache⟩
    ⟨Keyword def⟩ f(⟨Type self⟩, n=⟨Number 10⟩):
        ⟨String '''Says⟩
    ⟨String     "it".'''⟩
        ⟨Keyword return⟩ f⟨String "{n}"⟩ ⟨Keyword or⟩ ⟨Keyword None⟩  ⟨Comment # done⟩
    ⟨Keyword class⟩ ⟨Type A⟩(⟨Type B⟩): ⟨Keyword pass⟩
    "#);
}

#[test]
fn typescript() {
    let code = "const a: Promise<string> = `x ${b}\ny`; // c\nexport type T = { in: number } | null; s.in = 'don\\'t'";
    insta::assert_snapshot!(colored("tsx", code), @r"
    ⟨Keyword const⟩ a: ⟨Type Promise⟩<⟨Type string⟩> = ⟨String `x ${b}⟩
    ⟨String y`⟩; ⟨Comment // c⟩
    ⟨Keyword export⟩ ⟨Keyword type⟩ ⟨Type T⟩ = { ⟨Keyword in⟩: ⟨Type number⟩ } | ⟨Keyword null⟩; s.in = ⟨String 'don\'t'⟩
    ");
}

#[test]
fn bash() {
    let code =
        "for f in *.txt; do # all\n  echo \"$f it's\" $#; done\ncat <<'EOF' > a\nif \"\nEOF\ncat <<< word; ./if --for";
    insta::assert_snapshot!(colored("sh", code), @r#"
    ⟨Keyword for⟩ f ⟨Keyword in⟩ *.txt; ⟨Keyword do⟩ ⟨Comment # all⟩
      ⟨Type echo⟩ ⟨String "$f it's"⟩ $#; ⟨Keyword done⟩
    cat ⟨String <<'EOF'⟩ > a
    ⟨String if "⟩
    ⟨String EOF⟩
    cat <<< word; ./if --for
    "#);
}

#[test]
fn data() {
    insta::assert_snapshot!(colored("json", "{\"a\": [\"b\", 1e5, true], // c\n \"d\" : null}"), @r#"
    {⟨Key "a"⟩: [⟨String "b"⟩, ⟨Number 1e5⟩, ⟨Keyword true⟩], ⟨Comment // c⟩
     ⟨Key "d"⟩ : ⟨Keyword null⟩}
    "#);
    insta::assert_snapshot!(colored("yaml", "on:\n  - \"a b\": http://x # it's\n    c-d: it's no 12"), @r#"
    ⟨Key on⟩:
      - ⟨Key "a b"⟩: http://x ⟨Comment # it's⟩
        ⟨Key c-d⟩: it's ⟨Keyword no⟩ ⟨Number 12⟩
    "#);
    insta::assert_snapshot!(colored("toml", "[a.b]\nc-d = 'x' # y\ne = [1, true]"), @"
    ⟨Heading [a.b]⟩
    ⟨Key c-d⟩ = ⟨String 'x'⟩ ⟨Comment # y⟩
    ⟨Key e⟩ = [⟨Number 1⟩, ⟨Keyword true⟩]
    ");
}

#[test]
fn markup() {
    let code = "<!-- a\nb --><a href=\"x\n>y\" class='it'>it's 1 < 2</a><br/>";
    insta::assert_snapshot!(colored("html", code), @r#"
    ⟨Comment <!-- a⟩
    ⟨Comment b -->⟩<⟨Keyword a⟩ ⟨Key href⟩=⟨String "x⟩
    ⟨String >y"⟩ ⟨Key class⟩=⟨String 'it'⟩>it's 1 < 2</⟨Keyword a⟩><⟨Keyword br⟩/>
    "#);
}

#[test]
fn sql_ignores_case() {
    insta::assert_snapshot!(colored("sql", "SELECT Count(*) FROM t WHERE a = 'it''s' -- b"), @"⟨Keyword SELECT⟩ ⟨Type Count⟩(*) ⟨Keyword FROM⟩ t ⟨Keyword WHERE⟩ a = ⟨String 'it''s'⟩ ⟨Comment -- b⟩");
}

#[test]
fn diffs_are_highlighted_by_line_starts() {
    insta::assert_snapshot!(colored("diff", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z"), @"
    ⟨Strong --- a⟩
    ⟨Strong +++ b⟩
    ⟨Quiet @@ -1 +1 @@⟩
    ⟨Removed -x⟩
    ⟨Added +y⟩
     z
    ");
}

proptest! {
    #[test]
    fn any_code_is_kept_whole(code in hostile(), at in any::<prop::sample::Index>()) {
        let specs: Vec<&'static Spec> = all().collect();
        let spec: &&'static Spec = at.get(&specs);
        let lines = highlight(&code, Language(spec));
        hold(&lines, usize::MAX);
        let texts = |lines: &[Line]| lines.iter().map(|line| line.text().to_owned()).collect::<Vec<_>>();
        prop_assert_eq!(texts(&lines), texts(&Line::all(&code, Style::PLAIN)));
    }
}
