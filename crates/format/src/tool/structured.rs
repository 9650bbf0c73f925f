//! The `toolUseResult` of an entry, and the calls that say what it is the result of.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::result::is_detached;
use super::{ToolResult, named};
use crate::id::ToolUseId;
use crate::json::fields::Each;
use crate::json::{Broken, Cursor, Notes, Place, Raw, Shape, Value, Visit};

/// The tools of the calls that wait for their results.
///
/// A result does not say which tool it is of. Who keeps the calls of a session
/// and hands them to [`crate::read_with`] has its results typed in the same
/// pass over the line that reads everything else.
#[derive(Debug, Default)]
pub struct Calls(RefCell<FxHashMap<Box<str>, Arc<str>>>);

impl Calls {
    /// Remembers the tool of a call.
    pub fn open(&self, id: ToolUseId<'_>, tool: impl Into<Arc<str>>) {
        self.0.borrow_mut().insert(id.as_str().into(), tool.into());
    }

    /// The tool of a call, which is forgotten now: what is open stays few, however long a session is.
    pub fn close(&self, id: ToolUseId<'_>) -> Option<Arc<str>> {
        self.0.borrow_mut().remove(id.as_str())
    }

    /// Whether a call is open.
    pub fn is_open(&self, id: ToolUseId<'_>) -> bool {
        self.0.borrow().contains_key(id.as_str())
    }

    /// All that are open, in the order of their ids.
    pub fn list(&self) -> Vec<(String, String)> {
        let mut list: Vec<_> = self.0.borrow().iter().map(|(id, tool)| (id.to_string(), tool.to_string())).collect();
        list.sort_unstable();
        list
    }

    /// Forgets all calls.
    pub fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}

/// A `toolUseResult`.
#[derive(Clone, PartialEq)]
pub struct Structured<'a> {
    /// As it stands in the line.
    pub json: Raw<'a>,
    /// What it is, if the call was known when the line was read.
    pub(super) typed: Option<ToolResult<'a>>,
}

impl Structured<'_> {
    /// Whether it was read as what the tool of its call gives.
    pub fn is_typed(&self) -> bool {
        self.typed.is_some()
    }
}

impl fmt::Debug for Structured<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.json, f)
    }
}

impl<'a> From<Raw<'a>> for Structured<'a> {
    fn from(json: Raw<'a>) -> Self {
        Self { json, typed: None }
    }
}

impl Visit for Structured<'_> {
    fn visit<'e>(&'e self, key: &'e str, each: &mut Each<'_, 'e>) {
        self.json.visit(key, each);
    }
    fn shape() -> Shape {
        Shape::Json
    }
}

impl<'a> Value<'a> for Structured<'a> {
    const EXPECTED: &'static str = Raw::EXPECTED;

    fn read(cursor: &mut Cursor<'a>, place: &'static Place, notes: &mut Notes<'a>) -> Result<Option<Self>, Broken> {
        match read_typed(cursor, notes)? {
            Some(structured) => Ok(Some(structured)),
            None => Ok(Raw::read(cursor, place, notes)?.map(Self::from)),
        }
    }
}

/// Reads an object as what the tool of its call gives; leaves the cursor before it if that cannot be told.
fn read_typed<'a>(cursor: &mut Cursor<'a>, notes: &mut Notes<'a>) -> Result<Option<Structured<'a>>, Broken> {
    let (Some(calls), Some(answered)) = (notes.scope.calls, notes.answered) else { return Ok(None) };
    let calls = calls.0.borrow();
    let Some(tool) = calls.get(answered.as_str()).filter(|_| cursor.peek() == Some(b'{')) else { return Ok(None) };
    let (before, mut ahead) = (notes.list.len(), cursor.clone());
    let typed = named::structured(tool, &mut ahead, notes)?.flatten();
    let json = Raw::from(cursor.text_until(&ahead));
    // Of an empty object the text may say more.
    if typed.is_none() || json.as_json() == "{}" || is_detached(json) {
        notes.list.truncate(before);
        return Ok(None);
    }
    *cursor = ahead;
    Ok(Some(Structured { json, typed }))
}
