//! Checks invariants of the architecture that neither the compiler nor clippy sees (`docs/architecture.md`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Maximum length of a source file. A longer one usually has a second responsibility.
const MAX_LINES: usize = 600;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files below a folder, with their texts; the paths are relative to the repository.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("readable folder").path();
            // `tests/fuzz` has a target folder of its own; vendored crates are not ours.
            if path.is_dir() && !path.ends_with("target") && !path.ends_with("analyzer/vendor") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("source is UTF-8");
                found.push((path.strip_prefix(root()).expect("below the root").to_owned(), text));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no source in {folder}");
    found
}

/// `path:line` of code (not comments) that contains one of the words.
fn places_of(files: &[(PathBuf, String)], words: &[&str]) -> Vec<String> {
    let mut places = Vec::new();
    for (path, text) in files {
        for (number, line) in (1..).zip(text.lines()) {
            let is_comment = line.trim_start().starts_with("//");
            if !is_comment && words.iter().any(|word| line.contains(word)) {
                places.push(format!("{}:{number}: {}", path.display(), line.trim()));
            }
        }
    }
    places
}

#[test]
fn the_machine_knows_neither_rust_analyzer_nor_salsa_nor_serde() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--package=interp", "--edges=normal,build", "--prefix=none", "--format={p}", "--offline"]);
    let output = cargo.arg("--locked").current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("names of packages are UTF-8");
    let packages: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(packages.contains("interp"), "{tree}");
    let forbidden = |name: &&&str| ["ra_ap_", "ra-ap-", "salsa", "serde"].iter().any(|start| name.starts_with(start));
    assert_eq!(packages.iter().filter(forbidden).collect::<Vec<_>>(), Vec::<&&str>::new());
}

#[test]
fn the_machine_has_no_clock_files_environment_or_order_of_hashes() {
    let words = ["std::fs", "std::env", "std::time", "std::process", "std::net", "std::collections::Hash"];
    assert_eq!(places_of(&sources("interp/src"), &words), Vec::<String>::new());
}

#[test]
fn paths_of_std_stand_in_one_table() {
    let table =
        |path: &Path| path.starts_with("analyzer/src/std_models") || path == Path::new("analyzer/src/std_models.rs");
    let mut files = sources("interp/src");
    files.extend(sources("analyzer/src"));
    files.extend(sources("src"));
    files.retain(|(path, _)| !table(path));
    let parts = ["std::", "core::", "alloc::"];
    let words: Vec<String> = parts.iter().flat_map(|part| [format!("\"{part}"), format!("\"<{part}")]).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(places_of(&files, &words), Vec::<String>::new());
}

#[test]
fn rust_analyzer_stays_in_the_analyzer() {
    let mut files = sources("src");
    files.extend(sources("lsp/src"));
    files.extend(sources("interp/src"));
    assert_eq!(places_of(&files, &["ra_ap_", "salsa"]), Vec::<String>::new());
}

#[test]
fn the_server_knows_neither_lowering_nor_the_machine() {
    let words = ["interp::", "analyzer::lower", "analyzer::instance", "analyzer::ir", "lower::", "instance::"];
    assert_eq!(places_of(&sources("lsp/src"), &words), Vec::<String>::new());
}

#[test]
fn types_models_harnesses_and_lowering_do_not_know_code_generation() {
    let rooms = ["types", "std_models", "harness", "lower", "workarounds"];
    let is_one = |path: &Path| {
        let path = path.strip_prefix("analyzer/src").unwrap_or(path).with_extension("");
        path.components().next().is_some_and(|first| rooms.iter().any(|room| first.as_os_str() == *room))
    };
    let mut files = sources("analyzer/src");
    files.retain(|(path, _)| is_one(path));
    assert!(files.len() > 80, "{} files", files.len());
    // Within a path, so that comments may name the modules.
    assert_eq!(places_of(&files, &["crate::instance", "    instance::"]), Vec::<String>::new());
}

#[test]
fn only_the_command_line_prints() {
    let mut files = sources("interp/src");
    files.extend(sources("analyzer/src"));
    files.extend(sources("lsp/src"));
    assert_eq!(places_of(&files, &["std::io::stdout", "std::io::stderr", "println!("]), Vec::<String>::new());
}

/// `deny` can be overridden by an `allow` beside the code, `forbid` cannot. Tests may omit it: one compiles the
/// embedded hashbrown, whose public interface has an unsafe method.
#[test]
fn libraries_programs_and_build_scripts_forbid_unsafe_code() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--locked", "--format-version=1"]);
    let output = cargo.current_dir(root()).output().expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let mut checked = 0;
    for package in metadata["packages"].as_array().expect("a list of packages") {
        for target in package["targets"].as_array().expect("a list of targets") {
            let is_ours = ["lib", "bin", "custom-build"].iter().any(|kind| target["kind"][0] == *kind);
            if is_ours {
                let path = target["src_path"].as_str().expect("a path");
                let text = std::fs::read_to_string(path).expect("source is UTF-8");
                assert!(
                    text.lines().any(|line| line == "#![forbid(unsafe_code)]"),
                    "{path} does not forbid unsafe code"
                );
                checked += 1;
            }
        }
    }
    assert!(checked >= 8, "{checked} targets");
}

