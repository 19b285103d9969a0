//! `tsvd-check trust` and `untrust`: the workspaces whose build output is used.

use super::{print, say};
use analyzer::{
    allowed_workspaces,
    check::messages::{from_here, quoted},
    escape,
};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct TrustCommand {
    /// The workspace: its folder or `Cargo.toml`, or a `rust-project.json`.
    #[arg(default_value = ".", value_name = "PATH")]
    path: PathBuf,
    /// List the trusted workspaces, and change nothing.
    #[arg(long, conflicts_with = "path")]
    list: bool,
}

/// Trusts a workspace, or lists those that are.
pub(super) fn trust(command: &TrustCommand) -> Result<u8, String> {
    if command.list {
        let folders = allowed_workspaces::all()
            .map_err(|error| format!("the list of trusted workspaces cannot be used: {error}"))?;
        if folders.is_empty() {
            say("no workspace is trusted");
        }
        folders.iter().for_each(|it| print(&escape::path(it)));
        return Ok(0);
    }
    let (root, is_new) = allowed_workspaces::allow(&command.path)?;
    if is_new {
        say(&format!(
            "trusted: {}\nFrom now on the output of its last build is used: that of build scripts, and procedural macros, which run \
             as you.\n`tsvd-check untrust {}` undoes this.",
            escape::path(&root),
            quoted(&from_here(&root)),
        ));
    } else {
        say(&format!("{} is already trusted", escape::path(&root)));
    }
    Ok(0)
}

/// Undoes [`trust`].
pub(super) fn untrust(path: &Path) -> Result<u8, String> {
    let (root, is_new) = allowed_workspaces::disallow(path)?;
    let what = if is_new { "is not trusted any more" } else { "was not trusted" };
    say(&format!("{} {what}", escape::path(&root)));
    Ok(0)
}
