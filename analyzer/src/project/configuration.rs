//! cargo's configuration in the repository's files: keys that are data are used, all others are listed.
//!
//! cargo itself runs where it finds none of these files (`tools`). The keys with which it finds packages are passed to
//! it; those that change how the source reads (`build.target`, `--cfg`, `[env]`) are applied here. A key that names a
//! program is never used. See the Cargo Book, "Configuration".

use super::{
    LoadError, OwnFolders,
    read::{self, MAX_MANIFEST},
};
use crate::escape;
use std::{
    collections::BTreeSet,
    env,
    path::{Path, PathBuf},
};
use toml::{Table, Value};

/// Maximum depth of `include`.
const MAX_INCLUDES: usize = 8;

/// Maximum number of files that are read.
const MAX_FILES: usize = 100;

/// The merged configuration of the files around a folder.
#[derive(Debug, Clone, Default)]
pub(super) struct Configuration {
    /// The keys that cargo gets: sources, registries, `paths`, `patch`. Their paths are absolute.
    pub(super) for_cargo: Table,
    /// `build.target`, if it is a single one, and the file that sets it.
    pub(super) target: Option<(String, PathBuf)>,
    /// The arguments of `--cfg` in the flags that cargo passes to rustc for a platform.
    flags: Flags,
    /// `[env]`: variables for `env!`.
    env: Vec<Variable>,
    /// Keys that are not used.
    pub(super) unused: Vec<UnusedKeys>,
    /// All files that were looked for.
    pub(super) looked_at: BTreeSet<PathBuf>,
    /// Number of files that were read.
    files: usize,
}

/// Keys of a configuration file that are not used.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnusedKeys {
    /// The file.
    pub file: PathBuf,
    /// The keys, such as `build.rustc-wrapper`.
    pub keys: Vec<String>,
}

#[derive(Debug, Clone, Default)]
struct Flags {
    /// `build.rustflags`.
    build: Vec<String>,
    /// `target.<triple or cfg>.rustflags`.
    by_target: Vec<(String, Vec<String>)>,
}

#[derive(Debug, Clone)]
struct Variable {
    name: String,
    value: String,
    is_forced: bool,
}

impl Configuration {
    /// Reads the configuration of a folder and of those around it; the nearest has precedence. The user's own in `home`
    /// is not read: cargo does that itself.
    ///
    /// # Errors
    ///
    /// If a file exists and cannot be used.
    pub(super) fn around(folder: &Path, home: Option<&Path>) -> Result<Configuration, LoadError> {
        let mut all = Configuration::default();
        let folders: Vec<&Path> = folder.ancestors().collect();
        for folder in folders.into_iter().rev() {
            let hidden = folder.join(".cargo");
            let [old, new] = ["config", "config.toml"].map(|name| hidden.join(name));
            all.looked_at.extend([old.clone(), new.clone()]);
            // cargo runs in the uppermost folder, and reads that folder's configuration and the user's itself.
            let is_cargos = folder.parent().is_none() || home == Some(hidden.as_path());
            let own = OwnFolders::new([folder]);
            // If both names exist, cargo takes the old one.
            if !is_cargos && !all.read(&old, &own, 0)? {
                all.read(&new, &own, 0)?;
            }
        }
        Ok(all)
    }

    /// Reads one file, which must lie in the folder around `.cargo`; false if it does not exist.
    fn read(&mut self, file: &Path, own: &OwnFolders, depth: usize) -> Result<bool, LoadError> {
        let text = match read::read_text(file, MAX_MANIFEST) {
            Ok(text) => text,
            Err(LoadError::NotFound(_)) => return Ok(false),
            Err(error) => return Err(error),
        };
        if !own.contain(file, file) {
            return Err(LoadError::LeavesProject(file.to_owned()));
        }
        self.files += 1;
        let broken = |message: String| LoadError::BrokenConfiguration(file.to_owned(), message);
        let mut table: Table = text.parse().map_err(|error: toml::de::Error| broken(error.message().to_owned()))?;
        if let Some(included) = table.remove("include") {
            if depth == MAX_INCLUDES || self.files > MAX_FILES {
                return Err(broken(format!(
                    "`include` leads through more than {MAX_INCLUDES} files, or to more than {MAX_FILES}"
                )));
            }
            for (path, is_optional) in includes(&included) {
                let path = file.parent().unwrap_or(file).join(path);
                self.looked_at.insert(path.clone());
                // The including file has precedence over the included one.
                if !self.read(&path, own, depth + 1)? && !is_optional {
                    return Err(broken(format!("it includes {}, which is not there", escape::path(&path))));
                }
            }
        }
        // Paths are relative to the folder around `.cargo`.
        let base = file.parent().and_then(Path::parent).unwrap_or(file);
        let keys = self.take(table, base, file);
        if !keys.is_empty() {
            self.unused.push(UnusedKeys { file: file.to_owned(), keys });
        }
        Ok(true)
    }

