//! Findings that `replay` can show again: each is a small file in the user's cache folder, by its id. Nothing is written
//! into the folders of programs.

use analyzer::project::Features;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// So many findings are kept; the oldest ones go.
const KEPT: usize = 1000;

/// What has to be known to show a finding again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Remembered {
    /// The program's package or file.
    pub(crate) path: PathBuf,
    /// Edition of a single file.
    pub(crate) edition: String,
    /// Features of the package.
    pub(crate) features: Features,
    /// Platform that the package's code was seen for.
    pub(crate) target: Option<String>,
    /// Whether nothing that a build left was used.
    pub(crate) untrusted: bool,
    /// Which program of a package.
    pub(crate) program: String,
    /// Which package of a workspace; a single file belongs to none.
    pub(crate) package: Option<String>,
    /// Name of the rule.
    pub(crate) rule: String,
    /// The root cause.
    pub(crate) cause: String,
    /// The schedule.
    pub(crate) witness: String,
}

impl Remembered {
    fn to_text(&self) -> String {
        let Remembered { path, edition, features, target, untrusted, program, package, rule, cause, witness } = self;
        let path = path.display();
        let package = package.as_ref().map(|it| format!("package: {it}\n")).unwrap_or_default();
        let Features { names, all, no_default } = features;
        let names = names.join(",");
        let flag = |is_set: &bool, line: &str| if *is_set { format!("{line}: yes\n") } else { String::new() };
        let names = if names.is_empty() { names } else { format!("features: {names}\n") };
        let features = names + &flag(all, "all-features") + &flag(no_default, "no-default-features");
        let target = target.as_ref().map(|it| format!("target: {it}\n")).unwrap_or_default();
        let features = features + &target + &flag(untrusted, "untrusted");
        format!(
            "path: {path}\nedition: {edition}\n{features}program: {program}\n{package}rule: {rule}\ncause: {cause}\nwitness: {witness}\n"
        )
    }

    fn from_text(text: &str) -> Option<Remembered> {
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            line.map(str::to_owned)
        };
        Some(Remembered {
            path: field("path")?.into(),
            edition: field("edition")?,
            features: Features {
                names: field("features").map_or_else(Vec::new, |it| it.split(',').map(str::to_owned).collect()),
                all: field("all-features").is_some(),
                no_default: field("no-default-features").is_some(),
            },
            target: field("target"),
            untrusted: field("untrusted").is_some(),
            program: field("program")?,
            package: field("package"),
            rule: field("rule")?,
            cause: field("cause")?,
            witness: field("witness")?,
        })
    }
}

/// Whether a text can be an id.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The folder of the findings.
fn folder() -> Option<PathBuf> {
    Some(cache_folder()?.join("findings"))
}

/// Our folder in the user's cache: in `$XDG_CACHE_HOME`, else where the system has it.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| match std::env::consts::OS {
        "windows" => absolute("LOCALAPPDATA"),
        "macos" => absolute("HOME").map(|home| home.join("Library").join("Caches")),
        _ => absolute("HOME").map(|home| home.join(".cache")),
    })?;
    Some(cache.join("tsvd-check"))
}

/// Remembers findings by their ids.
///
/// # Errors
///
/// If there is no cache folder, or it cannot be written.
pub(crate) fn remember(findings: &[(String, Remembered)]) -> std::io::Result<()> {
    let folder = folder().ok_or(std::io::ErrorKind::NotFound)?;
    fs::create_dir_all(&folder)?;
    for (id, finding) in findings {
        let text = finding.to_text();
        let path = folder.join(id);
        if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            // Two processes may do so at once: what stands there is always whole.
            let draft = folder.join(format!("{id}.{}", std::process::id()));
            fs::write(&draft, text)?;
            fs::rename(&draft, &path)?;
        }
    }
    forget_the_oldest(&folder, KEPT)
}

/// Leaves the youngest files of a folder, so many.
pub(crate) fn forget_the_oldest(folder: &Path, kept: usize) -> std::io::Result<()> {
    let files: Vec<PathBuf> = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    if files.len() <= kept {
        return Ok(());
    }
    let age = |path: &PathBuf| fs::metadata(path).and_then(|it| it.modified()).ok();
    let mut by_age: Vec<_> = files.into_iter().map(|path| (age(&path), path)).collect();
    by_age.sort();
    for (_, path) in &by_age[..by_age.len() - kept] {
        // Another process may have been faster.
        let _ = fs::remove_file(path);
    }
    Ok(())
}

/// The finding of an id, if it is remembered.
pub(crate) fn recall(id: &str) -> Option<Remembered> {
    if !is_id(id) {
        return None;
    }
    Remembered::from_text(&fs::read_to_string(folder()?.join(id)).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let finding = Remembered {
            path: "/a: b/c.rs".into(),
            edition: "2021".into(),
            features: Features::default(),
            target: None,
            untrusted: false,
            program: "c".into(),
            package: None,
            rule: "deadlock".into(),
            cause: "`A`|`B`: f".into(),
            witness: "seed=1f/0x3.1".into(),
        };
        let of_package = Remembered { package: Some("p".into()), ..finding.clone() };
        assert_eq!(Remembered::from_text(&of_package.to_text()), Some(of_package));
        let features = Features { names: vec!["a".into(), "b/c".into()], all: true, no_default: true };
        let of_features = Remembered { features, target: Some("t".into()), untrusted: true, ..finding.clone() };
        assert_eq!(Remembered::from_text(&of_features.to_text()), Some(of_features));
        assert_eq!(Remembered::from_text(&finding.to_text()), Some(finding));
        assert_eq!(Remembered::from_text("path: x\n"), None);
        assert!(is_id("00ffaa") && !is_id("../../") && !is_id("00ffaag") && !is_id("-"));
    }
}
