//! What a client can set.

use analyzer::project::Trust;
use serde_json::Value;

/// All settings of ours.
pub(crate) const SECTION: &str = "tsvd-check";

/// How far the client trusts what it has open.
pub(crate) const TRUST: &str = "tsvd-check.trust";

/// What options or settings say of trust, with or without the name of the section.
pub(crate) fn trust(settings: &Value) -> Option<&Value> {
    let of_section = settings.get(SECTION).and_then(|it| it.get("trust"));
    settings.get(TRUST).or(of_section).or_else(|| settings.get("trust")).filter(|it| !it.is_null())
}

/// The error is a text for the user.
pub(crate) fn meaning(said: &Value) -> Result<Trust, String> {
    match said.as_str() {
        Some("untrusted") => Ok(Trust::Untrusted),
        Some("artefacts") => Ok(Trust::Artefacts),
        _ => Err(format!(
            "tsvd-check: `{TRUST}` is {said}; it can be \"untrusted\" or \"artefacts\", and is taken as the first"
        )),
    }
}