    /// Takes the keys that are data; returns the others.
    fn take(&mut self, table: Table, base: &Path, file: &Path) -> Vec<String> {
        let mut unused = Vec::new();
        for (name, value) in table {
            match (name.as_str(), value) {
                ("source", Value::Table(sources)) => {
                    let allowed = |key: &str| match key {
                        "directory" | "local-registry" => Some(true),
                        "replace-with" | "registry" | "git" | "branch" | "tag" | "rev" => Some(false),
                        _ => None,
                    };
                    self.take_texts("source", sources, &allowed, base, &mut unused);
                }
                ("registries", Value::Table(registries)) => {
                    let allowed = |key: &str| matches!(key, "index" | "protocol").then_some(false);
                    self.take_texts("registries", registries, &allowed, base, &mut unused);
                }
                ("registry", Value::Table(registry)) => {
                    for (key, value) in registry {
                        match value {
                            Value::String(_) if key == "default" => self.for_cargo(&["registry", &key], value),
                            _ => unused.push(format!("registry.{key}")),
                        }
                    }
                }
                ("paths", Value::Array(paths)) => {
                    let paths = paths.iter().filter_map(Value::as_str).map(|it| absolute(base, it));
                    let known = self.for_cargo.get("paths").and_then(Value::as_array).cloned().unwrap_or_default();
                    self.for_cargo.insert(name, Value::Array(known.into_iter().chain(paths).collect()));
                }
                ("patch", Value::Table(sources)) => {
                    for (source, packages) in sources {
                        let Value::Table(packages) = packages else { continue };
                        for (package, mut description) in packages {
                            if let Some(path) = description.get_mut("path")
                                && let Some(text) = path.as_str()
                            {
                                *path = absolute(base, text);
                            }
                            self.for_cargo(&["patch", &source, &package], description);
                        }
                    }
                }
                ("build", Value::Table(build)) => {
                    for (key, value) in build {
                        match key.as_str() {
                            "target" => match texts(&value).as_slice() {
                                [one] if !one.ends_with(".json") => self.target = Some((one.clone(), file.to_owned())),
                                _ => unused.push("build.target".to_owned()),
                            },
                            "rustflags" => {
                                let (cfgs, is_all) = cfgs(&texts(&value));
                                self.flags.build.extend(cfgs);
                                unused.extend((!is_all).then(|| "build.rustflags (all but `--cfg`)".to_owned()));
                            }
                            _ => unused.push(format!("build.{key}")),
                        }
                    }
                }
                ("target", Value::Table(targets)) => {
                    for (target, table) in targets {
                        for (key, value) in table.as_table().cloned().unwrap_or_default() {
                            if key == "rustflags" {
                                let (cfgs, is_all) = cfgs(&texts(&value));
                                self.flags.by_target.push((target.clone(), cfgs));
                                unused
                                    .extend((!is_all).then(|| format!("target.{target}.rustflags (all but `--cfg`)")));
                            } else {
                                unused.push(format!("target.{target}.{key}"));
                            }
                        }
                    }
                }
                ("env", Value::Table(variables)) => {
                    for (name, value) in variables {
                        match variable(name, &value, base) {
                            Ok(variable) => {
                                self.env.retain(|it| it.name != variable.name);
                                self.env.push(variable);
                            }
                            Err(name) => unused.push(format!("env.{name}")),
                        }
                    }
                }
                (_, Value::Table(table)) => unused.extend(table.keys().map(|key| format!("{name}.{key}"))),
                _ => unused.push(name),
            }
        }
        unused.sort();
        // A quoted key may have line breaks.
        unused.iter().map(|key| escape::line(key).into_owned()).collect()
    }

