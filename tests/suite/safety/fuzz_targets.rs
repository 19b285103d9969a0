//! The fuzzed functions (`tests/fuzz`) on stable Rust: their seeds, and a fixed number of mutations, the same in each
//! run.
//!
//! `FUZZ_MUTATIONS=17` tries one again, `FUZZ_MUTATIONS=0..20000` others. An input that kills the process remains in
//! the temporary folder, as `tsvd-check-fuzz-<target>-<number>`.

mod mutate;
#[path = "../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "the file is also the root of the library that the fuzzers use")]
mod targets;

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::mpsc::{RecvTimeoutError, channel},
    time::Duration,
};
use targets::Target;

const VARIABLE: &str = "FUZZ_MUTATIONS";
/// Time limit for one input. Most take a tenth of a second, but machines are busy.
const PATIENCE: Duration = Duration::from_secs(180);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz")
}

/// The seeds of a target, by name.
fn seeds(target: &Target) -> Vec<(String, Vec<u8>)> {
    let folder = folder().join("seeds").join(target.name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut seeds: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("a readable folder").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(path).expect("a readable file"))
        })
        .collect();
    seeds.sort();
    assert!(seeds.len() > 1, "{}: one seed is too few to be spliced", target.name);
    seeds
}

/// The numbers of the mutations to try.
fn wanted(target: &Target) -> Range<u64> {
    let Ok(text) = std::env::var(VARIABLE) else { return 0..target.mutations };
    let number = |text: &str| text.parse().unwrap_or_else(|error| panic!("{VARIABLE}={text}: {error}"));
    match text.split_once("..") {
        Some((start, end)) => number(start)..number(end),
        None => number(&text)..number(&text) + 1,
    }
}

/// Runs a target on its seeds and their mutations, in a separate thread; fails with the inputs that failed or did not
/// end.
fn fuzz(target: Target) {
    let seeds = seeds(&target);
    let dictionary = mutate::dictionary(&folder().join("dictionaries").join(format!("{}.dict", target.name)));
    let mutations = wanted(&target).map(|number| {
        let texts: Vec<&[u8]> = seeds.iter().map(|(_, text)| text.as_slice()).collect();
        (number.to_string(), mutate::mutate(&texts, &dictionary, number))
    });
    let inputs: Vec<(String, Vec<u8>)> = seeds.iter().cloned().chain(mutations).collect();
    let (sender, receiver) = channel();
    let worker = std::thread::spawn(move || {
        let mut failed = Vec::new();
        for (name, input) in inputs {
            let kept = std::env::temp_dir().join(format!("tsvd-check-fuzz-{}-{name}", target.name));
            std::fs::write(&kept, &input).expect("the temporary folder is writable");
            // The receiver is gone after a time-out.
            let _ = sender.send(kept.clone());
            match catch_unwind(AssertUnwindSafe(|| target.run(&input))) {
                Ok(()) => std::fs::remove_file(&kept).expect("it was just written"),
                Err(panic) => {
                    let message = panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "a panic".to_owned());
                    failed.push(format!("{}: {message}", kept.display()));
                }
            }
        }
        failed
    });
    let mut at = PathBuf::new();
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(kept) => at = kept,
            Err(RecvTimeoutError::Timeout) => panic!("{} does not end", at.display()),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let failed = worker.join().unwrap_or_else(|_| panic!("{}: a panic outside", at.display()));
    assert!(failed.is_empty(), "{} inputs failed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn manifests() {
    fuzz(targets::MANIFESTS);
}

#[test]
fn rust_project() {
    fuzz(targets::RUST_PROJECT);
}

#[test]
fn sources() {
    fuzz(targets::SOURCES);
}

#[test]
fn schedules() {
    fuzz(targets::SCHEDULES);
}

#[test]
fn server() {
    fuzz(targets::SERVER);
}

#[test]
fn kept_results() {
    fuzz(targets::KEPT_RESULTS);
}

/// Each target has a program for `cargo fuzz` that calls the same function.
#[test]
fn every_target_has_its_program() {
    let manifest = std::fs::read_to_string(folder().join("Cargo.toml")).expect("the manifest is there");
    for target in targets::ALL {
        let Target { name, .. } = target;
        let program = std::fs::read_to_string(folder().join(format!("fuzz_targets/{name}.rs")));
        let call = format!("fuzz::{}.run(input)", name.to_uppercase());
        assert!(program.is_ok_and(|text| text.contains(&call)), "{name} has no program that calls {call}");
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name} is not in the manifest");
    }
}
