//! JSON of a known form that `format` leaves untyped, because only display needs more than its texts.

use std::borrow::Cow;
use std::fmt;

use format::Raw;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use story::Detail;

use crate::pen::{Form, Pen};
use crate::section::{Body, Image, Label, Section, Value};

/// Splits the outputs of cells and of tools at the API into typed sections; leaves other sections unchanged.
pub(super) fn refined(section: Section<'_>) -> Vec<Section<'_>> {
    let Body::Json(json) = section.body else { return vec![section] };
    let bodies = match section.label.key {
        "outputs" => printed(json),
        "served" => served(json),
        "resource" => held(json),
        "asked" => return keys(&section, json),
        _ => None,
    };
    match bodies {
        Some(bodies) => {
            let of = |(key, body)| Section { label: Label::new(key), body, ..section };
            bodies.into_iter().map(of).collect()
        }
        None => vec![section],
    }
}

/// An object as one section per key.
fn keys<'e>(section: &Section<'e>, json: &'e str) -> Vec<Section<'e>> {
    let Ok(Keys(keys)) = serde_json::from_str::<Keys<'e>>(json) else { return vec![section.clone()] };
    let mut sections = Vec::with_capacity(keys.len());
    let mut each = |section| sections.push(section);
    let mut pen = Pen::new(Detail::Full, &mut each);
    let mut pen = pen.by(section.speaker);
    for (key, value) in keys {
        match key {
            Cow::Borrowed(key) => pen.verbatim().json(key, Form::Fact, Raw::from(value.get())),
            // Escaped keys do not occur in practice; the section then stays as it is.
            Cow::Owned(_) => return vec![section.clone()],
        }
    }
    sections
}

/// The keys of an object, in order.
struct Keys<'j>(Vec<(Cow<'j, str>, &'j RawValue)>);

impl<'j> Deserialize<'j> for Keys<'j> {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'j> Visitor<'j> for Pairs {
            type Value = Keys<'j>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'j>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut keys = Vec::new();
                while let Some((Key(key), value)) = map.next_entry()? {
                    keys.push((key, value));
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// A key, borrowed if it contains no escapes.
#[derive(serde::Deserialize)]
struct Key<'j>(#[serde(borrow)] Cow<'j, str>);

type Bodies<'e> = Option<Vec<(&'static str, Body<'e>)>>;

/// The output of a cell, as the tool returns it.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Printed<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
    #[serde(borrow)]
    image: Option<Picture<'a>>,
}

#[derive(serde::Deserialize)]
struct Picture<'a> {
    #[serde(borrow)]
    image_data: Cow<'a, str>,
    #[serde(borrow, default)]
    media_type: Cow<'a, str>,
}

fn printed(json: &str) -> Bodies<'_> {
    let Printed { text, image } = serde_json::from_str(json).ok()?;
    let image = image.map(|image| (image.media_type, image.image_data)).map(picture);
    let text = Some(text).filter(|text| !text.is_empty()).map(|text| ("", Body::Output(text)));
    let bodies: Vec<_> = text.into_iter().chain(image).collect();
    (!bodies.is_empty()).then_some(bodies)
}

fn picture<'e>((media_type, data): (Cow<'e, str>, Cow<'e, str>)) -> (&'static str, Body<'e>) {
    let media_type = if media_type.is_empty() { Cow::Borrowed("image/png") } else { media_type };
    ("", Body::Image(Image { media_type, data }))
}

/// The known fields of a result of a tool at the API.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Served<'a> {
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(borrow)]
    stdout: Cow<'a, str>,
    #[serde(borrow)]
    stderr: Cow<'a, str>,
    return_code: Option<i64>,
    #[serde(borrow)]
    error_code: Cow<'a, str>,
}

fn served(json: &str) -> Bodies<'_> {
    if json.starts_with('[') {
        let pages: Vec<Served<'_>> = serde_json::from_str(json).ok()?;
        let are_pages = pages.iter().all(|page| !page.url.is_empty());
        let links = pages
            .into_iter()
            .map(|page| ("", Body::Link { title: page.title, target: page.url, about: Cow::Borrowed("") }));
        return are_pages.then(|| links.collect());
    }
    let served: Served<'_> = serde_json::from_str(json).ok()?;
    if !served.error_code.is_empty() {
        return Some(vec![("error", Body::Fact(Value::Text(served.error_code)))]);
    }
    let code = served.return_code?;
    let streams = [("stdout", served.stdout), ("stderr", served.stderr)];
    let streams = streams.into_iter().filter(|(_, text)| !text.is_empty());
    let code = (code != 0).then_some(("exitCode", Body::Fact(Value::Number(code))));
    Some(code.into_iter().chain(streams.map(|(key, text)| (key, Body::Output(text)))).collect())
}

/// The content of a resource of an MCP server, if it is embedded.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Held<'a> {
    #[serde(borrow)]
    uri: Cow<'a, str>,
    #[serde(borrow, rename = "mimeType")]
    media_type: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
    #[serde(borrow)]
    blob: Cow<'a, str>,
}

fn held(json: &str) -> Bodies<'_> {
    let Held { uri, media_type, text, blob } = serde_json::from_str(json).ok()?;
    let is_known = !uri.is_empty() || !text.is_empty() || !blob.is_empty();
    let fact = |key, value: &Cow<'_, str>| {
        (!value.is_empty()).then(|| (key, Body::Fact(Value::Text(Cow::Owned(value.clone().into_owned())))))
    };
    let facts = [fact("uri", &uri), fact("mimeType", &media_type)];
    let text = (!text.is_empty()).then_some(("", Body::Output(text)));
    let blob = (!blob.is_empty()).then(|| picture((media_type, blob)));
    is_known.then(|| facts.into_iter().flatten().chain(text).chain(blob).collect())
}
