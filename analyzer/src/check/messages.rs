//! Messages about a check: errors in its input, and what it left out.

use crate::{
    budget, escape, guard,
    project::{HOST, MissingBuildOutput, MissingBuildOutputReason, MissingReason, Project, UnusedKeys},
    report::{Message, MessageKind as Kind, MessageLevel, Stage},
    suppress::Allowed,
};
use std::path::{Path, PathBuf};

/// Maximum number of unread files that are listed.
const MAX_REFUSED: usize = 5;
/// Maximum number of unexpanded macros that are listed.
const MAX_MACROS: usize = 5;
/// Maximum number of distinct panics that are listed.
const MAX_PANICS: usize = 3;

/// Syntax errors, and items on which rust-analyzer panicked.
pub fn syntax_errors(project: &Project) -> Vec<Message> {
    let broken = project.broken();
    let broken = broken.iter().map(|broken| {
        Message::info(Kind::BrokenCrate, Stage::Start, escape::line(&broken.to_string())).at(broken.location().cloned())
    });
    let errors = project.syntax_errors().into_iter();
    let errors = errors.map(|error| {
        Message::info(Kind::SyntaxError, Stage::Start, escape::line(&error.message)).at(Some(error.location))
    });
    broken.chain(errors).collect()
}

/// Programs that rustc would reject.
pub fn no_programs(project: &Project) -> Vec<Message> {
    let targets = project.no_programs().into_iter();
    let text = |(name, why): (String, &str)| format!("{}: not analysed: {why}", escape::line(&name));
    targets.map(|target| Message::info(Kind::NotAProgram, Stage::Start, text(target))).collect()
}

/// Libraries with more public functions than the maximum.
pub(super) fn api_left_out(project: &Project) -> Vec<Message> {
    let text = |library: String, count: usize| {
        let library = escape::line(&library);
        format!("{library}: {count} public types and functions are not called: there are too many")
    };
    let libraries = project.api_left_out().into_iter();
    libraries.map(|(library, count)| Message::info(Kind::ApiLeftOut, Stage::Start, text(library, count))).collect()
}

/// Crates with more tests than are run.
pub(super) fn tests_left_out(left_out: Vec<(String, usize)>) -> Vec<Message> {
    let text = |(name, count): (String, usize)| {
        format!("{}: {count} tests are not run: there are too many", escape::line(&name))
    };
    left_out.into_iter().map(|it| Message::info(Kind::TestsLeftOut, Stage::Start, text(it))).collect()
}

/// Invalid `allow` comments.
pub(super) fn wrong_comments(allowed: &Allowed) -> Vec<Message> {
    let message = |text: &str| Message {
        kind: Kind::WrongAllow,
        level: MessageLevel::Warning,
        stage: Stage::Start,
        location: None,
        text: escape::line(text).into_owned(),
    };
    allowed.warnings.iter().map(|(location, wrong)| message(wrong).at(Some(location.clone()))).collect()
}

/// Names in the workspace's configuration that do not exist, and what it leaves out.
pub(super) fn of_config(project: &Project) -> Vec<Message> {
    let unknown = project.config().unknown_names(project).into_iter().map(|text| {
        let message = Message::info(Kind::WrongConfig, Stage::Start, escape::line(&text));
        Message { level: MessageLevel::Warning, ..message }
    });
    let left_out = project.config().left_out();
    let left_out = left_out.map(|text| Message::info(Kind::LeftOut, Stage::Start, escape::line(&text)));
    unknown.chain(left_out).collect()
}

/// Comments that suppressed nothing. Not a warning: the next schedules may need them.
pub(super) fn unused_comments(allowed: &Allowed) -> Vec<Message> {
    let message = |rule: &str| Message {
        kind: Kind::UnusedAllow,
        level: MessageLevel::Note,
        stage: Stage::End,
        location: None,
        text: format!("unused `allow({})`: it suppresses no finding", escape::line(rule)),
    };
    allowed.unused().map(|(location, rule)| message(rule).at(Some(location.clone()))).collect()
}

