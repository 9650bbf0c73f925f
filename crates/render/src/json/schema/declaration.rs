pub(super) fn declaration(_: &serde_json::Value) -> String {
    String::new()
}
