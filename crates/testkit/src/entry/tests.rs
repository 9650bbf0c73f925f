use super::*;
use serde_json::{Value, json};

fn keys(line: &str) -> Vec<String> {
    // Top-level keys in written order: a minimal parser for the kit's own output.
    let mut depth = 0;
    let mut in_string = false;
    let mut escaped = false;
    let mut current = String::new();
    let mut found = Vec::new();
    for character in line.chars() {
        if in_string {
            if escaped {
                escaped = false;
            } else if character == '\\' {
                escaped = true;
            } else if character == '"' {
                in_string = false;
                continue;
            }
            if depth == 1 {
                current.push(character);
            }
            continue;
        }
        match character {
            '"' => {
                in_string = true;
                current.clear();
            }
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ':' if depth == 1 => found.push(std::mem::take(&mut current)),
            _ => {}
        }
    }
    found
}

#[test]
fn a_prompt_has_the_key_order_of_its_version() {
    let new = user("hi").prompt_id("p").line();
    assert_eq!(
        keys(&new).join(","),
        "parentUuid,isSidechain,promptId,type,message,uuid,timestamp,userType,entrypoint,cwd,sessionId,version,gitBranch"
    );
    let old = user("hi").version("1.0.35").line();
    assert_eq!(
        keys(&old).join(","),
        "parentUuid,isSidechain,userType,cwd,sessionId,version,type,message,uuid,timestamp"
    );
}

#[test]
fn an_answer_has_the_key_order_of_its_version() {
    let new = assistant().text("Done.").line();
    assert_eq!(
        keys(&new).join(","),
        "parentUuid,isSidechain,message,requestId,type,uuid,timestamp,userType,entrypoint,cwd,sessionId,version,gitBranch"
    );
    let value: Value = serde_json::from_str(&new).unwrap();
    assert_eq!(value["message"]["stop_reason"], "end_turn");
    let call = assistant().tool_use("Read", json!({"file_path": "/a"})).line();
    let value: Value = serde_json::from_str(&call).unwrap();
    assert_eq!(value["message"]["stop_reason"], "tool_use");
    assert_eq!(value["message"]["content"][0]["caller"]["type"], "direct");
}

#[test]
fn attachments_precede_their_type() {
    let line = attachment("queued_command", json!({"prompt": "x"})).line();
    assert!(line.contains(r#""attachment":{"type":"queued_command","prompt":"x"},"type":"attachment","uuid""#));
}

#[test]
fn system_entries_put_the_time_first() {
    let line = system("turn_duration").with("durationMs", 48211).with_after("isMeta", false).line();
    assert!(line.contains(r#""subtype":"turn_duration","durationMs":48211,"timestamp":"#), "{line}");
}

#[test]
fn results_carry_both_forms() {
    let call = assistant().tool_use("Bash", json!({"command": "ls"})).tool_uses().remove(0);
    let line = tool_result(&call).error("Exit code 1").with_result("Error: Exit code 1").line();
    let value: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(value["message"]["content"][0]["tool_use_id"], call.id);
    assert_eq!(value["message"]["content"][0]["is_error"], true);
    assert_eq!(value["toolUseResult"], "Error: Exit code 1");
}

#[test]
fn any_key_can_be_overridden_or_left_out() {
    let line = user("hi").with("cwd", Json::Null).without("version").with("novel", 1).line();
    let value: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(value["cwd"], Value::Null);
    assert_eq!(value.get("version"), None);
    assert_eq!(value["novel"], 1);
}

#[test]
fn metadata_has_no_envelope() {
    assert_eq!(summary("Fix", "u").line(), r#"{"type":"summary","summary":"Fix","leafUuid":"u"}"#);
    assert_eq!(ai_title("T").in_session("s").line(), r#"{"type":"ai-title","aiTitle":"T","sessionId":"s"}"#);
}

#[test]
fn compaction_names_the_old_leaf() {
    let line = compact_boundary("auto", "leaf", json!({"preTokens": 167_204})).line();
    let value: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(value["parentUuid"], Value::Null);
    assert_eq!(value["logicalParentUuid"], "leaf");
    assert_eq!(value["compactMetadata"]["preTokens"], 167_204);
}
