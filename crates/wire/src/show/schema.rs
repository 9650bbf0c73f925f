//! The schema and the TypeScript declaration of the document, made from its types.

mod declaration;
mod fits;

use std::path::PathBuf;
use std::{env, fs};

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value;

use super::Document;
pub(super) use fits::misfits;

/// The schema of what is written: nothing in it is ever null.
pub(super) fn schema() -> Value {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.inline_subschemas = false;
    let mut schema = settings.into_generator().into_root_schema_for::<Document>();
    RecursiveTransform(|schema: &mut schemars::Schema| drop_null(schema)).transform(&mut schema);
    schema.to_value()
}

fn drop_null(schema: &mut schemars::Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [kind] = types.as_slice() {
            let kind = kind.clone();
            object.insert("type".to_owned(), kind);
        }
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|choice| choice["type"] != "null");
        if let [Value::Object(choice)] = choices.as_slice() {
            let choice = choice.clone();
            object.remove("anyOf");
            object.extend(choice);
        }
    }
}

/// Compares a file in `docs/` with what it should be, or writes it anew if that is asked for.
fn keep(name: &str, fresh: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if env::var_os("RECOUNT_UPDATE_DOCS").is_some() {
        fs::write(&path, fresh).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == fresh,
        "docs/{name} is not what the types say; hint: RECOUNT_UPDATE_DOCS=1 cargo test -p recount-wire schema"
    );
}

#[test]
fn the_schema_is_what_the_types_say() {
    keep("story.schema.json", &format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap()));
}

#[test]
fn the_declaration_is_what_the_types_say() {
    keep("story.d.ts", &declaration::declaration(&schema()));
}
