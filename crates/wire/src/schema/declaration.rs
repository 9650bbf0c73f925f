//! A TypeScript declaration from a schema, for the subset of JSON Schema that the documents use.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// Declares a document and all its parts.
pub(super) fn declaration(name: &str, schema: &Value) -> String {
    let mut out = format!("// {name}, generated from the types in crates/wire: see docs/json/README.md.\n");
    let title = schema["title"].as_str().unwrap();
    declare(title, schema, &mut out);
    for (name, part) in schema["$defs"].as_object().into_iter().flatten() {
        declare(name, part, &mut out);
    }
    out
}

fn declare(name: &str, schema: &Value, out: &mut String) {
    out.push('\n');
    comment("", schema, out);
    let choices = choices(schema);
    if schema["properties"].is_object() && choices.is_empty() {
        let _ = writeln!(out, "export interface {name} {}", fields(schema, ""));
        return;
    }
    let _ = write!(out, "export type {name} =");
    if schema["properties"].is_object() {
        let _ = write!(out, " {} & (", fields(schema, ""));
    }
    for choice in choices {
        out.push('\n');
        comment("  ", choice, out);
        let _ = write!(out, "  | {}", type_of(choice));
    }
    match (schema["properties"].is_object(), choices.is_empty()) {
        (true, _) => out.push_str("\n);\n"),
        (false, false) => out.push_str(";\n"),
        (false, true) => {
            let _ = writeln!(out, " {};", type_of(schema));
        }
    }
}

fn choices(schema: &Value) -> &[Value] {
    schema["oneOf"].as_array().map_or(&[], Vec::as_slice)
}

fn comment(indent: &str, schema: &Value, out: &mut String) {
    if let Some(text) = schema["description"].as_str() {
        let _ = writeln!(out, "{indent}/** {} */", text.replace('\n', " "));
    }
}

/// The properties of an object; the one that distinguishes its kind comes first.
fn fields(schema: &Value, indent: &str) -> String {
    let properties = schema["properties"].as_object().unwrap();
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    let mut sorted: Vec<(&String, &Value)> = properties.iter().collect();
    sorted.sort_by_key(|(name, field)| (field.get("const").is_none(), !required(name)));
    let mut out = String::from("{\n");
    for (name, field) in sorted {
        let inner = format!("{indent}  ");
        comment(&inner, field, &mut out);
        let _ = writeln!(out, "{inner}{name}{}: {};", if required(name) { "" } else { "?" }, type_of(field));
    }
    out.push_str(indent);
    out.push('}');
    out
}

fn type_of(schema: &Value) -> String {
    let Some(schema) = schema.as_object() else { return "unknown".to_owned() };
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let name = reference.rsplit('/').next().unwrap().to_owned();
        return match kind_of(schema) {
            Some(kind) => format!("({{ kind: {kind} }} & {name})"),
            None => name,
        };
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    let alternatives = ["anyOf", "oneOf"].iter().find_map(|keyword| schema.get(*keyword)?.as_array());
    if let Some(alternatives) = alternatives {
        return alternatives.iter().map(type_of).collect::<Vec<_>>().join(" | ");
    }
    if schema.contains_key("properties") {
        return fields(&Value::Object(schema.clone()), "  ");
    }
    match schema.get("type") {
        Some(Value::String(name)) => simple(name, schema),
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).map(|name| simple(name, schema)).collect::<Vec<_>>().join(" | ")
        }
        _ => "unknown".to_owned(),
    }
}

fn simple(name: &str, schema: &Map<String, Value>) -> String {
    let inner = |key: &str| schema.get(key).map_or_else(|| "unknown".to_owned(), type_of);
    match name {
        "string" => "string".to_owned(),
        "integer" | "number" => "number".to_owned(),
        "boolean" => "boolean".to_owned(),
        "null" => "null".to_owned(),
        "array" if schema.contains_key("prefixItems") => {
            let items = schema["prefixItems"].as_array().unwrap().iter().map(type_of).collect::<Vec<_>>();
            format!("[{}]", items.join(", "))
        }
        "array" => match inner("items") {
            item if item.contains(" | ") => format!("({item})[]"),
            item => format!("{item}[]"),
        },
        "object" => format!("Record<string, {}>", inner("additionalProperties")),
        other => panic!("no TypeScript for {other}"),
    }
}

/// The word that distinguishes a kind of step from the others.
fn kind_of(schema: &Map<String, Value>) -> Option<&Value> {
    schema.get("properties")?.get("kind")?.get("const")
}