    /// Takes the texts of a nested table. `allowed` says whether a key is used, and whether it is a path.
    fn take_texts(
        &mut self,
        table: &str,
        entries: Table,
        allowed: &dyn Fn(&str) -> Option<bool>,
        base: &Path,
        unused: &mut Vec<String>,
    ) {
        for (name, entry) in entries {
            for (key, value) in entry.as_table().cloned().unwrap_or_default() {
                match (allowed(&key), value) {
                    (Some(true), Value::String(text)) => self.for_cargo(&[table, &name, &key], absolute(base, &text)),
                    (Some(false), value @ Value::String(_)) => self.for_cargo(&[table, &name, &key], value),
                    _ => unused.push(format!("{table}.{name}.{key}")),
                }
            }
        }
    }

    /// Sets a key that cargo gets.
    fn for_cargo(&mut self, path: &[&str], value: Value) {
        let Some((last, folders)) = path.split_last() else { return };
        let mut table = &mut self.for_cargo;
        for name in folders {
            let next = table.entry(*name).or_insert_with(|| Value::Table(Table::new()));
            let Value::Table(next) = next else { return };
            table = next;
        }
        table.insert((*last).to_owned(), value);
    }

    /// The arguments of `--cfg` that cargo passes to rustc for a platform: from the environment's flags, else from the
    /// platform's table, else from `build.rustflags`. `has_cfg` evaluates a `cfg(..)`.
    pub(super) fn cfgs(&self, triple: &str, has_cfg: impl Fn(&str) -> bool) -> Vec<String> {
        if let Ok(flags) = env::var("CARGO_ENCODED_RUSTFLAGS") {
            return cfgs(&flags.split('\x1f').map(str::to_owned).collect::<Vec<_>>()).0;
        }
        if let Ok(flags) = env::var("RUSTFLAGS") {
            return cfgs(&flags.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).0;
        }
        let is_it = |target: &str| target == triple || target.starts_with("cfg(") && has_cfg(target);
        let of_target: Vec<&(String, Vec<String>)> =
            self.flags.by_target.iter().filter(|(target, _)| is_it(target)).collect();
        if of_target.is_empty() {
            return self.flags.build.clone();
        }
        of_target.into_iter().flat_map(|(_, cfgs)| cfgs.clone()).collect()
    }

    /// The variables that cargo sets for rustc. The process's own have precedence, unless the file has `force`.
    pub(super) fn variables(&self) -> Vec<(String, String)> {
        let is_set = |it: &&Variable| it.is_forced || env::var_os(&it.name).is_none();
        self.env.iter().filter(is_set).map(|it| (it.name.clone(), it.value.clone())).collect()
    }
}

/// The paths of `include`, and whether each is optional.
fn includes(value: &Value) -> Vec<(String, bool)> {
    let one = |value: &Value| match value {
        Value::String(path) => Some((path.clone(), false)),
        Value::Table(table) => {
            let is_optional = table.get("optional").and_then(Value::as_bool).unwrap_or_default();
            Some((table.get("path")?.as_str()?.to_owned(), is_optional))
        }
        _ => None,
    };
    let all = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    all.iter().filter_map(one).filter(|(path, _)| path.ends_with(".toml")).collect()
}

/// A path relative to a folder, as a value.
fn absolute(base: &Path, path: &str) -> Value {
    Value::String(base.join(path).to_string_lossy().into_owned())
}

/// The words of a text, or a list of texts.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => text.split_whitespace().map(str::to_owned).collect(),
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The arguments of `--cfg` among some flags, and whether there are no other flags.
fn cfgs(flags: &[String]) -> (Vec<String>, bool) {
    let (mut found, mut is_all) = (Vec::new(), true);
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        match (flag.as_str(), flag.strip_prefix("--cfg=")) {
            ("--cfg", _) => found.extend(flags.next().cloned()),
            (_, Some(cfg)) => found.push(cfg.to_owned()),
            ("", _) => {}
            _ => is_all = false,
        }
    }
    (found, is_all)
}

