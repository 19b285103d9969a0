//! Loops, in nanoseconds per iteration: the time of a run divided by its number of iterations. Each run must print what
//! the compiled program prints, so a run that does not do its work fails.
//!
//! `benches/miri.sh` runs the same loops under Miri.

use divan::{Bencher, counter::ItemsCount};
use std::{
    path::{Path, PathBuf},
    sync::{LazyLock, mpsc},
};
use tsvd_check::Programs;

/// A program, its number of iterations here, and its output.
struct Loop {
    name: &'static str,
    iterations: u64,
    prints: fn(u64) -> u64,
}

fn sum(n: u64) -> u64 {
    (0..n).sum()
}

fn squares(n: u64) -> u64 {
    (0..n).map(|i| i * i).sum()
}

fn digits_and_commas(n: u64) -> u64 {
    (0..n).map(|i| i.to_string().len() as u64 + 1).sum()
}

fn itself(n: u64) -> u64 {
    n
}

const LOOPS: [Loop; 6] = [
    Loop { name: "while_loop", iterations: 200_000, prints: sum },
    Loop { name: "for_range", iterations: 50_000, prints: sum },
    Loop { name: "vec_iterate", iterations: 20_000, prints: sum },
    Loop { name: "hash_map", iterations: 5_000, prints: squares },
    Loop { name: "strings", iterations: 5_000, prints: digits_and_commas },
    Loop { name: "lock", iterations: 20_000, prints: itself },
];

/// All programs, over one std, in a separate folder because their numbers of iterations are written into them.
struct Loaded {
    programs: Programs,
    folder: tempfile::TempDir,
}

static LOADED: LazyLock<Loaded> = LazyLock::new(|| {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/loops");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |it: &Loop| {
        let source = std::fs::read_to_string(sources.join(it.name).with_extension("rs")).expect("the program's source");
        let with = source.replace("const N: u64 = 1_000;", &format!("const N: u64 = {};", it.iterations));
        assert_ne!(source, with, "`{}` says how many iterations it makes", it.name);
        let path = folder.path().join(it.name).with_extension("rs");
        std::fs::write(&path, with).expect("a file in the temporary folder");
        (path, "2024".to_owned())
    };
    let files: Vec<(PathBuf, String)> = LOOPS.iter().map(write).collect();
    Loaded { programs: Programs::load(&files).expect("the programs can be read"), folder }
});

fn run(bencher: Bencher<'_, '_>, name: &str) {
    let it = LOOPS.iter().find(|it| it.name == name).expect("one of the loops");
    let expected = format!("{}\n", (it.prints)(it.iterations));
    let path = LOADED.folder.path().join(name).with_extension("rs");
    let (ask, asked) = mpsc::channel::<()>();
    let (answer, answers) = mpsc::channel();
    std::thread::scope(|scope| {
        // Code is bound to the thread that generated it.
        scope.spawn(|| {
            let asked = asked;
            LOADED.programs.repeatedly(&path, move |run| {
                while asked.recv().is_ok() {
                    if answer.send(run()).is_err() {
                        break;
                    }
                }
            });
        });
        let once = || {
            ask.send(()).expect("the program's thread lives");
            answers.recv().expect("the program's thread lives")
        };
        // The first run generates the code.
        let check = |done: tsvd_check::ProgramOutput| {
            assert_eq!(done.uninterpreted, None, "{name}");
            assert_eq!(String::from_utf8_lossy(&done.stdout), expected, "{name}");
        };
        check(once());
        bencher.counter(ItemsCount::new(it.iterations)).bench_local(|| check(once()));
        drop(ask);
    });
}

#[divan::bench]
fn while_loop(bencher: Bencher<'_, '_>) {
    run(bencher, "while_loop");
}

#[divan::bench]
fn for_range(bencher: Bencher<'_, '_>) {
    run(bencher, "for_range");
}

#[divan::bench]
fn vec_iterate(bencher: Bencher<'_, '_>) {
    run(bencher, "vec_iterate");
}

#[divan::bench]
fn hash_map(bencher: Bencher<'_, '_>) {
    run(bencher, "hash_map");
}

#[divan::bench]
fn strings(bencher: Bencher<'_, '_>) {
    run(bencher, "strings");
}

#[divan::bench]
fn lock(bencher: Bencher<'_, '_>) {
    run(bencher, "lock");
}

fn main() {
    divan::main();
}
