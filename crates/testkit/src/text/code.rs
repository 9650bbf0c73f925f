//! Source code in four languages, line by line from templates.

use super::words::fill;
use crate::rng::Rng;

/// A language to write code in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Language {
    Rust,
    Python,
    TypeScript,
    Go,
}

const RUST: &[&str] = &[
    "pub fn $v_$w($w: &$t, $w: usize) -> Result<$t> {\n",
    "    let mut $i = $t::with_capacity($n);\n",
    "    let $i = $i.$v_$w(&$i)?;\n",
    "    for $w in $i.iter().filter(|$w| $w.is_$w()) {\n",
    "        if $i > $n {\n            return Err($t::$t { $w, $w: $n });\n        }\n",
    "        $i.push(format!(\"{}: {}\", $w, $i));\n",
    "    }\n",
    "    // $v the $w $w before the $w is $f\n",
    "    tracing::debug!($w = %$i, \"$v $w\");\n",
    "    match $i.$v_$w() {\n        Some($w) => $i += $w.$w,\n        None => return Ok($t::default()),\n    }\n",
    "    assert_eq!($i.len(), $n, \"$w should $v\");\n",
    "    Ok($i)\n}\n\n",
    "#[derive(Debug, Clone, PartialEq)]\npub struct $t {\n    pub $i: Option<$t>,\n    pub $i: Vec<u8>,\n}\n\n",
    "    let path = PathBuf::from(\"/$w/$w/$i.json\");\n",
    "\n",
];

const PYTHON: &[&str] = &[
    "def $v_$w(self, $w: $t, $w=None) -> dict[str, $t]:\n",
    "    \"\"\"$v the $w of each $w.\"\"\"\n",
    "    $i = [$w for $w in self.$i if $w.$w != \"$w\"]\n",
    "    if not $i:\n        raise $tError(f\"no $w for {$i!r}\")\n",
    "    logger.info(\"$v %s ($n $w)\", $i)\n",
    "    # TODO: $v $w when $w is None\n",
    "    with open(os.path.join(self.$w, \"$i.csv\"), encoding=\"utf-8\") as handle:\n",
    "        $i = json.loads(handle.read()).get(\"$w\", {})\n",
    "    return {\"$w\": $i, \"$w\": len($i)}\n\n\n",
    "class $t($t):\n    $i: int = $n\n\n",
    "    pattern = re.compile(r\"^\\s*($w|$w)\\.(\\d+)$\")\n",
    "    # $f\n",
    "\n",
];

const TYPESCRIPT: &[&str] = &[
    "import { $t, $t } from '../$w/$i';\n",
    "export async function $v$t($w: $t, options: $tOptions = {}): Promise<$t[]> {\n",
    "  const { $w, $w } = await this.$w.$v({ where: { $w: $w.id, $w: 'active' } });\n",
    "  if (!$w?.$w) {\n    throw new Error(`$w ${$w.id} has no \"$w\"`);\n  }\n",
    "  const $w = new Map<string, $t>($w.map((item) => [item.key, item]));\n",
    "  return <div className=\"$w-$w\" onClick={() => $v$t($w)}>{$w.$w}</div>;\n",
    "  logger.warn({ $w, $w }, '$v $w failed');\n",
    "  // $v $w: the $w is $f\n",
    "  return [...$w.values()].sort((a, b) => a.$w - b.$w);\n}\n\n",
    "interface $t {\n  $w: string;\n  $w?: number | null;\n  $w: Record<string, unknown>;\n}\n\n",
    "\n",
];

const GO: &[&str] = &[
    "func (s *$t) $t(ctx context.Context, $w string) (*$t, error) {\n",
    "\t$w, err := s.$w.$t(ctx, $w)\n\tif err != nil {\n\t\treturn nil, fmt.Errorf(\"$v $w: %w\", err)\n\t}\n",
    "\tfor i, $w := range $w {\n\t\tif $w.$t == nil {\n\t\t\tcontinue\n\t\t}\n",
    "\t\t$w[i] = &$t{$t: $n, $t: \"$w\"}\n\t}\n",
    "\tdefer s.$w.Unlock()\n",
    "\t// $t $v the $w $w.\n",
    "\tlog.Printf(\"$w %q: $v %d\", $w, len($w))\n",
    "\tselect {\n\tcase <-ctx.Done():\n\t\treturn nil, ctx.Err()\n\tcase $w := <-s.$w:\n\t\ts.$v($w)\n\t}\n",
    "\treturn $w, nil\n}\n\n",
    "type $t struct {\n\t$t string `json:\"$i\"`\n\t$t int64  `json:\"$i,omitempty\"`\n}\n\n",
    "\n",
];

impl Language {
    /// A random language.
    pub(crate) fn any(rng: &mut Rng) -> Self {
        match rng.below(10) {
            0..=2 => Language::Rust,
            3 | 4 => Language::Python,
            5 | 6 => Language::TypeScript,
            _ => Language::Go,
        }
    }

    /// The extension of its files.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Language::Rust => ".rs",
            Language::Python => ".py",
            Language::TypeScript => ".ts",
            Language::Go => ".go",
        }
    }

    fn templates(self) -> &'static [&'static str] {
        match self {
            Language::Rust => RUST,
            Language::Python => PYTHON,
            Language::TypeScript => TYPESCRIPT,
            Language::Go => GO,
        }
    }
}

/// Whole lines of code, about `length` bytes.
pub(crate) fn code(rng: &mut Rng, language: Language, length: usize) -> String {
    let mut text = String::with_capacity(length + 200);
    let templates = language.templates();
    while text.len() < length {
        fill(rng.pick::<str>(templates), rng, &mut text);
    }
    text
}

/// The text as the Read tool shows it to the model: numbered lines, with an arrow up to 2.1.9x, with a tab later.
pub(crate) fn numbered(text: &str, first: usize, arrow: bool) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 5);
    for (offset, line) in text.lines().enumerate() {
        if offset > 0 {
            out.push('\n');
        }
        let number = first + offset;
        let spelled = number.to_string();
        if arrow {
            for _ in spelled.len()..6 {
                out.push(' ');
            }
        }
        out.push_str(&spelled);
        out.push(if arrow { '→' } else { '\t' });
        out.push_str(line);
    }
    out
}
