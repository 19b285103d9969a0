//! The platform of the user's code: its cfgs, from rustc.
//!
//! std stays that of Linux on x86_64 (decision 9), and so do the machine's pointers and layouts. Platforms for which
//! that would give wrong results throughout are refused.

use super::{LoadError, UnusedKeys, build_output::cfg, tools::Tools};
use crate::std_tree;
use cargo_metadata::cargo_platform::{self, Cfg};
use ra_ap_cfg::CfgAtom;
use std::str::FromStr as _;

/// The platform of std, and the default for programs.
pub const HOST: &str = "x86_64-unknown-linux-gnu";

/// A platform.
#[derive(Debug, Clone)]
pub(super) struct Platform {
    /// Its target triple.
    pub(super) triple: String,
    /// The cfgs of the user's crates.
    pub(super) cfg: Vec<CfgAtom>,
    /// Whether it was given by name: cargo then builds into a separate folder.
    pub(super) is_named: bool,
}

impl Platform {
    /// The platform with this triple; [`HOST`] if `None`.
    pub(super) fn of(triple: Option<&str>, tools: &Tools) -> Result<Platform, LoadError> {
        let Some(triple) = triple else {
            return Ok(Platform { triple: HOST.to_owned(), cfg: std_tree::user_cfg(), is_named: false });
        };
        let cfg = if triple == HOST { std_tree::user_cfg() } else { cfg_of(triple, tools)? };
        Ok(Platform { triple: triple.to_owned(), cfg, is_named: true })
    }

    /// The platform that cargo builds for, with the cfgs that it sets: the given one, or that of the environment or the
    /// configuration. If the configuration's cannot be used, that is noted there.
    pub(super) fn of_build(triple: Option<&str>, tools: &mut Tools) -> Result<Platform, LoadError> {
        let of_environment = std::env::var("CARGO_BUILD_TARGET").ok();
        let mut platform = match (triple.or(of_environment.as_deref()), &tools.configuration.target) {
            (None, Some((configured, file))) => match Platform::of(Some(configured), tools) {
                Ok(platform) => platform,
                Err(error) => {
                    let keys = vec![format!("build.target ({error})")];
                    tools.configuration.unused.push(UnusedKeys { file: file.clone(), keys });
                    Platform::of(None, tools)?
                }
            },
            (triple, _) => Platform::of(triple, tools)?,
        };
        let known: Vec<Cfg> = platform.cfg.iter().filter_map(|atom| Cfg::from_str(&atom.to_string()).ok()).collect();
        let holds =
            |text: &str| cargo_platform::Platform::from_str(text).is_ok_and(|it| it.matches(&platform.triple, &known));
        let set = tools.configuration.cfgs(&platform.triple, holds);
        platform.cfg.extend(set.iter().filter_map(|it| cfg(it)));
        Ok(platform)
    }
}

/// The cfgs that rustc prints for a platform, without instruction sets: as for [`HOST`], portable code is chosen.
fn cfg_of(triple: &str, tools: &Tools) -> Result<Vec<CfgAtom>, LoadError> {
    let refused = |why: &str| LoadError::Platform(triple.to_owned(), why.to_owned());
    let is_name = |it: char| it.is_ascii_alphanumeric() || "-_.".contains(it);
    if !triple.chars().all(is_name) || triple.ends_with(".json") || triple.starts_with('-') {
        return Err(refused("only platforms that rustc knows by name (`rustc --print target-list`) can be chosen"));
    }
    let mut command = tools.rustc();
    command.args(["--print", "cfg", "--target", triple]);
    let output =
        tools.output(&mut command).map_err(|error| refused(&format!("rustc has to be asked about it: {error}")))?;
    if !output.status.success() {
        let says = String::from_utf8_lossy(&output.stderr);
        let first = says.lines().next().unwrap_or_default().trim_start_matches("error: ");
        return Err(refused(&format!("rustc says: {first}; `rustc --print target-list` names those it knows")));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let has = |line: &str| text.lines().any(|it| it.trim() == line);
    if !has("target_pointer_width=\"64\"") || !has("target_endian=\"little\"") {
        return Err(refused("the interpreter supports only 64-bit little-endian platforms"));
    }
    if !has("panic=\"unwind\"") {
        return Err(refused("panics do not unwind there; the interpreter supports only unwinding"));
    }
    let cfg = text.lines().filter(|line| !line.starts_with("target_feature=")).filter_map(cfg);
    // A stable rustc does not print this one.
    Ok(cfg.chain([CfgAtom::Flag(ra_ap_intern::Symbol::intern("overflow_checks"))]).collect())
}
