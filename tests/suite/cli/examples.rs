//! The examples in std's documentation as an oracle: rustdoc's tests pass, so none may fail here.

use crate::support::Folder;
use serde_json::Value;
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

/// The folder of std's crates.
fn library() -> PathBuf {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().expect("rustc is there");
    let sysroot = String::from_utf8(output.stdout).expect("a path is text");
    Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library")
}

/// Source files below a folder, without those for one processor or of nightly's vectors.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).expect("rust-src is there").flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for path in entries.into_iter().map(|it| it.path()) {
        if path.is_dir() && !["core_arch", "core_simd", "tests"].iter().any(|it| path.ends_with(it)) {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
}

/// The text of a documentation line.
fn said(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    Some(rest.strip_prefix(' ').unwrap_or(rest))
}

/// The examples of a file that are compiled and run as they are, with their lines.
fn examples(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        let Some(info) = said(line).and_then(|it| it.trim().strip_prefix("```")) else { continue };
        let mut code = String::new();
        let inside = lines.by_ref().map_while(|(_, line)| said(line)).take_while(|it| !it.trim().starts_with("```"));
        for line in inside {
            // A hidden line.
            let hidden = line.trim_start().strip_prefix("# ").or_else(|| (line.trim() == "#").then_some(""));
            let line = hidden.unwrap_or(line);
            let _ = writeln!(code, "{}", line.strip_prefix("##").map_or(line.to_owned(), |rest| format!("#{rest}")));
        }
        if info.split(',').map(str::trim).all(|tag| tag.is_empty() || tag == "rust" || tag.starts_with("edition")) {
            found.push((number, code));
        }
    }
    found
}

/// An example as a test; `None` for examples that need nightly, a separate crate or another system.
fn test_of(code: &str) -> Option<String> {
    let apart =
        ["#![", "extern crate", "#[macro_export]", "#[global_allocator]", "fn main() ->", "fortanix", "windows"];
    if apart.iter().any(|it| code.contains(it)) {
        return None;
    }
    let last = code.trim_end().rsplit('\n').next().unwrap_or_default().trim();
    Some(if code.contains("fn main()") {
        format!("{code}\n#[test] fn example() {{ main() }}")
    } else if last.contains("Ok(())") || last.contains("Ok::<") {
        format!(
            "#[test] fn example() {{ fn inner() -> Result<(), impl core::fmt::Debug> {{\n{code}\n}} inner().unwrap() }}"
        )
    } else {
        format!("#[test] fn example() {{\n{code}\n}}")
    })
}

#[test]
fn stds_examples_do_what_they_say() {
    let library = library();
    let mut files = Vec::new();
    for krate in ["core/src", "alloc/src", "std/src"] {
        sources(&library.join(krate), &mut files);
    }
    let (mut all, mut places) = (String::from("#![allow(warnings)]\n"), Vec::new());
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a source is text");
        for (line, code) in examples(&text) {
            let Some(test) = test_of(&code) else { continue };
            let _ = writeln!(all, "mod e{} {{\n{test}\n}}", places.len());
            // The only known failure: `fn(&())` and `fn(&'static ())` have one `TypeId` here.
            let is_known = code.contains("TheOneRing");
            places.push((format!("{}:{line}", file.strip_prefix(&library).unwrap_or(file).display()), is_known));
        }
    }
    let folder = Folder::new(&[("examples.rs", &all)]);
    let (stdout, stderr, _) = folder.output(&["test", "--format", "json", "examples.rs"]);
    let told: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    let number = |name: &str| told[name].as_u64().unwrap_or_else(|| panic!("{name} is a number: {stdout}"));
    let failures = told["failures"].as_array().into_iter().flatten().map(|it| {
        let test = it["test"].as_str().expect("a test has a name");
        let number = test.split("::").find_map(|it| it.strip_prefix('e')?.parse::<usize>().ok());
        (&places[number.expect("a test stands in a module of ours")], it["says"].to_string())
    });
    let (known, wrong): (Vec<_>, Vec<_>) = failures.partition(|((_, is_known), _)| *is_known);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(known.len(), places.iter().filter(|place| place.1).count(), "what is repaired is no exception any more");
    let (passed, unknown) = (number("passed"), number("unknown"));
    assert!(passed > 2_500 && passed > 20 * unknown, "{passed} passed, {unknown} unknown: {}", told["causes"]);
}