/// Code that could block on a pipe, or read a device endlessly, is in one module.
#[test]
fn only_one_module_reads_files() {
    let mut files = sources("analyzer/src");
    files.extend(sources("lsp/src"));
    files.extend(sources("src"));
    let own = [
        "analyzer/src/project/read.rs",
        "analyzer/src/std_models",
        "analyzer/src/user_files",
        // `/proc` is not part of a project.
        "src/memory.rs",
        "src/watchdog.rs",
    ];
    files.retain(|(path, _)| !own.iter().any(|it| path.starts_with(it)));
    let words = ["fs::read(", "fs::read_to_string", "File::open", "OpenOptions", "read_link"];
    assert_eq!(places_of(&files, &words), Vec::<String>::new());
}

/// Sources of the programs without their tests.
fn shipped_sources() -> Vec<(PathBuf, String)> {
    let mut files = sources("analyzer/src");
    files.extend(sources("lsp/src"));
    files.extend(sources("src"));
    files.retain(|(path, _)| !path.ends_with("tests.rs"));
    for (_, text) in &mut files {
        // Tests come last.
        if let Some(end) =
            text.find("#[cfg(test)]\nmod tests").or_else(|| text.find("#[cfg(all(test, unix))]\nmod tests"))
        {
            text.truncate(end);
        }
    }
    files
}

/// A path can hold line ends and control characters: `escape::path` shows it, `to_string_lossy` is its text.
#[test]
fn paths_in_messages_are_escaped() {
    assert_eq!(places_of(&shipped_sources(), &[".display()"]), Vec::<String>::new());
}

/// Code that could follow a link in a repository is in one module.
#[test]
fn only_one_module_writes_and_deletes_files() {
    let mut files = shipped_sources();
    let module = Path::new("analyzer/src/user_files");
    // Functions that interpreted programs call.
    let models = Path::new("analyzer/src/std_models");
    let is_other = |path: &Path| !path.starts_with(models) && !path.starts_with(module);
    files.retain(|(path, _)| is_other(path) && *path != module.with_extension("rs"));
    let words = [
        "fs::write",
        "fs::copy",
        "fs::rename",
        "hard_link",
        "::symlink(",
        " symlink(",
        "symlink_file",
        "symlink_dir",
        "File::create",
        "File::options",
        ".write(true)",
        ".append(true)",
        ".truncate(true)",
        ".create(true)",
        ".create_new(",
        ".set_len(",
        "create_dir",
        "DirBuilder",
        "remove_file",
        "remove_dir",
        "set_permissions",
        "set_modified",
        "set_times",
        "tempfile",
        "temp_dir",
        "mkdirat(",
        "openat(",
        "renameat(",
        "unlinkat(",
        "linkat",
    ];
    assert_eq!(places_of(&files, &words), Vec::<String>::new());
}

#[test]
fn a_rule_is_a_module_and_a_page() {
    let folder = root().join("analyzer/src/rules");
    let stems = |extension: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(&folder).expect("the folder of rules");
        let paths = entries.map(|entry| entry.expect("readable folder").path());
        let chosen = paths.filter(|path| path.extension().is_some_and(|it| it == extension));
        chosen.map(|path| path.file_stem().expect("a name").to_string_lossy().replace('_', "-")).collect()
    };
    let names: BTreeSet<String> = tsvd_check::RULES.iter().map(|rule| rule.name.to_owned()).collect();
    assert_eq!(stems("rs"), names);
    assert_eq!(stems("md"), names);
    for rule in tsvd_check::RULES {
        assert!(rule.page.starts_with(&format!("# {}\n", rule.name)), "{}: another title", rule.name);
        for heading in ["## What it reports", "## How to fix it", "## Bad", "## Good"] {
            assert!(rule.page.contains(heading), "{}: no `{heading}`", rule.name);
        }
    }
}

#[test]
fn files_are_short() {
    let folders = ["analyzer", "interp", "lsp", "src", "tests", "benches"];
    let files = folders.into_iter().flat_map(sources);
    let own = files.filter(|(path, _)| !path.starts_with("tests/fidelity/programs"));
    let long = own.filter(|(_, text)| text.lines().count() > MAX_LINES);
    assert_eq!(long.map(|(path, _)| path).collect::<Vec<_>>(), Vec::<PathBuf>::new());
}
