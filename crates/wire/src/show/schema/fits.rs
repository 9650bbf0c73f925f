//! Whether a document fits its schema: as much of JSON Schema as the schema of the document needs.

use std::collections::BTreeSet;

use serde_json::Value;

/// What does not fit, each with its path. Fields that the schema does not know do not fit either.
pub(in super::super) fn misfits(schema: &Value, document: &Value) -> Vec<String> {
    let mut check = Check { root: schema, misfits: Vec::new() };
    check.whole(schema, document, "");
    check.misfits
}

struct Check<'s> {
    root: &'s Value,
    misfits: Vec<String>,
}

impl Check<'_> {
    fn misfit(&mut self, path: &str, what: &str) {
        self.misfits.push(format!("{path}: {what}"));
    }

    /// Checks a value, and that the schema knows all its fields.
    fn whole(&mut self, schema: &Value, value: &Value, path: &str) {
        if let (Some(known), Some(object)) = (self.value(schema, value, path), value.as_object()) {
            for key in object.keys().filter(|key| !known.contains(*key)) {
                self.misfit(path, &format!("{key} is not in the schema"));
            }
        }
    }

    /// Checks a value; gives the fields that the schema knows, or `None` if it knows any.
    fn value(&mut self, schema: &Value, value: &Value, path: &str) -> Option<BTreeSet<String>> {
        let mut known = BTreeSet::new();
        let mut is_open = schema.get("type").is_none() && schema.get("$ref").is_none() && schema.get("oneOf").is_none();
        for (keyword, rule) in schema.as_object().into_iter().flatten() {
            match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" | "format" => {}
                "$ref" => {
                    let target = self.root.pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap();
                    match self.value(target, value, path) {
                        Some(fields) => known.extend(fields),
                        None => is_open = true,
                    }
                }
                "type" => {
                    let fits = match rule.as_str().unwrap() {
                        "object" => value.is_object(),
                        "array" => value.is_array(),
                        "string" => value.is_string(),
                        "boolean" => value.is_boolean(),
                        "integer" => value.is_i64() || value.is_u64(),
                        "number" => value.is_number(),
                        other => panic!("no rule for the type {other}"),
                    };
                    if !fits {
                        self.misfit(path, &format!("{value} is no {rule}"));
                    }
                }
                "const" | "minimum" | "maximum" => {
                    let fits = match keyword.as_str() {
                        "const" => value == rule,
                        "minimum" => value.as_f64() >= rule.as_f64(),
                        _ => value.as_f64() <= rule.as_f64(),
                    };
                    if !fits {
                        self.misfit(path, &format!("{value} does not fit the {keyword} {rule}"));
                    }
                }
                "required" => {
                    for name in rule.as_array().unwrap().iter().filter_map(Value::as_str) {
                        if value.get(name).is_none() {
                            self.misfit(path, &format!("{name} is missing"));
                        }
                    }
                }
                "properties" => {
                    for (name, field) in rule.as_object().unwrap() {
                        known.insert(name.clone());
                        if let Some(value) = value.get(name) {
                            self.whole(field, value, &format!("{path}/{name}"));
                        }
                    }
                }
                "additionalProperties" => {
                    is_open = true;
                    for (name, value) in value.as_object().into_iter().flatten() {
                        self.whole(rule, value, &format!("{path}/{name}"));
                    }
                }
                "items" => {
                    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.whole(rule, item, &format!("{path}/{number}"));
                    }
                }
                "oneOf" => known.extend(self.one_of(rule, value, path)),
                other => panic!("no rule for {other}"),
            }
        }
        (!is_open).then_some(known)
    }

    /// Exactly one choice must fit.
    fn one_of(&mut self, choices: &Value, value: &Value, path: &str) -> BTreeSet<String> {
        let mut fitting = Vec::new();
        let mut complaints = Vec::new();
        for choice in choices.as_array().unwrap() {
            let mut check = Check { root: self.root, misfits: Vec::new() };
            let known = check.value(choice, value, path).unwrap_or_default();
            if check.misfits.is_empty() {
                fitting.push(known);
            } else if check.misfits.iter().all(|misfit| !misfit.contains("/kind")) {
                complaints.extend(check.misfits);
            }
        }
        match fitting.len() {
            1 => return fitting.remove(0),
            0 => self.misfit(path, &format!("{value} fits no choice: {complaints:?}")),
            _ => self.misfit(path, "fits several choices"),
        }
        BTreeSet::new()
    }
}

#[test]
fn what_does_not_fit_is_found() {
    let schema = serde_json::json!({
        "$defs": {"Name": {"type": "string"}},
        "type": "object",
        "properties": {"name": {"$ref": "#/$defs/Name"}, "ages": {"type": "array", "items": {"type": "integer"}}},
        "required": ["name"],
    });
    assert_eq!(misfits(&schema, &serde_json::json!({"name": "a", "ages": [1, 2]})), [""; 0]);
    assert_eq!(
        misfits(&schema, &serde_json::json!({"nome": "a", "ages": [1, "2"]})),
        ["/ages/1: \"2\" is no \"integer\"", ": name is missing", ": nome is not in the schema"]
    );
}
