//! Cells of notebooks.

use std::borrow::Cow;

use format::tool::{Cell, NotebookEditResult};
use story::Detail;

use crate::pen::{Form, Pen, first_of, word};
use crate::section::Body;

/// Cells, each with its output.
pub(super) fn all<'e>(cells: &'e [Cell<'e>], pen: &mut Pen<'_, 'e>) {
    for cell in cells {
        let number = cell.execution_count.or(cell.index).map(|number| format!("[{number}]")).unwrap_or_default();
        let title = [word(cell.kind), word(cell.id), &number].join(" ").trim().to_owned();
        pen.put("cell", Body::Group(Cow::Owned(title)));
        let has_both = cell.execution_count.is_some() && cell.index.is_some();
        pen.record(
            cell,
            &[
                ("cellType", Form::Elsewhere),
                ("cell_id", Form::Elsewhere),
                ("execution_count", Form::Elsewhere),
                ("cell", if has_both { Form::Detail } else { Form::Elsewhere }),
                ("language", Form::Detail),
                ("source", Form::Elsewhere),
                ("outputs", Form::Elsewhere),
            ],
        );
        source(word(cell.source), word(cell.kind), word(cell.language), pen);
        cell.outputs.iter().for_each(|printed| pen.json("outputs", Form::Output, *printed));
    }
}

/// The source of a cell: prose or code.
pub(super) fn source<'e>(source: &'e str, kind: &str, language: &'e str, pen: &mut Pen<'_, 'e>) {
    if source.trim().is_empty() {
        return;
    }
    let text = Cow::Borrowed(source);
    let language = first_of([language, "python"]);
    let body = if kind == "markdown" { Body::Prose(text) } else { Body::Code { language, text } };
    pen.put(SOURCE, body);
}

/// The label of the source of a cell.
pub(super) const SOURCE: &str = "source";

/// A cell after an edit. The call shows the new source.
pub(super) fn edited<'e>(edit: &'e NotebookEditResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(edit, &[("new_source", Form::Elsewhere), ("old_source", Form::Elsewhere), ("error", Form::Output)]);
    let language = first_of([word(edit.language), "python"]);
    match (edit.old_source, edit.new_source) {
        (Some(old), Some(new)) if word(edit.edit_mode) != "delete" => {
            let (old, new) = (Cow::Borrowed(old.as_str()), Cow::Borrowed(new.as_str()));
            pen.put("", Body::Replacement { path: word(edit.notebook_path), language, old, new });
        }
        (old, new) => {
            source(word(old), word(edit.cell_type), language, pen);
            source(word(new), word(edit.cell_type), language, &mut pen.at(Detail::Raw));
        }
    }
}
