//! The JSON Schemas and TypeScript declarations of all documents, generated from their types.

mod declaration;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::{archive, board, check, diff, figures, file, found, list, share, show, tail, usage};

/// A published document.
struct Published {
    /// The value of its field `schema`: name and version.
    name: &'static str,
    schema: fn() -> Value,
}

const PUBLISHED: [Published; 19] = [
    Published { name: show::SCHEMA, schema: schema_of::<show::Document<'static>> },
    Published { name: list::SESSIONS, schema: schema_of::<list::SessionsOut<'static>> },
    Published { name: list::PROJECTS, schema: schema_of::<list::ProjectsOut<'static>> },
    Published { name: found::FOUND, schema: schema_of::<found::FoundOut<'static>> },
    Published { name: found::COUNT, schema: schema_of::<found::CountOut<'static>> },
    Published { name: file::FILE, schema: schema_of::<file::FilesOut<'static>> },
    Published { name: diff::DIFF, schema: schema_of::<diff::ChangesOut<'static>> },
    Published { name: board::BOARD, schema: schema_of::<board::BoardOut<'static>> },
    Published { name: tail::TAIL, schema: schema_of::<tail::TailOut<'static>> },
    Published { name: usage::USAGE, schema: schema_of::<usage::UsageOut<'static>> },
    Published { name: archive::ARCHIVED, schema: schema_of::<archive::ArchivedOut> },
    Published { name: archive::STATUS, schema: schema_of::<archive::ArchiveStatusOut> },
    Published { name: archive::VERIFY, schema: schema_of::<archive::ArchiveVerifyOut> },
    Published { name: figures::FIGURES, schema: schema_of::<figures::FiguresOut<'static>> },
    Published { name: figures::TOOLS, schema: schema_of::<figures::ToolsOut<'static>> },
    Published { name: figures::ARCHIVES, schema: schema_of::<figures::ArchivesOut> },
    Published { name: figures::SESSION, schema: schema_of::<figures::SessionDetailOut<'static>> },
    Published { name: share::SHARE, schema: schema_of::<share::ShareOut> },
    Published { name: check::CHECK, schema: schema_of::<check::CheckOut<'static>> },
];

/// The schema of the JSON that a type is serialized to.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    without_suffixes(&schema.to_value())
}

/// The types are called `SessionOut` to distinguish them from their sources; published names omit the suffix.
fn without_suffixes(schema: &Value) -> Value {
    let mut text = schema.to_string();
    let names = schema["$defs"].as_object().into_iter().flat_map(|definitions| definitions.keys());
    for name in names.map(String::as_str).chain(schema["title"].as_str()) {
        let short = name.strip_suffix("Out").unwrap_or(name);
        text = text.replace(&format!("\"{name}\""), &format!("\"{short}\""));
        text = text.replace(&format!("/{name}\""), &format!("/{short}\""));
    }
    serde_json::from_str(&text).unwrap()
}

/// How a document violates a schema. A field that the schema does not mention is a violation as well: the published
/// schemas allow such fields, because later versions may add some, but a test must notice one that is undocumented.
pub(crate) fn violations(schema: &Value, document: &Value) -> Vec<String> {
    let mut strict = schema.clone();
    let mut extended = BTreeSet::new();
    extended_definitions(&strict, &mut extended);
    for (name, definition) in strict["$defs"].as_object_mut().into_iter().flatten() {
        if !extended.contains(name.as_str()) {
            forbid_others(definition);
        }
    }
    forbid_others(&mut strict);
    let validator = jsonschema::draft202012::new(&strict).unwrap();
    validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// The definitions that are referenced beside other properties, which they must therefore allow.
fn extended_definitions(schema: &Value, found: &mut BTreeSet<String>) {
    if let (Some(name), Some(_)) = (schema["$ref"].as_str(), schema.get("properties")) {
        found.extend(name.rsplit('/').next().map(str::to_owned));
    }
    match schema {
        Value::Object(object) => object.values().for_each(|value| extended_definitions(value, found)),
        Value::Array(list) => list.iter().for_each(|value| extended_definitions(value, found)),
        _ => {}
    }
}

/// Allows only the properties that the schema mentions.
fn forbid_others(schema: &mut Value) {
    if schema.get("properties").is_some() {
        schema["unevaluatedProperties"] = json!(false);
    }
}

/// Compares a file in `docs/json/` with its expected content, or rewrites it on request.
fn keep(file: &str, fresh: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/json").join(file);
    if env::var_os("RECOUNT_UPDATE_DOCS").is_some() {
        fs::write(&path, fresh).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == fresh,
        "docs/json/{file} is out of date; hint: RECOUNT_UPDATE_DOCS=1 cargo test -p recount-wire schema"
    );
}

/// The name without the version, which is the name of the files.
fn stem(name: &str) -> &str {
    name.trim_start_matches("recount.").split('/').next().unwrap()
}

#[test]
fn schemas_and_declarations_are_up_to_date() {
    for Published { name, schema } in PUBLISHED {
        let (stem, schema) = (stem(name), schema());
        assert_eq!(schema["properties"]["schema"]["const"], name, "{stem} says its name and version");
        keep(&format!("{stem}.schema.json"), &format!("{}\n", serde_json::to_string_pretty(&schema).unwrap()));
        keep(&format!("{stem}.d.ts"), &declaration::declaration(name, &schema));
    }
}

#[test]
fn every_document_is_listed() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/json");
    let list = fs::read_to_string(path.join("README.md")).unwrap();
    let mut files: Vec<String> =
        fs::read_dir(&path).unwrap().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    files.retain(|name| name != "README.md");
    for Published { name, .. } in PUBLISHED {
        for file in [format!("{}.schema.json", stem(name)), format!("{}.d.ts", stem(name))] {
            assert!(list.contains(&format!("({file})")), "{file} is missing in docs/json/README.md");
            files.retain(|other| *other != file);
        }
    }
    assert_eq!(files, [""; 0], "files of documents that are not published");
}

#[test]
fn violations_are_found() {
    let schema = json!({
        "$defs": { "Named": { "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] } },
        "type": "object",
        "properties": { "by": { "$ref": "#/$defs/Named" }, "ages": { "type": "array", "items": { "type": "integer" } } },
        "required": ["by"],
    });
    assert_eq!(violations(&schema, &json!({ "by": { "name": "a" }, "ages": [1, 2] })), [""; 0]);
    let found = violations(&schema, &json!({ "by": { "nome": "a" }, "ages": [1, "2"], "odd": 1 })).join("\n");
    for part in ["/ages/1", "\"name\" is a required", "'nome'", "'odd'"] {
        assert!(found.contains(part), "{part} in:\n{found}");
    }
}