/// Differences from what a build sees: other platforms than std's, missing dependencies, files that were not read,
/// missing build output, unknown cfgs and macros.
pub fn left_out(project: &Project) -> Vec<Message> {
    let mut messages = Vec::new();
    // What a repository names must not look like lines of ours; only cargo's messages have several.
    let mut say = |kind: Kind, text: String| {
        let text = if kind == Kind::MissingDependency { text } else { escape::line(&text).into_owned() };
        messages.push(Message::info(kind, Stage::End, text));
    };
    for triple in project.other_platforms() {
        say(
            Kind::OtherPlatform,
            format!(
                "checked for `{triple}`, but with the standard library of `{HOST}`: what that library lacks is uninterpreted"
            ),
        );
    }
    let (absent, others): (Vec<_>, Vec<_>) =
        project.left_out().iter().partition(|it| it.why == MissingReason::NotDownloaded);
    if !absent.is_empty() {
        let names: Vec<_> = absent.iter().map(ToString::to_string).collect();
        let text = format!("missing dependencies, not downloaded: {}; run `cargo fetch`", names.join(", "));
        say(Kind::MissingDependency, text);
    }
    others.into_iter().for_each(|other| say(Kind::MissingDependency, format!("missing dependency: {other}")));
    for UnusedKeys { file, keys } in project.unused_configuration() {
        let file = from_here(file);
        let keys: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
        say(Kind::UnusedConfiguration, format!("ignored keys in {}: {}", escape::path(&file), keys.join(", ")));
    }
    let refused = project.refused_files();
    for (path, why) in refused.iter().take(MAX_REFUSED) {
        say(Kind::NotRead, format!("not read: {path}: {why}"));
    }
    if refused.len() > MAX_REFUSED {
        say(Kind::NotRead, format!("not read: {} more files and folders", refused.len() - MAX_REFUSED));
    }
    let macros: Vec<_> =
        project.loaded_macros().iter().map(|it| format!("`{}` ({})", it.package, escape::path(&it.library))).collect();
    if !macros.is_empty() {
        say(Kind::MacrosLoaded, format!("macro libraries loaded: {}", macros.join(", ")));
    }
    not_built(project.unbuilt()).into_iter().for_each(|text| say(Kind::NotBuilt, text));
    let cfgs = project.unknown_cfgs();
    for group in cfgs.chunk_by(|one, other| one.package == other.package) {
        let names: Vec<_> = group.iter().map(|it| format!("`{}` ({})", it.name, it.location)).collect();
        let (package, names) = (&group[0].package, names.join(", "));
        let text = format!("assumed not set: cfgs that the build script of `{package}` may set: {names}");
        say(Kind::UnknownCfg, text);
    }
    let macros = project.unexpanded();
    for it in macros.iter().take(MAX_MACROS) {
        let others = match it.locations.len() - 1 {
            0 => String::new(),
            1 => " and 1 more location".to_owned(),
            n => format!(" and {n} more locations"),
        };
        let why = it.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        say(Kind::NotExpanded, format!("not expanded: `{}` ({}{others}){why}", it.name, it.locations[0]));
    }
    if macros.len() > MAX_MACROS {
        say(Kind::NotExpanded, format!("not expanded: {} more macros", macros.len() - MAX_MACROS));
    }
    messages
}

/// Missing or outdated build output: one line for each reason.
fn not_built(unbuilt: &[MissingBuildOutput]) -> Vec<String> {
    let mut lines = Vec::new();
    for group in unbuilt.chunk_by(|one, other| one.why == other.why) {
        let mut parts: Vec<String> = Vec::new();
        for same in group.chunk_by(|one, other| one.what == other.what) {
            let names: Vec<_> = same.iter().map(|it| format!("`{}`", it.package)).collect();
            parts.push(format!("{} of {}", same[0].what, names.join(", ")));
        }
        let what = parts.join("; ");
        lines.push(match &group[0].why {
            MissingBuildOutputReason::Untrusted => format!("build output not used (`--untrusted`): {what}"),
            MissingBuildOutputReason::WorkspaceNotTrusted(root) => {
                let root = quoted(&from_here(root));
                format!("build output not used, because this workspace is not trusted: {what}; run `tsvd-check trust {root}` to use it")
            }
            MissingBuildOutputReason::NotBuilt => {
                format!("not built: {what}; run `cargo check`, or use `--trusted`")
            }
            MissingBuildOutputReason::Older(file) => {
                format!("build output used, although older than {file}: {what}; run `cargo check`, or use `--trusted`")
            }
            MissingBuildOutputReason::Unusable(says) => format!("build output not usable: {what}: {says}"),
        });
    }
    lines
}

/// Items stopped at a bound of the analysis since the last call.
pub fn stopped(project: &Project) -> Vec<Message> {
    let mut messages = Vec::new();
    for (stop, locations) in project.take_stopped() {
        let more = match locations.len() {
            0 | 1 => String::new(),
            n => format!(" and {} more locations", n - 1),
        };
        let location = locations.first().map(|location| format!(": {location}")).unwrap_or_default();
        let text = format!("analysis stopped: {stop}{location}{more}; the code is treated as unsupported");
        messages.push(Message::info(Kind::Stopped, Stage::End, text));
    }
    if budget::take_out_of_memory() {
        let limit = budget::memory_limit().map_or_else(String::new, |limit| format!(" of {limit}"));
        let text = format!("memory limit{limit} reached (`--memory`): the rest was not explored");
        messages.push(Message::info(Kind::OutOfMemory, Stage::End, text));
    }
    messages
}

/// Features are not checked because of the bound on all steps.
pub fn features_left_out() -> Message {
    let text = "features that are off were not checked: the steps of this effort were spent without them \
                (`--all-features` checks them, `--effort` raises the bound)";
    Message::info(Kind::Stopped, Stage::End, text)
}

/// Items left out since the last call because the checker or rust-analyzer panicked.
pub fn failures() -> Vec<Message> {
    let (count, panics) = guard::take_failures();
    let failures = match count {
        0 => return Vec::new(),
        1 => "internal error in one body, entry or crate".to_owned(),
        n => format!("{n} internal errors, each in one body, entry or crate"),
    };
    let mut lines = vec![format!("{failures}, treated as unsupported code; please report it:")];
    lines.extend(panics.iter().rev().take(MAX_PANICS).map(|panic| format!("  {panic}")));
    if panics.len() > MAX_PANICS {
        lines.push(format!("  and {} more", panics.len() - MAX_PANICS));
    }
    vec![Message::info(Kind::InternalFailure, Stage::End, lines.join("\n"))]
}

/// A path relative to the current folder.
pub fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    match here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf)) {
        Some(below) if below.as_os_str().is_empty() => ".".into(),
        Some(below) => below,
        None => path.to_path_buf(),
    }
}

/// A path, quoted for a shell if necessary.
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy().into_owned();
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "/._-+@".contains(it);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_for_a_shell() {
        assert_eq!(quoted(Path::new("/a/b-c.d")), "/a/b-c.d");
        assert_eq!(quoted(Path::new("a b; $(c)")), "'a b; $(c)'");
        assert_eq!(quoted(Path::new("it's")), r"'it'\''s'");
    }
}
