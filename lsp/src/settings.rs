//! Settings of the client, and its user's trust in the workspace.

use analyzer::{
    allowed_workspaces,
    project::{Allowed, Trust},
};
use serde_json::Value;
use std::path::PathBuf;

/// The section of our settings.
pub(crate) const SECTION: &str = "tsvd-check";

/// The setting that lowers trust.
pub(crate) const TRUST: &str = "tsvd-check.trust";

/// The initialization option with which an editor that asks its user passes the answer on.
const WORKSPACE_TRUSTED: &str = "workspaceTrusted";

/// How far the workspace is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TrustSettings {
    /// The answer of the editor's user, if the editor asks.
    pub(crate) workspace: Option<bool>,
    /// The setting: it can only lower trust, because a repository may contain settings.
    pub(crate) is_untrusted: bool,
}

impl TrustSettings {
    /// The trust for a project that is loaded now; `folders` are the open ones. The error is a text for the user.
    pub(crate) fn trust(self, folders: &[PathBuf]) -> Result<Trust, String> {
        match self {
            TrustSettings { is_untrusted: true, .. } | TrustSettings { workspace: Some(false), .. } => {
                Ok(Trust::Untrusted)
            }
            TrustSettings { workspace, .. } => {
                let roots = allowed_workspaces::all()
                    .map_err(|error| format!("tsvd-check: the list of trusted workspaces cannot be used: {error}"))?;
                // A file elsewhere does not belong to the trusted workspace.
                let folders = if workspace.is_some() { folders.to_vec() } else { Vec::new() };
                Ok(Trust::IfWorkspaceTrusted(Allowed { roots, folders }))
            }
        }
    }
}

/// The editor's own trust in the workspace, from the initialization options.
pub(crate) fn workspace_trust(options: &Value) -> Option<bool> {
    options.get(WORKSPACE_TRUSTED)?.as_bool()
}

/// The commands of ours that the editor knows itself, by the initialization options.
pub(crate) fn commands(options: &Value) -> Vec<String> {
    let names = options.get("commands").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// The trust setting in options or settings, with or without the name of the section.
pub(crate) fn trust(settings: &Value) -> Option<&Value> {
    let of_section = settings.get(SECTION).and_then(|it| it.get("trust"));
    settings.get(TRUST).or(of_section).or_else(|| settings.get("trust")).filter(|it| !it.is_null())
}

/// Whether the setting lowers trust. The error is a text for the user.
pub(crate) fn is_untrusted(setting: &Value) -> Result<bool, String> {
    match setting.as_str() {
        Some("untrusted") => Ok(true),
        Some("default") => Ok(false),
        _ => Err(format!(
            "tsvd-check: `{TRUST}` is {setting}, which counts as \"untrusted\": write \"untrusted\" or \"default\". To trust a \
             workspace, run `tsvd-check trust` in a terminal"
        )),
    }
}
