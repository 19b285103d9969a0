//! Fast bodies against real bodies: the same program behaves the same with and without them.
//!
//! Each program runs a fast body on generated inputs and prints the results. Its name is that of the fast body.

use std::path::Path;
use tsvd_check::{ProgramOutput, Programs};

const NAMES: [&str; 9] = ["decimal", "each", "hash", "loops", "memchr", "panics", "uninit", "unknown", "utf8"];

fn both() -> Vec<(&'static str, ProgramOutput, ProgramOutput)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fast_bodies");
    let path = |name: &str| folder.join(name).with_extension("rs");
    let files: Vec<_> = NAMES.iter().map(|name| (path(name), "2024".to_owned())).collect();
    let programs = Programs::load(&files).expect("the programs can be read");
    let run = |name| (name, programs.interpret(&path(name)), programs.interpret_with_real_bodies(&path(name)));
    NAMES.into_iter().map(run).collect()
}

#[test]
fn fast_and_real_bodies_do_the_same() {
    for (name, fast, real) in both() {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&fast.stdout), text(&real.stdout), "{name}");
        assert_eq!(text(&fast.stderr), text(&real.stderr), "{name}");
        assert_eq!((fast.status, &fast.uninterpreted), (real.status, &real.uninterpreted), "{name}");
        assert_eq!(fast.status, 0, "{name}: {}", text(&fast.stderr));
        assert!(text(&fast.stdout).ends_with("done\n"), "{name}");
        let is_known = fast.uninterpreted.is_none();
        assert_eq!(is_known, !matches!(name, "unknown" | "uninit"), "{name}: {:?}", fast.uninterpreted);
        // The fast body was used.
        assert!(fast.steps < real.steps, "{name}: {} steps, and {} with real bodies", fast.steps, real.steps);
    }
}
