//! Damaged and forged bytes, the latter with a valid hash.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;
use testkit::stream::{StreamOptions, write_stream};

use super::{HASH, MAGIC};
use crate::key::Key;
use crate::source::Source;
use crate::{Role, StoryBuilder};

/// A session with an agent, and with a message that is being written.
fn builder() -> StoryBuilder {
    let mut builder = StoryBuilder::default();
    let main = builder.add_source(Source::default());
    let mut file = Vec::new();
    let options = StreamOptions { seed: 11, bytes: 30_000, partial_messages: true, ..StreamOptions::default() };
    write_stream(&mut file, &options).unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/");
    let fixtures = ["streams/stream_that_breaks_off", "user_text/still_waiting_in_the_queue", "system/todos"];
    let fixtures = fixtures.map(|name| std::fs::read(format!("{folder}{name}.jsonl")).unwrap());
    for file in std::iter::once(&file).chain(&fixtures) {
        format::lines(file).for_each(|line| builder.push(main, line));
    }
    let agent =
        builder.add_source(Source { role: Role::Agent { id: "a1".into(), workflow: None }, ..Source::default() });
    format::lines(&file).for_each(|line| builder.push(agent, line));
    builder
}

/// Continues with whatever was restored.
fn go_on(mut builder: StoryBuilder) {
    builder.story();
    let source = builder.add_source(Source::default());
    let file = br#"{"type":"user","uuid":"u1","parentUuid":"u0","message":{"content":"go on"}}
{"type":"assistant","message":{"id":"msg_1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]}}"#;
    format::lines(file).for_each(|line| builder.push(source, line));
    builder.take_changes();
    builder.story().accounting();
    let bytes = builder.store().unwrap();
    assert!(StoryBuilder::restore(&bytes).unwrap().story() == builder.story());
}

fn with_hash(content: &[u8]) -> Vec<u8> {
    [MAGIC, &Key::of_bytes(content).0.to_le_bytes(), content].concat()
}

#[test]
fn damage_is_noticed() {
    let bytes = builder().store().unwrap();
    assert!(StoryBuilder::restore(&bytes).is_some());
    for end in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
        assert!(StoryBuilder::restore(&bytes[..end]).is_none(), "truncated at {end}");
    }
    for at in (0..bytes.len()).step_by(89) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(StoryBuilder::restore(&bytes).is_none(), "changed at {at}");
    }
    assert!(StoryBuilder::restore(&[&bytes[..], b"\0"].concat()).is_none());
    assert!(StoryBuilder::restore(&with_hash(&[&bytes[MAGIC.len() + HASH..], b"\0"].concat())).is_none());
}

#[test]
fn forged_bytes_are_refused_or_read() {
    let stored = builder().store().unwrap();
    let content = &stored[MAGIC.len() + HASH..];
    for end in (0..content.len()).step_by(53) {
        assert!(StoryBuilder::restore(&with_hash(&content[..end])).is_none());
    }
    let accepted = Cell::new(0);
    proptest!(ProptestConfig::with_cases(2000), |(changes in vec((0..content.len(), any::<u8>()), 1..4))| {
        let mut content = content.to_vec();
        for (at, byte) in changes {
            content[at] = byte;
        }
        if let Some(builder) = StoryBuilder::restore(&with_hash(&content)) {
            go_on(builder);
            accepted.set(accepted.get() + 1);
        }
    });
    assert!(accepted.get() > 100, "{accepted:?} of 2000 were accepted");
}
