//! Scripting languages.

use crate::highlight::spec::{Block, Quote, Spec};

pub(super) static ALL: &[Spec] = &[PYTHON, RUBY, BASH, POWERSHELL, PERL, LUA, R, ELIXIR, SQL];

const PYTHON: Spec = Spec {
    name: "python",
    aliases: "py pyi python3 py3 pyw ipython gyp",
    files: "sconstruct wscript",
    keywords: "and as assert async await break case class continue def del elif else except False finally for from \
        global if import in is lambda match None nonlocal not or pass raise return True try type while with yield",
    types: "abs all any bool bytearray bytes callable chr classmethod cls complex dict dir enumerate filter float \
        format frozenset getattr hasattr hash id input int isinstance issubclass iter len list map max memoryview \
        min next object open ord print property range repr reversed round self set setattr slice sorted staticmethod \
        str sum super tuple vars zip",
    capital_types: true,
    sigils: "@",
    line_comments: &["#"],
    strings: &[Quote::lines("\"\"\""), Quote::lines("'''"), Quote::DOUBLE, Quote::SINGLE],
    ..Spec::UNKNOWN
};

const RUBY: Spec = Spec {
    name: "ruby",
    aliases: "rb rake gemspec",
    files: "gemfile rakefile vagrantfile podfile brewfile",
    keywords: "__FILE__ __LINE__ alias and BEGIN begin break case class def defined? do else elsif END end ensure \
        extend false for if in include module next nil not or private protected public raise redo require \
        require_relative rescue retry return self super then true undef unless until when while yield",
    types: "attr_accessor attr_reader attr_writer lambda loop p print proc puts",
    capital_types: true,
    word: "?",
    sigils: "@",
    line_comments: &["#"],
    strings: &[Quote::lines("\""), Quote::lines("'"), Quote::line("`")],
    heredoc: Some("<<"),
    ..Spec::UNKNOWN
};

const BASH: Spec = Spec {
    name: "bash",
    aliases: "sh shell zsh ksh fish console shell-session shellsession bats ash",
    files: ".bashrc .bash_profile .profile .zshrc .zprofile .envrc pkgbuild",
    keywords: "break case continue coproc do done elif else esac exec exit export fi for function if in local \
        readonly return select set shift source then time trap unset until while",
    types: "alias bg cd command declare echo eval false fg jobs kill printf pwd read test true type umask wait",
    word: "-./",
    sigils: "$",
    line_comments: &["#"],
    comment_after_blank: true,
    strings: &[Quote::lines("\""), Quote::raw("'", "'"), Quote::lines("`")],
    heredoc: Some("<<"),
    ..Spec::UNKNOWN
};

const POWERSHELL: Spec = Spec {
    name: "powershell",
    aliases: "ps1 psm1 psd1 pwsh ps",
    keywords: "begin break catch class continue data do dynamicparam else elseif end enum exit filter finally for \
        foreach from function hidden if in param process return static switch throw trap try until using while",
    types: "$false $null $true -and -contains -eq -ge -gt -in -is -join -le -like -lt -match -ne -not -notlike \
        -notmatch -or -replace -split",
    ignore_case: true,
    word: "-$",
    line_comments: &["#"],
    block_comments: &[Block { open: "<#", close: "#>", nested: false }],
    strings: &[
        Quote::raw("@\"", "\"@"),
        Quote::raw("@'", "'@"),
        Quote { escape: Some('`'), ..Quote::lines("\"") },
        Quote::raw("'", "'"),
    ],
    ..Spec::UNKNOWN
};

const PERL: Spec = Spec {
    name: "perl",
    aliases: "pl pm t",
    keywords: "and bless cmp continue defined delete die do each else elsif eq eval exists exit for foreach ge given \
        gt if keys last le local lt my ne next no not or our package print printf push redo ref require return say \
        scalar shift splice split sub undef unless until use values wantarray warn when while x xor",
    word: "$",
    sigils: "@%",
    line_comments: &["#"],
    strings: &[Quote::lines("\""), Quote::lines("'"), Quote::line("`")],
    heredoc: Some("<<"),
    ..Spec::UNKNOWN
};

const LUA: Spec = Spec {
    name: "lua",
    aliases: "luau",
    keywords: "and break continue do else elseif end false for function goto if in local nil not or repeat return \
        then true until while",
    types: "assert coroutine error getmetatable io ipairs math next os pairs pcall print rawget rawset require \
        select self setmetatable string table tonumber tostring type unpack xpcall",
    line_comments: &["--"],
    block_comments: &[
        Block { open: "--[[", close: "]]", nested: false },
        Block { open: "--[=[", close: "]=]", nested: false },
    ],
    strings: &[Quote::raw("[[", "]]"), Quote::raw("[=[", "]=]"), Quote::DOUBLE, Quote::SINGLE],
    ..Spec::UNKNOWN
};

const R: Spec = Spec {
    name: "r",
    aliases: "rscript",
    keywords: "break else FALSE for function if in Inf library NA NaN next NULL repeat require return TRUE while",
    types: "c character data.frame factor integer list logical matrix numeric vector",
    word: ".",
    line_comments: &["#"],
    strings: &[Quote::lines("\""), Quote::lines("'"), Quote::line("`")],
    ..Spec::UNKNOWN
};

const ELIXIR: Spec = Spec {
    name: "elixir",
    aliases: "ex exs",
    keywords: "after alias and case catch cond def defdelegate defexception defguard defimpl defmacro defmacrop \
        defmodule defp defprotocol defstruct do else end false fn for if import in nil not or quote raise receive \
        require rescue true try unless unquote use when with",
    capital_types: true,
    word: "?!",
    sigils: "@",
    line_comments: &["#"],
    strings: &[Quote::lines("\"\"\""), Quote::lines("'''"), Quote::lines("\""), Quote::SINGLE],
    ..Spec::UNKNOWN
};

const SQL: Spec = Spec {
    name: "sql",
    aliases: "postgres postgresql psql mysql sqlite plpgsql ddl",
    keywords: "add all alter analyze and any as asc begin between by cascade case cast check collate column commit \
        conflict constraint create cross current_date current_timestamp database default deferrable delete desc \
        distinct do drop else end except exists explain false fetch filter for foreign from full function generated \
        grant group having if ilike in index inner insert intersect into is join key language lateral left like \
        limit materialized natural not nothing null offset on or order outer over partition primary procedure \
        recursive references rename replace returning returns revoke right rollback row rows savepoint schema select \
        sequence set table temp temporary then to transaction trigger true truncate union unique update using vacuum \
        values view virtual when where window with",
    types: "array avg bigint bigserial blob boolean bytea char coalesce count date datetime decimal double float int \
        integer interval json jsonb lower max min now numeric real round serial smallint sum text time timestamp \
        timestamptz tinyint upper uuid varchar",
    ignore_case: true,
    line_comments: &["--"],
    block_comments: Block::C,
    strings: &[Quote::raw("'", "'"), Quote::raw("\"", "\""), Quote::line("`"), Quote::raw("$$", "$$")],
    ..Spec::UNKNOWN
};
