//! Languages compiled to machine code.

use crate::highlight::spec::{Block, Quote, Reach, Spec};

pub(super) static ALL: &[Spec] = &[RUST, GO, C, CPP, ZIG, SWIFT, HASKELL];

const RUST: Spec = Spec {
    name: "rust",
    aliases: "rs",
    keywords: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop \
        macro_rules match mod move mut pub ref return Self self static struct super trait true type union unsafe use \
        where while yield",
    types: "bool char f32 f64 i128 i16 i32 i64 i8 isize str u128 u16 u32 u64 u8 usize",
    capital_types: true,
    line_comments: &["//"],
    block_comments: Block::NESTED_C,
    strings: &[
        Quote::raw("r\"", "\""),
        Quote::raw("r#\"", "\"#"),
        Quote::raw("r##\"", "\"##"),
        Quote::raw("r###\"", "\"###"),
        Quote::raw("br\"", "\""),
        Quote::raw("br#\"", "\"#"),
        Quote::lines("\""),
        Quote::CHARACTER,
    ],
    ..Spec::UNKNOWN
};

const GO: Spec = Spec {
    name: "go",
    aliases: "golang",
    keywords: "break case chan const continue default defer else fallthrough false for func go goto if import \
        interface iota map nil package range return select struct switch true type var",
    types: "any append bool byte cap clear close comparable complex128 complex64 copy delete error float32 float64 \
        int int16 int32 int64 int8 len make max min new panic print println recover rune string uint uint16 uint32 \
        uint64 uint8 uintptr",
    line_comments: &["//"],
    block_comments: Block::C,
    strings: &[Quote::DOUBLE, Quote::raw("`", "`"), Quote::CHARACTER],
    ..Spec::UNKNOWN
};

const C: Spec = Spec {
    name: "c",
    aliases: "h objc m",
    keywords: "#define #elif #else #endif #error #if #ifdef #ifndef #include #pragma #undef auto break case const \
        continue default do else enum extern false for goto if inline NULL nullptr register restrict return sizeof \
        static struct switch true typedef typeof union volatile while",
    types: "_Bool bool char double FILE float int int16_t int32_t int64_t int8_t intptr_t long off_t ptrdiff_t short \
        signed size_t ssize_t time_t uint16_t uint32_t uint64_t uint8_t uintptr_t unsigned void wchar_t",
    word: "#",
    line_comments: &["//"],
    block_comments: Block::C,
    strings: &[Quote::DOUBLE, Quote::CHARACTER],
    ..Spec::UNKNOWN
};

const CPP: Spec = Spec {
    name: "c++",
    aliases: "cpp cc cxx hpp hh hxx ino cuda cu",
    keywords: "#define #elif #else #endif #error #if #ifdef #ifndef #include #pragma #undef alignas alignof and auto \
        break case catch class co_await co_return co_yield concept const const_cast consteval constexpr constinit \
        continue decltype default delete do dynamic_cast else enum explicit export extern false final for friend \
        goto if inline mutable namespace new noexcept not NULL nullptr operator or override private protected public \
        register reinterpret_cast requires return sizeof static static_assert static_cast struct switch template \
        this thread_local throw true try typedef typeid typename union using virtual volatile while",
    types: "bool char char16_t char32_t char8_t double float int int16_t int32_t int64_t int8_t long map optional \
        pair set shared_ptr short signed size_t std string string_view tuple uint16_t uint32_t uint64_t uint8_t \
        unique_ptr unordered_map unsigned vector void wchar_t",
    word: "#",
    line_comments: &["//"],
    block_comments: Block::C,
    strings: &[Quote::raw("R\"(", ")\""), Quote::DOUBLE, Quote::CHARACTER],
    ..Spec::UNKNOWN
};

const ZIG: Spec = Spec {
    name: "zig",
    keywords: "addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime const \
        continue defer else enum errdefer error export extern false fn for if inline linksection noalias noinline \
        nosuspend null opaque or orelse packed pub resume return struct suspend switch test threadlocal true try \
        undefined union unreachable usingnamespace var volatile while",
    types: "anyerror anyopaque bool comptime_float comptime_int f128 f16 f32 f64 f80 i128 i16 i32 i64 i8 isize \
        noreturn type u128 u16 u32 u64 u8 usize void",
    capital_types: true,
    sigils: "@",
    line_comments: &["//"],
    strings: &[Quote { open: "\\\\", close: "\n", escape: None, reach: Reach::Line }, Quote::DOUBLE, Quote::CHARACTER],
    ..Spec::UNKNOWN
};

const SWIFT: Spec = Spec {
    name: "swift",
    keywords: "actor as associatedtype async await break case catch class continue convenience default defer deinit \
        didSet do else enum extension fallthrough false fileprivate final for func get guard if import in indirect \
        init inout internal is lazy let mutating nil nonisolated open operator override private protocol public \
        repeat required rethrows return Self self set some static struct subscript super switch throw throws true \
        try typealias unowned var weak where while willSet",
    capital_types: true,
    sigils: "@#",
    line_comments: &["//"],
    block_comments: Block::NESTED_C,
    strings: &[Quote::lines("\"\"\""), Quote::raw("#\"", "\"#"), Quote::DOUBLE],
    ..Spec::UNKNOWN
};

const HASKELL: Spec = Spec {
    name: "haskell",
    aliases: "hs",
    keywords: "as case class data default deriving do else family forall foreign hiding if import in infix infixl \
        infixr instance let mdo module newtype of pattern qualified rec then type where",
    capital_types: true,
    line_comments: &["--"],
    block_comments: &[Block { open: "{-", close: "-}", nested: true }],
    strings: &[Quote::DOUBLE, Quote::CHARACTER],
    apostrophes: true,
    ..Spec::UNKNOWN
};
