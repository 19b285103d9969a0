//! Valid sources on which rust-analyzer panics: only what it panics on is left out, and reported.

use crate::support::{Folder, client::Client};

const RACE: &str = "static mut SOLD: u32 = 0;
fn sell() { unsafe { SOLD += 1 } }
fn main() { std::thread::scope(|s| { s.spawn(sell); sell(); }) }
";

/// Modules, each with the names of the next by a glob import; rust-analyzer follows 100 of them.
fn chain(length: usize) -> String {
    let link = |at: usize| format!("pub mod m{at} {{ pub use super::m{}::*; }}\n", at + 1);
    (0..length).map(link).collect::<String>() + &format!("pub mod m{length} {{ pub fn last() {{}} }}\n")
}

/// The same with a name in each: more must be left out than the search allows.
fn endless() -> String {
    let link = |at: usize| format!("pub mod m{at} {{ pub use super::m{}::*; pub fn f{at}() {{}} }}\n", at + 1);
    (0..1_500).map(link).collect::<String>() + "pub mod m1500 {}\n"
}

/// The same, made by macros.
fn made_chain(length: usize) -> String {
    let link = |at: usize| format!("link!(m{at} m{});\n", at + 1);
    let links: String = (0..length).map(link).collect();
    format!(
        "macro_rules! link {{ ($a:ident $b:ident) => {{ pub mod $a {{ pub use super::$b::*; }} }} }}\n{links}pub mod m{length} {{ pub fn last() {{}} }}\n"
    )
}

const WHY: &str = "internal error, please report it: infinite recursion in glob imports! (ra_ap_hir_def-";

#[test]
fn an_item_is_left_out_and_the_rest_is_analysed() {
    for (chain, item) in [(chain(105), "`pub use super::"), (made_chain(105), "`link!(m")] {
        let folder = Folder::new(&[("bug.rs", &format!("{chain}{RACE}"))]);
        let (stdout, stderr, status) = folder.output(&["check", "--format", "short", "bug.rs"]);
        assert!(stdout.contains("data-race") && status == 1, "{stdout}{stderr}");
        let told = stderr.lines().find(|line| line.contains(&format!("in crate `bug` is skipped: {WHY}")));
        let told = told.unwrap_or_else(|| panic!("{stderr}"));
        assert!(told.starts_with("bug.rs:1") && told.contains(item), "{told}");
        assert!(
            stderr.contains("internal error in one body, entry or crate") && !stderr.contains("panicked"),
            "{stderr}"
        );
        assert!(!stderr.contains("nothing left out"), "{stderr}");
        for command in ["run", "test"] {
            let (stdout, stderr, status) = folder.output(&[command, "bug.rs"]);
            assert!(status == 0 && stderr.contains(WHY), "{command}: {stdout}{stderr}");
        }
    }
}

#[test]
fn a_crate_is_left_out_and_the_others_are_analysed() {
    let endless = endless();
    let folder = Folder::new(&[
        ("endless.rs", &format!("{endless}{RACE}")),
        ("Cargo.toml", "[workspace]\nmembers = [\"shop\", \"deep\"]\nresolver = \"3\"\n"),
        ("deep/Cargo.toml", "[package]\nname = \"deep\"\nedition = \"2024\"\n"),
        ("deep/src/lib.rs", &endless),
        (
            "shop/Cargo.toml",
            "[package]\nname = \"shop\"\nedition = \"2024\"\n[dependencies]\ndeep.path = \"../deep\"\n",
        ),
        ("shop/src/main.rs", &format!("use deep::m0::*;\n{RACE}")),
    ]);
    let (stdout, stderr, status) = folder.output(&["check", "--format", "short", "."]);
    assert!(stdout.contains("shop/src/main.rs:3:") && stdout.contains("data-race") && status == 1, "{stdout}{stderr}");
    assert!(stderr.contains(&format!("crate `deep` is taken as empty: {WHY}")), "{stderr}");
    // Nothing is left of a single file.
    for command in ["check", "run"] {
        let (stdout, stderr, status) = folder.output(&[command, "endless.rs"]);
        assert!(stdout.is_empty() && status == 2, "{command}: {stdout}{stderr}");
        assert!(stderr.contains(&format!("crate `endless` is taken as empty: {WHY}")), "{command}: {stderr}");
    }
}

#[test]
fn the_editor_is_told_and_goes_on() {
    let (long, endless) = (format!("{}{RACE}", chain(105)), format!("{}{RACE}", endless()));
    let other = RACE.replace("SOLD", "OTHER");
    let folder = Folder::new(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\nedition = \"2024\"\n"),
        ("src/bin/one.rs", &long),
        ("src/bin/two.rs", &other),
    ]);
    let mut client = Client::start(folder.path());
    let found = |client: &Client| ["one", "two"].map(|it| client.findings(&format!("src/bin/{it}.rs")).len());
    client.idle();
    assert_eq!(found(&client), [1, 1], "{:?}", client.shown);
    assert!(
        client.shown.iter().any(|it| it.contains("in crate `one` is skipped: internal error")),
        "{:?}",
        client.shown
    );
    // An edit makes it worse, and another fixes it.
    client.open("src/bin/one.rs", &long);
    client.idle();
    assert_eq!(found(&client), [1, 1]);
    for text in [&endless, &long] {
        client.change("src/bin/one.rs", text);
        client.idle();
        assert_eq!(found(&client), [0, 1], "{:?}", client.shown);
        assert!(client.shown.iter().any(|it| it.contains("crate `one` is taken as empty: internal error")));
        client.change("src/bin/one.rs", RACE);
        client.idle();
        assert_eq!(found(&client), [1, 1], "{:?}", client.shown);
    }
    client.change("src/bin/one.rs", "fn main() {}\n");
    client.idle();
    assert_eq!(found(&client), [0, 1]);
    client.stop();
}
