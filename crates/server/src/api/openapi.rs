//! The document that describes the API, generated from the types; a test keeps `docs/openapi.json` equal to it.

use std::path::PathBuf;
use std::{env, fs};

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Value, json};
use wire::board::BoardOut;
use wire::figures::{ArchivesOut, FiguresOut, SessionDetailOut, ToolsOut};
use wire::found::FoundOut;
use wire::list::{ProjectsOut, SessionsOut};

/// A request that the API answers.
struct Operation {
    path: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    schema: fn(&mut SchemaGenerator) -> Value,
}

/// Name, type and description of a query parameter.
type Parameter = (&'static str, &'static str, &'static str);

const DAYS: Parameter = ("days", "integer", "Number of days up to and including today; 0 means all");
const PROJECT: Parameter = ("project", "string", "The project: its folder, or a part of its path");
const SINCE: Parameter = (
    "since",
    "string",
    "Start of the period: today, yesterday, monday, last week, 7d, 2026-08-08 or 2026-08-08T09:15:00Z",
);
const UNTIL: Parameter = ("until", "string", "End of the period; a day or a week is included to its end");

const OPERATIONS: [Operation; 9] = [
    Operation {
        path: "/api/v1/board",
        summary: "The board: sessions that wait for you, sessions that work, and the totals of today",
        parameters: &[],
        schema: schema::<BoardOut<'static>>,
    },
    Operation {
        path: "/api/v1/sessions",
        summary: "Sessions, 200 on a page",
        parameters: &[
            ("q", "string", "Words in the title, project, branch or id"),
            PROJECT,
            SINCE,
            UNTIL,
            DAYS,
            ("sort", "string", "last, title, project, turns, calls, failed, tokens, cost or active"),
            ("reverse", "boolean", "Reverse the order"),
            ("page", "integer", "Page number, from 1"),
        ],
        schema: schema::<SessionsOut<'static>>,
    },
    Operation {
        path: "/api/v1/sessions/{id}",
        summary: "One session, with its turns and its subagents",
        parameters: &[],
        schema: schema::<SessionDetailOut<'static>>,
    },
    Operation {
        path: "/api/v1/sessions/{id}/story",
        summary: "The story of one session, as `recount show --format json` writes it",
        parameters: &[
            ("detail", "prompts talk steps full raw", "Level of detail; full by default"),
            ("from", "integer", "The first turn, from 1"),
            ("to", "integer", "The last turn"),
            ("threads", "boolean", "Whether to include subagents and rewound branches; true by default"),
        ],
        schema: schema::<wire::show::Document<'static>>,
    },
    Operation {
        path: "/api/v1/search",
        summary: "Search results in all sessions, latest first",
        parameters: &[("q", "string", "Query, in the syntax of `recount search`")],
        schema: schema::<FoundOut<'static>>,
    },
    Operation {
        path: "/api/v1/usage",
        summary: "Tokens and cost by day, model, project and tool",
        parameters: &[PROJECT, SINCE, UNTIL, DAYS],
        schema: schema::<FiguresOut<'static>>,
    },
    Operation {
        path: "/api/v1/projects",
        summary: "The projects in which sessions ran",
        parameters: &[PROJECT, SINCE, UNTIL, DAYS],
        schema: schema::<ProjectsOut<'static>>,
    },
    Operation {
        path: "/api/v1/tools",
        summary: "Figures of tools: calls, failures, durations, slow calls and repeated errors",
        parameters: &[PROJECT, SINCE, UNTIL, DAYS, ("tool", "string", "Limit slow calls and errors to this tool")],
        schema: schema::<ToolsOut<'static>>,
    },
    Operation {
        path: "/api/v1/archive",
        summary: "The contents of the archives",
        parameters: &[],
        schema: schema::<ArchivesOut>,
    },
];

fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

fn parameter((name, kind, what): &Parameter) -> Value {
    let schema = match *kind {
        "integer" => json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
        kind @ ("string" | "boolean") => json!({ "type": kind }),
        words => json!({ "type": "string", "enum": words.split(' ').collect::<Vec<_>>() }),
    };
    json!({ "name": name, "in": "query", "description": what, "schema": schema })
}

fn document() -> Value {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = settings.into_generator();
    let refused = |why: &str| json!({ "description": why, "content": { "text/plain": {} } });
    let mut paths = serde_json::Map::new();
    for Operation { path, summary, parameters, schema } in OPERATIONS {
        let in_path = path.contains("{id}").then(|| {
            json!({ "name": "id", "in": "path", "required": true, "description": "The id of a session", "schema": { "type": "string" } })
        });
        let parameters: Vec<Value> = in_path.into_iter().chain(parameters.iter().map(parameter)).collect();
        let answer =
            json!({ "description": "ok", "content": { "application/json": { "schema": schema(&mut generator) } } });
        let mut responses = json!({
            "200": answer,
            "400": refused("invalid parameter"),
            "401": refused("missing or invalid token"),
            "403": refused("request from another site"),
            "421": refused("request to an unknown host name"),
        });
        if path.contains("{id}") {
            responses["404"] = refused("no such session");
            responses["503"] = refused(
                "the session is being read, or large requests are running; try again after `Retry-After` seconds",
            );
        }
        paths.insert(
            path.to_owned(),
            json!({ "get": { "summary": summary, "parameters": parameters, "responses": responses } }),
        );
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "recount", "version": "1", "description": "The HTTP API of `recount serve`. It is read-only." },
        "servers": [{ "url": "http://127.0.0.1:4747" }],
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": generator.take_definitions(true),
        },
    })
}

#[test]
fn the_document_matches_the_types() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let fresh = format!("{}\n", serde_json::to_string_pretty(&document()).unwrap());
    if env::var_os("RECOUNT_UPDATE_DOCS").is_some() {
        fs::write(&path, &fresh).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == fresh,
        "docs/openapi.json is stale; hint: RECOUNT_UPDATE_DOCS=1 cargo test -p recount-server openapi"
    );
}
