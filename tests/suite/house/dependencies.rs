//! Checks dependencies against `deny.toml`, like `cargo deny check bans licenses sources`, without that program.
//!
//! Versions and sources come from `Cargo.lock`, for all platforms; licences from the manifests, of which only those for
//! this platform are downloaded.

use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use toml::{Table, Value};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn toml_file(path: &str) -> Table {
    let text = std::fs::read_to_string(root().join(path)).expect("the file is there");
    text.parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The texts of a list in `deny.toml`.
fn policy(section: &str, list: &str) -> Vec<String> {
    let file = toml_file("deny.toml");
    let list = file[section][list].as_array().expect("a list");
    list.iter().map(|it| it.as_str().expect("a text").to_owned()).collect()
}

/// A package of a lock file.
struct Package {
    name: String,
    version: String,
    source: Option<String>,
}

/// The packages of a lock file, and whether it has an unused `[patch]`.
fn locked(path: &str) -> (Vec<Package>, bool) {
    let file = toml_file(path);
    let packages = file["package"].as_array().expect("a list of packages").iter().map(|package| {
        let text = |key: &str| package.get(key).and_then(Value::as_str).map(str::to_owned);
        Package {
            name: text("name").expect("a name"),
            version: text("version").expect("a version"),
            source: text("source"),
        }
    });
    (packages.collect(), file.contains_key("patch"))
}

/// `cargo metadata` of this workspace, for the platform that it is built on.
fn metadata() -> Json {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("-vV").output().expect("rustc runs");
    let version = String::from_utf8(version.stdout).expect("only text is printed");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its platform");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--offline", "--format-version=1", "--filter-platform", host]);
    let output = cargo.current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

/// Whether the allowed licences satisfy a licence expression (SPDX, or the older `MIT/Apache-2.0`).
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let holds = any(&mut rest, allowed);
    holds && rest.is_empty()
}

/// Parses alternatives, which bind less tightly than `AND`.
fn any(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut holds = all(words, allowed);
    while let ["OR", rest @ ..] = *words {
        *words = rest;
        // Not `||`: the words have to be consumed.
        holds |= all(words, allowed);
    }
    holds
}

fn all(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut holds = licence(words, allowed);
    while let ["AND", rest @ ..] = *words {
        *words = rest;
        holds &= licence(words, allowed);
    }
    holds
}

fn licence(words: &mut &[&str], allowed: &[String]) -> bool {
    match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let holds = any(words, allowed);
            let [")", rest @ ..] = *words else { return false };
            *words = rest;
            holds
        }
        [name, "WITH", exception, rest @ ..] => {
            *words = rest;
            allowed.contains(&format!("{name} WITH {exception}"))
        }
        [name, rest @ ..] => {
            *words = rest;
            allowed.iter().any(|it| it == name)
        }
        [] => false,
    }
}

#[test]
fn licence_expressions_are_read() {
    let allowed = ["MIT", "ISC", "A WITH e"].map(str::to_owned);
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/MIT", true),
        ("GPL-3.0 AND MIT", false),
        ("MIT AND ISC", true),
        ("MIT OR GPL-3.0 AND GPL-2.0", true),
        ("(MIT OR GPL-3.0) AND GPL-2.0", false),
        ("(GPL-2.0 OR MIT) AND ISC", true),
        ("A WITH e", true),
        ("A", false),
        ("MIT WITH e", false),
        ("(MIT", false),
        ("MIT ISC", false),
        ("", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), expected, "{expression:?}");
    }
}

#[test]
fn licences_are_allowed_ones() {
    let allowed = policy("licenses", "allow");
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("a list of packages");
    assert!(packages.len() > 100, "{} packages", packages.len());
    let refused = packages.iter().filter(|it| !it["license"].as_str().is_some_and(|text| is_allowed(text, &allowed)));
    let refused: Vec<String> =
        refused.map(|it| format!("{} {}: {}", it["name"], it["version"], it["license"])).collect();
    assert_eq!(refused, Vec::<String>::new());
}

#[test]
fn sources_are_this_workspace_and_crates_io() {
    let members: BTreeSet<String> = metadata()["packages"]
        .as_array()
        .expect("a list of packages")
        .iter()
        .filter(|it| it["source"].is_null())
        .map(|it| {
            let manifest = Path::new(it["manifest_path"].as_str().expect("a path"));
            assert!(manifest.starts_with(root()), "{} lies elsewhere", manifest.display());
            it["name"].as_str().expect("a name").to_owned()
        })
        .collect();
    let registries = policy("sources", "allow-registry");
    // The fuzzers are a separate workspace with the same packages.
    for path in ["Cargo.lock", "tests/fuzz/Cargo.lock"] {
        let (packages, has_patch) = locked(path);
        assert!(!has_patch, "{path} has a `patch`");
        for Package { name, source, .. } in packages {
            match source.as_deref() {
                None => assert!(members.contains(&name) || name == "fuzz", "{path}: {name} is a path"),
                Some(source) => {
                    let registry = source.strip_prefix("registry+").unwrap_or_default();
                    assert!(registries.iter().any(|it| it == registry), "{path}: {name} comes from {source}");
                }
            }
        }
    }
}

#[test]
fn no_package_is_banned_or_there_twice() {
    let (packages, _) = locked("Cargo.lock");
    let banned = policy("bans", "deny");
    let mut skipped: BTreeSet<String> = policy("bans", "skip").into_iter().collect();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Package { name, version, .. } in &packages {
        assert!(!banned.contains(name), "{name} is banned in deny.toml");
        if !skipped.remove(&format!("{name}@{version}")) {
            versions.entry(name).or_default().push(version);
        }
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert_eq!(versions, BTreeMap::new(), "packages with several versions that deny.toml does not skip");
    assert_eq!(skipped, BTreeSet::new(), "deny.toml skips what Cargo.lock does not have");
}
