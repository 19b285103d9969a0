//! Sources nested so deep that rust-analyzer's stack would overflow: they are taken as empty and reported, in a single
//! file, a package, an included file and the editor; everything else is analysed.

use crate::support::{Folder, client::Client};

/// A function with this nesting.
fn deep(depth: usize) -> String {
    format!("pub fn deep() -> u32 {{\n    {}1{}\n}}\n", "(".repeat(depth), ")".repeat(depth))
}

const TOLD: &str =
    "nested more than 1000 levels deep, or as long a chain of operators or calls: the file is taken as empty";

#[test]
fn what_is_not_too_deep_is_interpreted() {
    let sum = |terms: usize| format!("fn main() {{ println!(\"{{}}\", 0{}) }}\n", " + 1".repeat(terms));
    let parentheses = format!("{}fn main() {{ println!(\"{{}}\", deep()) }}\n", deep(900));
    let folder = Folder::new(&[("sum.rs", sum(900).as_str()), ("parentheses.rs", parentheses.as_str())]);
    assert_eq!(folder.output(&["run", "sum.rs"]), ("900\n".to_owned(), String::new(), 0));
    assert_eq!(folder.output(&["run", "parentheses.rs"]), ("1\n".to_owned(), String::new(), 0));
}

#[test]
fn single_files() {
    let main = "mod deep;\nfn main() { println!(\"main\") }\n";
    let included =
        "mod deep { include!(\"table.in\"); }\nfn main() { println!(\"{}\", include_str!(\"text.rs\").len()) }\n";
    let json = "[".repeat(5_000);
    let shapes = [(1_100, "deep.rs"), (20_000, "deeper.rs"), (3_000_000, "deepest.rs")];
    let texts = shapes.map(|(depth, name)| (name, deep(depth) + "fn main() {}\n"));
    let mut files = vec![("main.rs", main), ("included.rs", included), ("text.rs", &json)];
    files.extend(texts.iter().map(|(name, text)| (*name, text.as_str())));
    files.push(("table.in", &texts[1].1));
    let folder = Folder::new(&files);
    for (name, _) in &texts {
        for command in ["check", "run"] {
            let (_, stderr, status) = folder.output(&[command, name]);
            assert!(stderr.contains(&format!("{name}:2:1: {TOLD}")), "{command} {name}: {stderr}");
            // There is no `main` left.
            assert_eq!(status, if command == "run" { 2 } else { 0 }, "{command} {name}: {stderr}");
        }
    }
    for (name, other, output) in [("main.rs", "deep.rs", "main\n"), ("included.rs", "table.in", "5000\n")] {
        let (stdout, stderr, status) = folder.output(&["run", name]);
        assert_eq!((stdout.as_str(), status), (output, 0), "{stderr}");
        assert!(stderr.contains(&format!("{other}:2:1: {TOLD}")), "{name}: {stderr}");
    }
}

#[test]
fn packages() {
    let dependency = "[package]\nname = \"dependency\"\nedition = \"2024\"\n";
    let folder = Folder::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\nedition = \"2024\"\n[dependencies]\ndependency.path = \"dependency\"\n",
        ),
        (
            "src/main.rs",
            "mod deep;\nmod table { include!(\"table.in\"); }\nfn main() { println!(\"{}\", dependency::one()) }\n",
        ),
        ("src/deep.rs", &deep(30_000)),
        ("src/table.in", &deep(2_000)),
        ("src/no_module.rs", &deep(2_000)),
        ("dependency/Cargo.toml", dependency),
        ("dependency/src/lib.rs", "mod deep;\npub fn one() -> u32 { 1 }\n"),
        ("dependency/src/deep.rs", &deep(30_000)),
    ]);
    let (stdout, stderr, status) = folder.output(&["run", "."]);
    assert_eq!((stdout.as_str(), status), ("1\n", 0), "{stderr}");
    let told: Vec<_> = stderr.lines().filter_map(|line| line.strip_suffix(TOLD)).collect();
    assert_eq!(told, ["dependency/src/deep.rs:2:1: ", "src/deep.rs:2:1: ", "src/table.in:2:1: "], "{stderr}");
}

/// A file in the editor; findings in other files stay.
#[test]
fn in_the_editor() {
    let race = "static mut A: u32 = 0;
fn add() { unsafe { A += 1 } }
pub fn both() { std::thread::scope(|s| { s.spawn(add); add(); }) }
";
    let folder = Folder::new(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\nedition = \"2024\"\n"),
        ("src/main.rs", "mod race;\nmod typed;\nfn main() { race::both() }\n"),
        ("src/race.rs", race),
        ("src/typed.rs", "pub fn f() {}\n"),
    ]);
    let mut client = Client::start(folder.path());
    client.open("src/race.rs", race);
    client.open("src/typed.rs", "pub fn f() {}\n");
    client.idle();
    let found = client.findings("src/race.rs");
    assert_eq!(found.len(), 1, "{found:?}");
    for depth in [1_500, 40_000, 300_000] {
        client.change("src/typed.rs", &deep(depth));
        client.idle();
        assert_eq!(client.findings("src/race.rs"), found, "{depth}");
    }
    client.change("src/typed.rs", race);
    client.idle();
    client.stop();
}
