//! Receives sections while they are built.

use std::borrow::Cow;

use format::block::Content;
use format::fields::{FieldValue, Fields};
use format::{Raw, Scratch, Text};
use story::Detail;

use crate::block;
use crate::section::{Body, Label, Section, Speaker, Value};

/// Passes sections on, each with its speaker and level.
pub(crate) struct Pen<'p, 'e> {
    each: &'p mut dyn FnMut(Section<'e>),
    speaker: Speaker,
    level: Detail,
    /// Sections above this level are not built.
    most: Detail,
    group: &'e str,
    /// Whether keys are data of the session.
    is_verbatim: bool,
}

/// The form of a field; the default is a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A short fact with a name.
    Fact,
    /// Plain words.
    Words,
    /// Words of the model to the reader.
    Reply,
    /// Prose in Markdown.
    Prose,
    /// A plan.
    Plan,
    /// Code in this language.
    Code(&'static str),
    /// Output of a program.
    Output,
    /// One item of a list.
    Item,
    /// Not shown: another section contains it, or it is data, or the state before a change.
    Elsewhere,
    /// A fact that is shown only at the highest level of detail.
    Detail,
}

/// The forms of the fields of a record that are not facts, by key.
pub(crate) type Forms = [(&'static str, Form)];

impl<'p, 'e> Pen<'p, 'e> {
    /// Passes on sections up to this level.
    pub(crate) fn new(most: Detail, each: &'p mut dyn FnMut(Section<'e>)) -> Self {
        Self { each, speaker: Speaker::Program, level: Detail::Full, most, group: "", is_verbatim: false }
    }

    /// A pen for another speaker.
    pub(crate) fn by(&mut self, speaker: Speaker) -> Pen<'_, 'e> {
        Pen { each: self.each, speaker, ..*self }
    }

    /// A pen for another level.
    pub(crate) fn at(&mut self, level: Detail) -> Pen<'_, 'e> {
        Pen { each: self.each, level, ..*self }
    }

    /// A pen for a nested record.
    pub(crate) fn within(&mut self, group: &'e str) -> Pen<'_, 'e> {
        Pen { each: self.each, group, ..*self }
    }

    /// A pen for the user's words, which are shown at every level.
    pub(crate) fn human(&mut self) -> Pen<'_, 'e> {
        Pen { each: self.each, speaker: Speaker::Human, level: Detail::Prompts, ..*self }
    }

    /// A pen for a prompt that no person typed: from a task, a schedule, another session, an agent.
    pub(crate) fn sent(&mut self) -> Pen<'_, 'e> {
        Pen { each: self.each, speaker: Speaker::Program, level: Detail::Prompts, ..*self }
    }

    /// Whether sections of this level are wanted at all.
    pub(crate) fn is_wanted(&self) -> bool {
        self.level <= self.most
    }

    pub(crate) fn put(&mut self, key: &'e str, body: Body<'e>) {
        if self.is_wanted() {
            let label = Label { group: self.group, key, is_verbatim: self.is_verbatim };
            (self.each)(Section { speaker: self.speaker, level: self.level, label, body });
        }
    }

    /// Adds a text in a form, unless it is blank.
    pub(crate) fn put_text(&mut self, key: &'e str, form: Form, text: impl Into<Cow<'e, str>>) {
        let text = text.into();
        if text.trim().is_empty() {
            return;
        }
        let body = match form {
            Form::Fact => Body::Fact(Value::Text(text)),
            Form::Words => Body::Words(text),
            Form::Reply => Body::Reply(text),
            Form::Prose => Body::Prose(text),
            Form::Plan => Body::Plan(text),
            Form::Code(language) => Body::Code { language, text },
            Form::Output => Body::Output(text),
            Form::Item => Body::Item(text),
            Form::Elsewhere => return,
            Form::Detail => return self.at(Detail::Raw).put(key, Body::Fact(Value::Text(text))),
        };
        self.put(key, body);
    }

    pub(crate) fn fact(&mut self, key: &'e str, text: Option<Text<'e>>) {
        self.put_text(key, Form::Fact, word(text));
    }

    pub(crate) fn output(&mut self, key: &'e str, text: impl Into<Cow<'e, str>>) {
        self.put_text(key, Form::Output, text);
    }

    pub(crate) fn prose(&mut self, key: &'e str, text: impl Into<Cow<'e, str>>) {
        self.put_text(key, Form::Prose, text);
    }

    pub(crate) fn link(&mut self, title: &'e str, target: &'e str, about: &'e str) {
        let [title, target, about] = [title, target, about].map(Cow::Borrowed);
        self.put("", Body::Link { title, target, about });
    }

    /// Whether `write` adds anything.
    pub(crate) fn writes(&mut self, write: impl FnOnce(&mut Pen<'_, 'e>)) -> bool {
        let (each, mut is_silent) = (&mut *self.each, true);
        let mut watched = |section: Section<'e>| {
            is_silent = false;
            each(section);
        };
        write(&mut Pen { each: &mut watched, ..*self });
        !is_silent
    }

    pub(crate) fn notice(&mut self, words: impl Into<Cow<'e, str>>) {
        self.put("", Body::Notice(words.into()));
    }

    /// Adds a field in its form.
    pub(crate) fn field(&mut self, key: &'e str, form: Form, value: FieldValue<'e>) {
        let fact = match (form, value) {
            (Form::Elsewhere, _) => return,
            (Form::Detail, value) => return self.at(Detail::Raw).field(key, Form::Fact, value),
            (form, FieldValue::Text(text)) => return self.put_text(key, form, text),
            (form, FieldValue::Json(json)) => return self.json(key, form, json),
            (form, FieldValue::Content(content)) => return self.content(key, form, content),
            (_, FieldValue::Record(record)) => return self.within(key).record(record, &[]),
            (_, FieldValue::Element(record)) => return self.element(key, record, &[]),
            (_, FieldValue::Word(word)) => Value::Word(word),
            (_, FieldValue::Id(id)) => Value::Id(id),
            (_, FieldValue::Time(time)) => Value::Time(time),
            (_, FieldValue::Number(number)) => Value::Number(number),
            (_, FieldValue::Fraction(number)) => Value::Fraction(number),
            // The result itself shows success.
            (_, FieldValue::Flag(true)) if key == "success" => {
                return self.at(Detail::Raw).put(key, Body::Fact(Value::Flag(true)));
            }
            // Most flags matter only if they are set.
            (_, FieldValue::Flag(false)) if !FALSE_MATTERS.contains(&key) => return,
            (_, FieldValue::Flag(flag)) => Value::Flag(flag),
        };
        self.put(key, Body::Fact(fact));
    }

    /// Adds JSON: a string as text, an object or a list as JSON, and empty values not at all.
    pub(crate) fn json(&mut self, key: &'e str, form: Form, json: Raw<'e>) {
        let json = json.as_json();
        match json.as_bytes().first() {
            Some(b'"') => self.put_text(key, form, unquoted(json)),
            Some(b'{' | b'[') if json.len() > 2 => self.put(key, Body::Json(json)),
            Some(b'{' | b'[' | b'n') | None => {}
            Some(_) => self.put(key, Body::Fact(Value::Text(Cow::Borrowed(json)))),
        }
    }

    /// Adds text or blocks; the texts in a form.
    fn content(&mut self, key: &'e str, form: Form, content: &'e Content<'e>) {
        let form = if form == Form::Fact { Form::Output } else { form };
        if content.texts().next().is_none() {
            return block::content(content, self);
        }
        content.texts().for_each(|text| self.put_text(key, form, text.as_str()));
        block::others(content, self);
    }

    /// Adds all fields of a record: facts first, then fields with another form.
    pub(crate) fn record(&mut self, record: &'e (impl Fields + ?Sized), forms: &Forms) {
        self.fields(record, Form::Fact, forms);
    }

    /// Adds the fields of an event around the conversation: those with a form at the current level, the others at the
    /// highest level of detail.
    pub(crate) fn event(&mut self, record: &'e (impl Fields + ?Sized), forms: &Forms) {
        self.fields(record, Form::Detail, forms);
    }

    fn fields(&mut self, record: &'e (impl Fields + ?Sized), others: Form, forms: &Forms) {
        if !self.is_wanted() {
            return;
        }
        let form_of = |key: &str| forms.iter().find(|(known, _)| *known == key).map(|(_, form)| *form);
        if others != Form::Detail || self.most >= Detail::Raw {
            record.each_field(&mut |key, value| {
                if form_of(key).is_none() && !DATA.contains(&key) {
                    self.field(key, others, value);
                }
            });
        }
        if !forms.is_empty() {
            record.each_field(&mut |key, value| {
                if let Some(form) = form_of(key) {
                    self.field(key, form, value);
                }
            });
        }
    }

    /// Adds several records of one kind, each as a group.
    pub(crate) fn records<R: Fields>(&mut self, key: &'e str, records: &'e [R], forms: &Forms) {
        for record in records {
            self.element(key, record, forms);
        }
    }

    /// Adds one of several records as a group.
    pub(crate) fn element(&mut self, key: &'e str, record: &'e (impl Fields + ?Sized), forms: &Forms) {
        self.put(key, Body::Group(Cow::Borrowed("")));
        self.within("").record(record, forms);
    }

    /// Adds all fields of an object whose keys are data.
    pub(crate) fn open(&mut self, record: &'e (impl Fields + ?Sized), forms: &Forms) {
        self.verbatim().record(record, forms);
    }

    /// A pen for keys that are data.
    pub(crate) fn verbatim(&mut self) -> Pen<'_, 'e> {
        Pen { each: self.each, is_verbatim: true, ..*self }
    }
}

/// Flags that are relevant even if they are not set.
const FALSE_MATTERS: [&str; 8] =
    ["approve", "recurring", "durable", "success", "pushSent", "localSent", "watching", "met"];

/// Fields that are not readable: bytes, and files before a change.
const DATA: [&str; 10] = [
    "base64",
    "blob",
    "data",
    "encrypted_content",
    "originalFile",
    "originalFileContents",
    "original_file",
    "rendered",
    "signature",
    "updated_file",
];

/// The text, or an empty one.
pub(crate) fn word(text: Option<Text<'_>>) -> &str {
    text.map_or("", Text::as_str)
}

/// The first text that is not empty.
pub(crate) fn first_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> &'a str {
    texts.into_iter().find(|text| !text.trim().is_empty()).unwrap_or_default()
}

/// The text of a JSON string, copied only if it contains escapes.
pub(crate) fn unquoted(json: &str) -> Cow<'_, str> {
    let inside = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap_or(json);
    if !inside.contains('\\') {
        return Cow::Borrowed(inside);
    }
    let scratch = Scratch::default();
    Cow::Owned(Raw::from(json).as_text(&scratch).map_or("", Text::as_str).to_owned())
}
