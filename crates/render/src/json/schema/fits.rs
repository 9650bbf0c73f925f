pub(in super::super) fn misfits(_: &serde_json::Value, _: &serde_json::Value) -> Vec<String> {
    Vec::new()
}
