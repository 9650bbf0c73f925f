//! Languages of virtual machines and browsers.

use crate::highlight::spec::{Block, Quote, Spec};

pub(super) static ALL: &[Spec] = &[JAVA, KOTLIN, SCALA, CSHARP, JAVASCRIPT, TYPESCRIPT, PHP];

const JAVA: Spec = Spec {
    name: "java",
    keywords: "abstract assert break case catch class const continue default do else enum extends false final \
        finally for goto if implements import instanceof interface native new non-sealed null package permits \
        private protected public record return sealed static strictfp super switch synchronized this throw throws \
        transient true try var volatile when while yield",
    types: "boolean byte char double float int long short void",
    capital_types: true,
    sigils: "@",
    line_comments: &["//"],
    block_comments: Block::C,
    strings: &[Quote::lines("\"\"\""), Quote::DOUBLE, Quote::CHARACTER],
    ..Spec::UNKNOWN
};

const KOTLIN: Spec = Spec {
    name: "kotlin",
    aliases: "kt kts",
    keywords: "abstract actual annotation as break by catch class companion const constructor continue crossinline \
        data do else enum expect external false final finally for fun get if import in infix init inline inner \
        interface internal is lateinit noinline null object open operator out override package private protected \
        public reified return sealed set super suspend tailrec this throw true try typealias val value var vararg \
        when where while",
    capital_types: true,
    sigils: "@",
    line_comments: &["//"],
    block_comments: Block::NESTED_C,
    strings: &[Quote::raw("\"\"\"", "\"\"\""), Quote::DOUBLE, Quote::CHARACTER],
    ..Spec::UNKNOWN
};

const SCALA: Spec = Spec {
    name: "scala",
    aliases: "sc sbt",
    keywords: "abstract case catch class def derives do else end enum export extends extension false final finally \
        for given if implicit import inline lazy match new null object opaque open override package private \
        protected return sealed super then this throw trait transparent true try type using val var while with yield",
    capital_types: true,
    sigils: "@",
    line_comments: &["//"],
    block_comments: Block::NESTED_C,
    strings: &[Quote::raw("\"\"\"", "\"\"\""), Quote::DOUBLE, Quote::CHARACTER],
    ..Spec::UNKNOWN
};

const CSHARP: Spec = Spec {
    name: "c#",
    aliases: "cs csharp csx",
    keywords: "abstract as async await base break case catch checked class const continue default delegate do else \
        enum event explicit extern false finally fixed for foreach from get global goto group if implicit in init \
        interface internal into is join let lock nameof namespace new null on operator orderby out override params \
        partial private protected public readonly record ref required return sealed select set sizeof stackalloc \
        static struct switch this throw true try typeof unchecked unsafe using value var virtual volatile when where \
        while with yield",
    types: "bool byte char decimal double dynamic float int long nint nuint object sbyte short string uint ulong \
        ushort void",
    capital_types: true,
    line_comments: &["//"],
    block_comments: Block::C,
    strings: &[
        Quote::raw("\"\"\"", "\"\"\""),
        Quote::raw("@\"", "\""),
        Quote::raw("$@\"", "\""),
        Quote { open: "$\"", ..Quote::DOUBLE },
        Quote::DOUBLE,
        Quote::CHARACTER,
    ],
    ..Spec::UNKNOWN
};

const JAVASCRIPT: Spec = Spec {
    name: "javascript",
    aliases: "js jsx mjs cjs node",
    keywords: "as async await break case catch class const continue debugger default delete do else export extends \
        false finally for from function get if import in instanceof let new null of return set static super switch \
        this throw true try typeof undefined var void while with yield",
    types: "console document exports globalThis module process require window",
    capital_types: true,
    word: "$",
    sigils: "@",
    line_comments: &["//"],
    block_comments: Block::C,
    strings: &[Quote::DOUBLE, Quote::SINGLE, Quote::lines("`")],
    ..Spec::UNKNOWN
};

const TYPESCRIPT: Spec = Spec {
    name: "typescript",
    aliases: "ts tsx mts cts",
    keywords: "abstract accessor as asserts async await break case catch class const continue debugger declare \
        default delete do else enum export extends false finally for from function get if implements import in infer \
        instanceof interface is keyof let module namespace new null of out override private protected public \
        readonly return satisfies set static super switch this throw true try type typeof undefined unique using var \
        void while with yield",
    types: "any bigint boolean console document globalThis never number object process require string symbol unknown \
        window",
    capital_types: true,
    word: "$",
    sigils: "@",
    line_comments: &["//"],
    block_comments: Block::C,
    strings: &[Quote::DOUBLE, Quote::SINGLE, Quote::lines("`")],
    ..Spec::UNKNOWN
};

const PHP: Spec = Spec {
    name: "php",
    aliases: "phtml",
    keywords: "abstract and array as break callable case catch class clone const continue declare default do echo \
        else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum extends false final finally fn \
        for foreach function global goto if implements include include_once instanceof insteadof interface isset \
        list match namespace new null or print private protected public readonly require require_once return self \
        static switch this throw trait true try unset use var while xor yield",
    types: "bool float int iterable mixed never object parent string void",
    capital_types: true,
    word: "$",
    line_comments: &["//", "#"],
    block_comments: Block::C,
    strings: &[Quote::lines("\""), Quote::lines("'")],
    heredoc: Some("<<<"),
    ..Spec::UNKNOWN
};
