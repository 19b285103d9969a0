//! Escapes texts for the client, so that they cannot change how other text is displayed.

pub(crate) use analyzer::escape::text;
use serde_json::Value;

/// Escapes all texts in a message; names of fields are ours.
pub(crate) fn texts(value: Value) -> Value {
    match value {
        Value::String(it) => Value::String(text(&it).into_owned()),
        Value::Array(items) => items.into_iter().map(texts).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, texts(value))).collect(),
        other => other,
    }
}
