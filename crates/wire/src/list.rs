//! Sessions, their agents, and projects: the columns of each.

#[cfg(any(test, feature = "schema"))]
use std::borrow::Cow;

use app::columns::{AGENT_COLUMNS, Cell, Column, PROJECT_COLUMNS, SESSION_COLUMNS};
use index::catalogue::{Agent, Project, Session};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use story::readable::Moment;

/// The name and version of a list of sessions.
pub const SESSIONS: &str = "recount.sessions/2";

/// The name and version of a list of projects.
pub const PROJECTS: &str = "recount.projects/2";

/// A list of sessions.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct SessionsOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SESSIONS)))]
    schema: &'static str,
    /// How many match the request.
    total: usize,
    /// How many of them are not in this list.
    left_out: usize,
    sessions: Vec<SessionOut<'a>>,
}

impl<'a> SessionsOut<'a> {
    /// Some of `total` sessions.
    pub fn new(sessions: Vec<SessionOut<'a>>, total: usize) -> Self {
        Self { schema: SESSIONS, total, left_out: total.saturating_sub(sessions.len()), sessions }
    }
}

/// A session: its columns, and its subagents if requested.
#[derive(Debug, Clone, Copy)]
pub struct SessionOut<'a> {
    session: &'a Session,
    subagents: Option<&'a [Agent]>,
}

impl<'a> SessionOut<'a> {
    /// A session, with its agents if requested.
    pub const fn of(session: &'a Session, subagents: Option<&'a [Agent]>) -> Self {
        Self { session, subagents }
    }
}

impl Serialize for SessionOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(SESSION_COLUMNS.len() + 1))?;
        write_columns(&mut map, &SESSION_COLUMNS, self.session)?;
        let subagents = self.subagents.map(|agents| agents.iter().map(AgentOut).collect::<Vec<_>>());
        map.serialize_entry("subagents", &subagents)?;
        map.end()
    }
}

/// A subagent of a session: its columns.
#[derive(Debug, Clone, Copy)]
struct AgentOut<'a>(&'a Agent);

impl Serialize for AgentOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(AGENT_COLUMNS.len()))?;
        write_columns(&mut map, &AGENT_COLUMNS, self.0)?;
        map.end()
    }
}

/// A project: its columns.
#[derive(Debug, Clone, Copy)]
struct ProjectOut<'a>(&'a Project);

impl Serialize for ProjectOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(PROJECT_COLUMNS.len()))?;
        write_columns(&mut map, &PROJECT_COLUMNS, self.0)?;
        map.end()
    }
}

fn write_columns<T, M: SerializeMap>(map: &mut M, columns: &[Column<T>], row: &T) -> Result<(), M::Error> {
    columns.iter().try_for_each(|column| map.serialize_entry(column.key, &CellOut(column.cell(row))))
}

/// A value of a column.
struct CellOut<'a>(Cell<'a>);

impl Serialize for CellOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Cell::Empty => serializer.serialize_none(),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Texts(texts) => texts.serialize(serializer),
            Cell::Count(number) | Cell::Faults(number) | Cell::Tokens(number) | Cell::Duration(number) => {
                serializer.serialize_u64(*number)
            }
            Cell::Cost(used) => serializer.serialize_f64(used.cost.dollars()),
            Cell::Moment(at) => Moment(*at).serialize(serializer),
            Cell::Flag(flag) => serializer.serialize_bool(*flag),
        }
    }
}

/// The schema of a row.
#[cfg(any(test, feature = "schema"))]
fn schema_of_columns<T>(
    about: &str,
    columns: &[Column<T>],
    generator: &mut schemars::SchemaGenerator,
) -> schemars::Schema {
    use app::columns::Getter;
    let mut properties = serde_json::Map::new();
    for column in columns {
        let mut schema = match column.value {
            Getter::Text(_) => generator.subschema_for::<String>(),
            Getter::MaybeText(_) => generator.subschema_for::<Option<String>>(),
            Getter::Texts(_) => generator.subschema_for::<Vec<String>>(),
            Getter::Count(_) | Getter::Faults(_) | Getter::Tokens(_) | Getter::Duration(_) => {
                generator.subschema_for::<u64>()
            }
            Getter::MaybeCount(_) => generator.subschema_for::<Option<u64>>(),
            Getter::Cost(_) => generator.subschema_for::<f64>(),
            Getter::Moment(_) => generator.subschema_for::<Option<Moment>>(),
            Getter::Flag(_) => generator.subschema_for::<bool>(),
        };
        schema.insert("description".to_owned(), column.about.into());
        properties.insert(column.key.to_owned(), schema.to_value());
    }
    let required: Vec<&str> = columns.iter().map(|column| column.key).collect();
    schemars::json_schema!({
        "description": about, "type": "object", "properties": properties, "required": required,
    })
}

#[cfg(any(test, feature = "schema"))]
impl schemars::JsonSchema for SessionOut<'_> {
    fn schema_name() -> Cow<'static, str> {
        "SessionOut".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut subagents = generator.subschema_for::<Option<Vec<AgentOut<'static>>>>();
        subagents.insert("description".to_owned(), "its subagents, if requested".into());
        let mut schema = schema_of_columns("A session.", &SESSION_COLUMNS, generator);
        if let Some(properties) = schema.get_mut("properties").and_then(serde_json::Value::as_object_mut) {
            properties.insert("subagents".to_owned(), subagents.to_value());
        }
        if let Some(required) = schema.get_mut("required").and_then(serde_json::Value::as_array_mut) {
            required.push("subagents".into());
        }
        schema
    }
}

#[cfg(any(test, feature = "schema"))]
impl schemars::JsonSchema for AgentOut<'_> {
    fn schema_name() -> Cow<'static, str> {
        "AgentOut".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schema_of_columns("A subagent of a session.", &AGENT_COLUMNS, generator)
    }
}

#[cfg(any(test, feature = "schema"))]
impl schemars::JsonSchema for ProjectOut<'_> {
    fn schema_name() -> Cow<'static, str> {
        "ProjectOut".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schema_of_columns("A project.", &PROJECT_COLUMNS, generator)
    }
}

/// A list of projects.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ProjectsOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = PROJECTS)))]
    schema: &'static str,
    /// How many match the request.
    total: usize,
    /// How many of them are not in this list.
    left_out: usize,
    projects: Vec<ProjectOut<'a>>,
}

impl<'a> ProjectsOut<'a> {
    /// Some of `total` projects.
    pub fn new(projects: &'a [Project], total: usize) -> Self {
        let left_out = total.saturating_sub(projects.len());
        Self { schema: PROJECTS, total, left_out, projects: projects.iter().map(ProjectOut).collect() }
    }
}
