//! Document, configuration and build languages.

use crate::highlight::spec::{Block, Quote, Spec};
use crate::style::Role;

pub(super) static ALL: &[Spec] =
    &[HTML, CSS, JSON, YAML, TOML, INI, MARKDOWN, DOCKERFILE, MAKEFILE, HCL, PROTOBUF, GRAPHQL, DIFF];

const HTML: Spec = Spec {
    name: "html",
    aliases: "xml htm xhtml svg vue svelte astro xsd xsl xslt plist csproj wsdl rss jinja",
    word: "-:.",
    block_comments: Block::SGML,
    strings: &[Quote::raw("\"", "\""), Quote::raw("'", "'")],
    markup: true,
    ..Spec::UNKNOWN
};

const CSS: Spec = Spec {
    name: "css",
    aliases: "scss less sass",
    keywords: "!default !global !important",
    types: "@apply @charset @container @else @font-face @forward @function @if @import @include @keyframes @layer \
        @media @mixin @property @return @supports @use",
    word: "-!",
    sigils: "@#",
    line_comments: &["//"],
    comment_after_blank: true,
    block_comments: Block::C,
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    apostrophes: true,
    key: Some(':'),
    ..Spec::UNKNOWN
};

const JSON: Spec = Spec {
    name: "json",
    aliases: "jsonc json5 jsonl ndjson webmanifest ipynb code-workspace",
    files: ".eslintrc .prettierrc .babelrc composer.lock pipfile.lock",
    keywords: "false Infinity NaN null true",
    line_comments: &["//"],
    block_comments: Block::C,
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    key: Some(':'),
    ..Spec::UNKNOWN
};

const YAML: Spec = Spec {
    name: "yaml",
    aliases: "yml clang-format",
    files: ".clang-format .clang-tidy",
    keywords: "false n No no null off on true y Yes yes ~",
    word: "-./~",
    sigils: "&*!",
    line_comments: &["#"],
    comment_after_blank: true,
    strings: &[Quote::lines("\""), Quote::raw("'", "'")],
    apostrophes: true,
    key: Some(':'),
    line_starts: &[("---", Role::Quiet)],
    ..Spec::UNKNOWN
};

const TOML: Spec = Spec {
    name: "toml",
    files: "cargo.lock poetry.lock uv.lock pipfile",
    keywords: "false inf nan true",
    word: "-.",
    line_comments: &["#"],
    strings: &[
        Quote::lines("\"\"\""),
        Quote::raw("'''", "'''"),
        Quote::DOUBLE,
        Quote { escape: None, ..Quote::SINGLE },
    ],
    apostrophes: true,
    key: Some('='),
    line_starts: &[("[", Role::Heading)],
    ..Spec::UNKNOWN
};

const INI: Spec = Spec {
    name: "ini",
    aliases: "cfg conf properties editorconfig gitconfig desktop service env dotenv",
    files: ".env .editorconfig .gitconfig .npmrc",
    keywords: "false no off on true yes",
    word: "-.",
    line_comments: &["#", ";"],
    comment_after_blank: true,
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    apostrophes: true,
    key: Some('='),
    line_starts: &[("[", Role::Heading)],
    ..Spec::UNKNOWN
};

const MARKDOWN: Spec = Spec {
    name: "markdown",
    aliases: "md mdx mdc rst",
    files: "readme",
    block_comments: Block::SGML,
    strings: &[Quote { escape: None, ..Quote::line("`") }],
    line_starts: &[("#", Role::Heading), (">", Role::Quiet), ("```", Role::Quiet), ("---", Role::Quiet)],
    ..Spec::UNKNOWN
};

const DOCKERFILE: Spec = Spec {
    name: "dockerfile",
    aliases: "docker containerfile",
    files: "dockerfile containerfile",
    keywords: "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL \
        STOPSIGNAL USER VOLUME WORKDIR",
    word: "-./",
    sigils: "$",
    line_comments: &["#"],
    comment_after_blank: true,
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    apostrophes: true,
    heredoc: Some("<<"),
    ..Spec::UNKNOWN
};

const MAKEFILE: Spec = Spec {
    name: "makefile",
    aliases: "make mk just justfile",
    files: "makefile gnumakefile justfile kbuild",
    keywords: "-include .PHONY define else endef endif export ifdef ifeq ifndef ifneq include override private \
        undefine unexport vpath",
    word: "-./",
    line_comments: &["#"],
    comment_after_blank: true,
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    apostrophes: true,
    key: Some(':'),
    ..Spec::UNKNOWN
};

const HCL: Spec = Spec {
    name: "hcl",
    aliases: "tf terraform tfvars nomad",
    keywords: "data dynamic false for if in locals module moved null output provider resource terraform true variable",
    types: "any bool list map number object set string tuple",
    word: "-",
    line_comments: &["#", "//"],
    block_comments: Block::C,
    strings: &[Quote::DOUBLE],
    heredoc: Some("<<"),
    key: Some('='),
    ..Spec::UNKNOWN
};

const PROTOBUF: Spec = Spec {
    name: "protobuf",
    aliases: "proto",
    keywords: "enum extend extensions false import map message oneof option optional package public repeated \
        required reserved returns rpc service stream syntax to true weak",
    types: "bool bytes double fixed32 fixed64 float int32 int64 sfixed32 sfixed64 sint32 sint64 string uint32 uint64",
    capital_types: true,
    line_comments: &["//"],
    block_comments: Block::C,
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    ..Spec::UNKNOWN
};

const GRAPHQL: Spec = Spec {
    name: "graphql",
    aliases: "gql",
    keywords: "directive enum extend false fragment implements input interface mutation null on query scalar schema \
        subscription true type union",
    types: "Boolean Float ID Int String",
    capital_types: true,
    sigils: "@$",
    line_comments: &["#"],
    strings: &[Quote::lines("\"\"\""), Quote::DOUBLE],
    ..Spec::UNKNOWN
};

const DIFF: Spec = Spec {
    name: "diff",
    aliases: "patch",
    line_starts: &[
        ("+++", Role::Strong),
        ("---", Role::Strong),
        ("diff ", Role::Strong),
        ("index ", Role::Quiet),
        ("@@", Role::Quiet),
        ("+", Role::Added),
        ("-", Role::Removed),
    ],
    ..Spec::UNKNOWN
};
