//! What a client can set, and what it says of its user's trust.

use analyzer::{
    allowed_workspaces,
    project::{Allowed, Trust},
};
use serde_json::Value;
use std::path::PathBuf;

/// All settings of ours.
pub(crate) const SECTION: &str = "tsvd-check";

/// Whether less than usual is trusted.
pub(crate) const TRUST: &str = "tsvd-check.trust";

/// The initialization option by which an editor that asks its user passes the answer on.
const WORKSPACE_TRUSTED: &str = "workspaceTrusted";

/// How far what is open is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TrustSettings {
    /// What the editor's user said of the workspace, if it asks.
    pub(crate) workspace: Option<bool>,
    /// The setting: it only lowers trust, as a repository may bring settings.
    pub(crate) is_untrusted: bool,
}

impl TrustSettings {
    /// What follows for a project that is loaded now; `folders` are those that are open. The error is a text for the user.
    pub(crate) fn trust(self, folders: &[PathBuf]) -> Result<Trust, String> {
        match self {
            TrustSettings { is_untrusted: true, .. } | TrustSettings { workspace: Some(false), .. } => {
                Ok(Trust::Untrusted)
            }
            TrustSettings { workspace, .. } => {
                let roots = allowed_workspaces::all()
                    .map_err(|error| format!("tsvd-check: the list of allowed workspaces cannot be used: {error}"))?;
                // A file that lies elsewhere is none of the trusted workspace's.
                let folders = if workspace.is_some() { folders.to_vec() } else { Vec::new() };
                Ok(Trust::IfAllowed(Allowed { roots, folders }))
            }
        }
    }
}

/// What the initialization options say of the editor's own trust in the workspace.
pub(crate) fn workspace_trust(options: &Value) -> Option<bool> {
    options.get(WORKSPACE_TRUSTED)?.as_bool()
}

/// What options or settings say of trust, with or without the name of the section.
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
            "tsvd-check: `{TRUST}` is {setting}; it can be \"untrusted\" or \"default\", and is taken as the first. \
             `tsvd-check trust` in a terminal allows a workspace"
        )),
    }
}