/// An entry of `[env]`; its name if it is not valid.
fn variable(name: String, value: &Value, base: &Path) -> Result<Variable, String> {
    let flag = |key: &str| value.get(key).and_then(Value::as_bool).unwrap_or_default();
    let text = match value {
        Value::Table(table) => table.get("value").and_then(Value::as_str),
        value => value.as_str(),
    };
    let Some(text) = text else { return Err(name) };
    let value_of = |is_relative: bool| match is_relative {
        true => base.join(text).to_string_lossy().into_owned(),
        false => text.to_owned(),
    };
    Ok(Variable { name, value: value_of(flag("relative")), is_forced: flag("force") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use std::fs;

    fn of(files: &[(&str, &str)]) -> Result<Configuration, LoadError> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Configuration::around(&folder.path().join("p"), None)
    }

    #[test]
    fn data_is_used_and_all_else_is_listed() {
        let text = r#"
            include = ["more.toml", { path = "none.toml", optional = true }]
            paths = ["a", "/b"]
            [build]
            rustc-wrapper = "./evil"
            rustc = "evil"
            target = "x86_64-unknown-linux-gnu"
            target-dir = "elsewhere"
            rustflags = ["--cfg", "loom", "-Clinker=evil"]
            [target.x86_64-unknown-linux-gnu]
            linker = "evil"
            runner = ["evil"]
            [source.crates-io]
            replace-with = "a b"
            [source."a b"]
            directory = "vendor"
            [registries.own]
            index = "https://own"
            token = "t"
            credential-provider = ["evil"]
            [registry]
            default = "own"
            global-credential-providers = ["evil"]
            [patch.crates-io]
            it = { path = "it" }
            [env]
            PLAIN = "1"
            BELOW = { value = "x", relative = true, force = true }
            [alias]
            b = "build"
        "#;
        let all =
            of(&[("p/.cargo/config.toml", text), ("p/.cargo/more.toml", "[build]\nrustc = 'other'\n[x]\ny = 1\n")]);
        let all = all.unwrap();
        let base = all.unused[0].file.parent().unwrap().parent().unwrap().to_str().unwrap().to_owned();
        expect![[r#"
            paths = ["DIR/a", "/b"]

            [patch.crates-io.it]
            path = "DIR/it"

            [registries.own]
            index = "https://own"

            [registry]
            default = "own"

            [source."a b"]
            directory = "DIR/vendor"

            [source.crates-io]
            replace-with = "a b"
        "#]]
        .assert_eq(&all.for_cargo.to_string().replace(&base, "DIR"));
        let unused: Vec<_> = all.unused.iter().map(|it| (it.file.file_name().unwrap(), it.keys.join(", "))).collect();
        expect![[r#"
            [
                (
                    "more.toml",
                    "build.rustc, x.y",
                ),
                (
                    "config.toml",
                    "alias.b, build.rustc, build.rustc-wrapper, build.rustflags (all but `--cfg`), build.target-dir, registries.own.credential-provider, registries.own.token, registry.global-credential-providers, target.x86_64-unknown-linux-gnu.linker, target.x86_64-unknown-linux-gnu.runner",
                ),
            ]
        "#]]
        .assert_debug_eq(&unused);
        assert_eq!(all.cfgs("x86_64-unknown-linux-gnu", |_| false), ["loom"]);
        assert_eq!(all.target.as_ref().map(|(triple, _)| triple.as_str()), Some("x86_64-unknown-linux-gnu"));
        let variables = all.variables();
        assert_eq!(variables, [("BELOW".to_owned(), format!("{base}/x")), ("PLAIN".to_owned(), "1".to_owned())]);
    }

    #[test]
    fn the_nearest_counts() {
        let source =
            |it: &str| format!("[source.v]\ndirectory = \"{it}\"\n[target.'cfg(unix)']\nrustflags = \"--cfg={it}\"\n");
        let all = of(&[
            (".cargo/config.toml", &source("far")),
            ("p/.cargo/config", &source("near")),
            ("p/.cargo/config.toml", &source("second")),
        ]);
        let all = all.unwrap();
        let directory = all.for_cargo["source"]["v"]["directory"].as_str().unwrap();
        assert!(directory.ends_with("/p/near"), "{directory}");
        assert_eq!(all.cfgs("x", |cfg| cfg == "cfg(unix)"), ["far", "near"]);
        assert!(all.cfgs("x", |_| false).is_empty());
    }

    #[test]
    fn what_is_wrong_is_told() {
        let message = |files: &[(&str, &str)]| of(files).unwrap_err().to_string();
        let config = "p/.cargo/config.toml";
        assert!(message(&[(config, "no toml [")]).contains("config.toml: "));
        assert!(message(&[(config, "include = ['a.toml']")]).contains("a.toml, which is not there"));
        assert!(message(&[(config, "include = ['config.toml']")]).contains("more than 8 files"));
    }
}
