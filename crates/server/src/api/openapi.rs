//! The document that describes the interface, made from the types of the answers; `docs/openapi.json` is kept equal to it.

use std::path::PathBuf;
use std::{env, fs};

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Value, json};
use wire::board::BoardOut;
use wire::figures::{ArchivesOut, FiguresOut, SessionDetailOut, ToolsOut};
use wire::found::FoundOut;
use wire::list::{ProjectsOut, SessionsOut};

/// Something that can be asked for.
struct Operation {
    path: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
    schema: fn(&mut SchemaGenerator) -> Value,
}

/// Its name, what it is, and what it means.
type Parameter = (&'static str, &'static str, &'static str);

const DAYS: Parameter = ("days", "integer", "Only the last days, with today; 0 are all");
const PROJECT: Parameter = ("project", "string", "Only this project: a folder, or a part of its path");
const SINCE: Parameter = (
    "since",
    "string",
    "Only from then on: today, yesterday, monday, last week, 7d, 2026-08-08 or 2026-08-08T09:15:00Z",
);
const UNTIL: Parameter = ("until", "string", "Only up to then; a day or a week means to its end");

const OPERATIONS: [Operation; 9] = [
    Operation {
        path: "/api/v1/board",
        summary: "The board: who needs somebody, who is at what, and what today came to",
        parameters: &[],
        schema: schema::<BoardOut<'static>>,
    },
    Operation {
        path: "/api/v1/sessions",
        summary: "Sessions, 200 on a page",
        parameters: &[
            ("q", "string", "Words of the title, the project, the branch or the id"),
            PROJECT,
            SINCE,
            UNTIL,
            DAYS,
            ("sort", "string", "last, title, project, turns, calls, failed, tokens, cost or active"),
            ("reverse", "boolean", "The other end first"),
            ("page", "integer", "Which page, from 1"),
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
        summary: "One session told, as `recount show --format json` tells it",
        parameters: &[
            ("detail", "prompts talk steps full raw", "How much is told; full unless something else is said"),
            ("from", "integer", "The first turn, from 1"),
            ("to", "integer", "The last turn"),
            ("threads", "boolean", "Whether agents and branches are told, too; true unless something else is said"),
        ],
        schema: schema::<wire::show::Document<'static>>,
    },
    Operation {
        path: "/api/v1/search",
        summary: "What was found in all sessions, the latest first",
        parameters: &[("q", "string", "What to look for, as `recount search` reads it")],
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
        summary: "The folders that sessions worked in",
        parameters: &[PROJECT, SINCE, UNTIL, DAYS],
        schema: schema::<ProjectsOut<'static>>,
    },
    Operation {
        path: "/api/v1/tools",
        summary: "What tools did: calls, failures, durations, slow calls and repeated errors",
        parameters: &[PROJECT, SINCE, UNTIL, DAYS, ("tool", "string", "Slow calls and errors of this tool only")],
        schema: schema::<ToolsOut<'static>>,
    },
    Operation {
        path: "/api/v1/archive",
        summary: "What is kept for good",
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
            "400": refused("a parameter cannot be read"),
            "401": refused("no token, or a wrong one"),
            "403": refused("asked by another site"),
            "421": refused("asked by another name"),
        });
        if path.contains("{id}") {
            responses["404"] = refused("there is no such session");
            responses["503"] = refused("the session is being read; try again");
        }
        paths.insert(
            path.to_owned(),
            json!({ "get": { "summary": summary, "parameters": parameters, "responses": responses } }),
        );
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "recount", "version": "1", "description": "What `recount serve` tells programs. One can only read." },
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
fn the_document_is_what_the_types_say() {
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
