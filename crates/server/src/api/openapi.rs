//! The document that describes the interface, made from the types of the answers; `docs/openapi.json` is kept equal to it.

use std::path::PathBuf;
use std::{env, fs};

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Value, json};

use super::{BoardOut, SessionsOut};

/// Something that can be asked for.
struct Operation {
    path: &'static str,
    summary: &'static str,
    /// Their names, what they are, and what they mean.
    parameters: &'static [(&'static str, &'static str, &'static str)],
    schema: fn(&mut SchemaGenerator) -> Value,
}

const OPERATIONS: [Operation; 2] = [
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
            ("sort", "string", "last, title, project, turns, calls, failed, tokens, cost or active"),
            ("page", "integer", "Which page, from 1"),
        ],
        schema: schema::<SessionsOut<'static>>,
    },
];

fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

fn document() -> Value {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = settings.into_generator();
    let refused = |why: &str| json!({ "description": why, "content": { "text/plain": {} } });
    let mut paths = serde_json::Map::new();
    for Operation { path, summary, parameters, schema } in OPERATIONS {
        let parameters: Vec<Value> = parameters
            .iter()
            .map(|(name, kind, what)| {
                let mut schema = json!({ "type": kind });
                if *kind == "integer" {
                    schema["minimum"] = json!(0);
                }
                json!({ "name": name, "in": "query", "description": what, "schema": schema })
            })
            .collect();
        let answer =
            json!({ "description": "ok", "content": { "application/json": { "schema": schema(&mut generator) } } });
        let responses = json!({
            "200": answer,
            "400": refused("a parameter cannot be read"),
            "401": refused("no token, or a wrong one"),
            "403": refused("asked by another site"),
            "421": refused("asked by another name"),
        });
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
    assert!(kept == fresh, "docs/openapi.json is stale; hint: RECOUNT_UPDATE_DOCS=1 cargo test -p server openapi");
}
