//! The language server, over the real protocol.

use crate::support::{Folder, client::Client};

const MANIFEST: &str = "[package]\nname = \"shop\"\nedition = \"2024\"\n";

const MAIN: &str = "\
use std::{sync::Mutex, thread};

static STOCK: Mutex<u32> = Mutex::new(10);
static mut SOLD: u32 = 0;

fn sell() {
    *STOCK.lock().unwrap() -= 1;
    unsafe { SOLD += 1 }
}

fn count() -> u32 {
    *STOCK.lock().unwrap()
}

fn main() {
    let seller = thread::spawn(sell);
    sell();
    seller.join().unwrap();
}

#[test]
fn counts() {
    assert_eq!(count(), 10);
}
";

/// The same without the race.
fn fixed() -> String {
    MAIN.replace(
        "*STOCK.lock().unwrap() -= 1;\n    unsafe",
        "let mut stock = STOCK.lock().unwrap();\n    *stock -= 1;\n    unsafe",
    )
}

fn shop() -> Folder {
    Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", MAIN)])
}

const RACE: (u64, &str) = (8, "data-race");

fn is(findings: &[(u64, String)], expected: &[(u64, &str)]) -> bool {
    findings.len() == expected.len() && findings.iter().zip(expected).all(|(one, two)| one.0 == two.0 && one.1 == two.1)
}

/// Findings of the text in the editor, with both locations; gone when it is fixed, without saving.
#[test]
fn diagnostics_of_unsaved_text() {
    let folder = Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", "fn main() {}\n")]);
    let mut client = Client::start(folder.path());
    client.open("src/main.rs", "fn main() {}\n");
    client.change("src/main.rs", MAIN);
    client.wait("the race", |it| is(&it.findings("src/main.rs"), &[RACE]));
    let told = &client.diagnostics["src/main.rs"][0];
    assert_eq!((told["severity"].as_u64(), told["source"].as_str()), (Some(1), Some("tsvd-check")));
    let message = told["message"].as_str().unwrap();
    assert!(message.contains("`SOLD`") && message.contains("tsvd-check replay "), "{message}");
    client.change("src/main.rs", &fixed());
    client.wait("nothing", |it| it.findings("src/main.rs").is_empty());
    client.idle();
    assert!(client.findings("src/main.rs").is_empty() && client.shown.is_empty());
    client.stop();
}

/// Two locations in different files: the other one is related information, or part of the message for clients without
/// that.
#[test]
fn both_sites() {
    let text = |of: &str| format!("pub static mut TOTAL: u32 = 0;\n\npub fn add() {{\n    unsafe {{ {of} }}\n}}\n");
    let main = "mod total;\n\nfn main() {\n    let adder = std::thread::spawn(total::add);\n    unsafe { total::TOTAL = 7 }\n    adder.join().unwrap();\n}\n";
    let folder = Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", main), ("src/total.rs", &text("TOTAL += 1"))]);
    let sites = |client: &mut Client| {
        client.open("src/main.rs", main);
        client
            .wait("the race", |it| !(it.findings("src/main.rs").is_empty() && it.findings("src/total.rs").is_empty()));
        let all =
            client.diagnostics.iter().flat_map(|(path, all)| all.as_array().unwrap().iter().map(move |it| (path, it)));
        let all: Vec<_> = all.collect();
        let [(path, told)] = all[..] else { panic!("{all:?}") };
        (path.clone(), told.clone())
    };
    let mut client = Client::start(folder.path());
    let (path, told) = sites(&mut client);
    let related = &told["relatedInformation"][0]["location"]["uri"];
    let other = if path == "src/main.rs" { "src/total.rs" } else { "src/main.rs" };
    assert!(related.as_str().unwrap().ends_with(other), "{related}");
    client.stop();
    let mut client = Client::start_with(folder.path(), &serde_json::json!({}));
    let (path, told) = sites(&mut client);
    let other = if path == "src/main.rs" { "total.rs:4" } else { "main.rs:5" };
    assert!(told["relatedInformation"].is_null() && told["message"].as_str().unwrap().contains(other), "{told}");
    client.stop();
}

/// How much work an edit causes: bodies lowered, entries explored.
#[test]
fn an_edit_costs_what_it_concerns() {
    let folder = shop();
    let mut client = Client::start(folder.path());
    client.open("src/main.rs", MAIN);
    let mut before = client.idle();
    assert_eq!(before.explored, 2);
    assert!(is(&client.findings("src/main.rs"), &[RACE]), "{:?}", client.diagnostics);
    let mut cost = |client: &mut Client, text: &str| {
        client.change("src/main.rs", text);
        let now = client.idle();
        let cost = now - before;
        before = now;
        (cost.lowered, cost.explored)
    };
    // A comment at the top moves everything and changes nothing.
    let commented = format!("// The shop.\n\n{MAIN}");
    assert_eq!(cost(&mut client, &commented), (0, 0));
    assert!(is(&client.findings("src/main.rs"), &[(10, "data-race")]), "{:?}", client.diagnostics);
    assert_eq!(cost(&mut client, MAIN), (0, 0));
    // Only the test uses `count`, in the crate under test. In the program, a function that locks may be an entry.
    let (lowered, explored) =
        cost(&mut client, &MAIN.replace("*STOCK.lock().unwrap()\n", "*STOCK.lock().unwrap() + 0\n"));
    assert_eq!((lowered, explored), (2, 1));
    assert_eq!(cost(&mut client, MAIN).1, 1);
    // Broken and repaired: the finding elsewhere stays.
    let (_, explored) =
        cost(&mut client, &MAIN.replace("fn count() -> u32 {\n    *STOCK.", "fn count() -> u32 {\n    *STOCK.("));
    assert_eq!(explored, 1);
    assert!(is(&client.findings("src/main.rs"), &[RACE]), "{:?}", client.diagnostics);
    assert_eq!(cost(&mut client, MAIN).1, 1);
    // A function without uses concerns nobody; names in bodies of its module are resolved again.
    let (lowered, explored) = cost(&mut client, &format!("{MAIN}\nfn more() {{\n    sell();\n}}\n"));
    assert_eq!((lowered, explored), (5, 0));
    // A static concerns all entries.
    let (_, explored) = cost(
        &mut client,
        &MAIN.replace("static STOCK: Mutex<u32> = Mutex::new(10)", "static STOCK: Mutex<u32> = Mutex::new(11)"),
    );
    assert_eq!(explored, 2);
    client.stop();
}

/// The examples in documentation are checked as they are typed.
#[test]
fn examples_in_documentation() {
    const LIBRARY: &str = "\
/// ```
/// static mut COUNT: u32 = 0;
/// let other = std::thread::spawn(|| unsafe { COUNT = shop::next(COUNT) });
/// unsafe { COUNT = shop::next(COUNT) };
/// other.join().unwrap();
/// ```
pub fn next(count: u32) -> u32 {
    count + 1
}
";
    let folder = Folder::new(&[("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY)]);
    let mut client = Client::start(folder.path());
    client.open("src/lib.rs", LIBRARY);
    client.idle();
    assert!(is(&client.findings("src/lib.rs"), &[(4, "data-race")]), "{:?}", client.diagnostics);
    // What moves an example moves its findings.
    client.change("src/lib.rs", &format!("//! The shop.\n\n{LIBRARY}"));
    client.idle();
    assert!(is(&client.findings("src/lib.rs"), &[(6, "data-race")]), "{:?}", client.diagnostics);
    let join = "/// other.join().unwrap();\n";
    let fixed = LIBRARY.replace(join, "").replace("/// unsafe {", &format!("{join}/// unsafe {{"));
    client.change("src/lib.rs", &fixed);
    client.idle();
    assert!(client.findings("src/lib.rs").is_empty(), "{:?}", client.diagnostics);
    client.stop();
}

/// The project changes with its manifest and its files; errors end nothing.
#[test]
fn a_project_that_changes() {
    let folder = shop();
    let mut client = Client::start(folder.path());
    client.open("src/main.rs", MAIN);
    client.wait("the race", |it| is(&it.findings("src/main.rs"), &[RACE]));
    // A manifest that cannot be read is reported, and findings stay.
    folder.write("Cargo.toml", b"[package\n");
    client.changed_on_disk("Cargo.toml", 2);
    client.wait("a complaint", |it| !it.shown.is_empty());
    assert!(is(&client.findings("src/main.rs"), &[RACE]));
    folder.write("Cargo.toml", MANIFEST.as_bytes());
    client.changed_on_disk("Cargo.toml", 2);
    client.idle();
    assert!(is(&client.findings("src/main.rs"), &[RACE]));
    // Another program is added.
    folder.write("src/bin/other.rs", MAIN.as_bytes());
    client.changed_on_disk("src/bin/other.rs", 1);
    client.wait("the other race", |it| is(&it.findings("src/bin/other.rs"), &[RACE]));
    // And removed.
    std::fs::remove_file(folder.path().join("src/bin/other.rs")).unwrap();
    client.changed_on_disk("src/bin/other.rs", 3);
    client.wait("no other race", |it| it.findings("src/bin/other.rs").is_empty());
    assert!(is(&client.findings("src/main.rs"), &[RACE]));
    client.stop();
}

/// A file without manifest is a program.
#[test]
fn a_file_alone() {
    let folder = Folder::new(&[("alone.rs", MAIN)]);
    let mut client = Client::start(folder.path());
    client.open("alone.rs", MAIN);
    client.wait("the race", |it| is(&it.findings("alone.rs"), &[RACE]));
    client.change(
        "alone.rs",
        &MAIN.replace("unsafe { SOLD += 1 }", "unsafe { SOLD += 1 } // tsvd: allow(data-race, reason = \"a test\")"),
    );
    client.wait("nothing", |it| it.findings("alone.rs").is_empty());
    client.stop();
}

/// While the user types character by character, the finding elsewhere stays.
#[test]
fn typing() {
    let folder = shop();
    let mut client = Client::start(folder.path());
    client.open("src/main.rs", MAIN);
    client.idle();
    assert!(is(&client.findings("src/main.rs"), &[RACE]));
    let added = "\nfn greet(name: &str) -> String {\n    format!(\"Hello {name}\")\n}\n";
    let (mut line, mut character) = (MAIN.lines().count(), 0);
    for typed in added.chars() {
        let at = serde_json::json!({ "line": line, "character": character });
        client
            .edit("src/main.rs", serde_json::json!({ "range": { "start": at, "end": at }, "text": typed.to_string() }));
        (line, character) = if typed == '\n' { (line + 1, 0) } else { (line, character + 1) };
        client.wait("anything", |_| true);
        assert!(is(&client.findings("src/main.rs"), &[RACE]), "{typed:?}: {:?}", client.diagnostics);
    }
    client.idle();
    assert!(is(&client.findings("src/main.rs"), &[RACE]));
    client.stop();
}

/// Half-typed code, cut anywhere.
const FRAGMENTS: [&str; 12] = [
    "fn f<T: Clone>(x: &mut T) -> Result<T, ()> { Ok(x.clone()) }",
    "impl<'a> Iterator for Count<'a> { type Item = u8; fn next(&mut self) -> Option<u8> { None } }",
    "let r#type = match n { 0 | 1 if n > 0 => \"a\\\"b\", 2..=9 => r##\"x\"#y\"##, _ => { return } };",
    "macro_rules! twice { ($($x:expr),*) => { [$($x, $x),*] } }",
    "struct Pair<const N: usize>([u8; N], std::marker::PhantomData<*const ()>);",
    "use std::{collections::{HashMap as Map, *}, self as s};",
    "/* a comment /* in another */ 'c' b'\\x7f' 1_000.5e-3f64 */",
    "async move |x: impl Fn(&str) -> u8| { for _ in 0.. { x(\"\\u{1F980}\"); } loop { break 'a } }",
    "#[derive(Debug, Clone)] #[cfg(any(test, not(unix)))] enum E { A { x: u8 }, B(u8) = 3 }",
    "unsafe extern \"C\" { static mut X: u8; fn g(...); } static Y: u8 = { const fn h() {} 1 };",
    "where Self: for<'b> Fn(&'b [u8; { 1 + 2 }]) -> dyn Send + 'b, {}}}))]]",
    "println!(\"{n:>1$} {{}} {}\", , ); ;; ::<>() => -> .. ... ..= 'a 'é \u{feff}\u{202e}",
];

/// A hundred broken texts, typed character by character: the server keeps running, and findings elsewhere stay.
#[test]
fn mutated_sources() {
    let main = format!("mod other;\n\n{MAIN}");
    let other = "pub struct Count<'a>(pub &'a [u8]);\n\npub fn sum(n: u32) -> u32 {\n    let mut sum = 0;\n    for i in 0..n {\n        sum += i;\n    }\n    sum\n}\n";
    let folder = Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", &main), ("src/other.rs", other)]);
    let mut client = Client::start(folder.path());
    client.open("src/main.rs", &main);
    client.open("src/other.rs", other);
    client.idle();
    let race = [(RACE.0 + 2, RACE.1)];
    assert!(is(&client.findings("src/main.rs"), &race), "{:?}", client.diagnostics);
    let mut state = 7u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for number in 0..60 {
        let fragment: Vec<char> = FRAGMENTS[below(FRAGMENTS.len())].chars().collect();
        let (start, length) = (below(fragment.len() / 2), 1 + below(fragment.len() / 2));
        let line = below(other.lines().count());
        let text = other.lines().nth(line).expect("it has so many");
        let mut character = below(text.len() + 1);
        for typed in &fragment[start..start + length] {
            let at = serde_json::json!({ "line": line, "character": character });
            let range = serde_json::json!({ "start": at, "end": at });
            client.edit("src/other.rs", serde_json::json!({ "range": range, "text": typed.to_string() }));
            character += typed.len_utf16();
        }
        client.idle();
        let found = client.findings("src/main.rs");
        assert!(is(&found, &race), "{number}: {:?} in line {line}: {found:?}", &fragment[start..start + length]);
        assert!(client.findings("src/other.rs").is_empty(), "{number}: {:?}", client.diagnostics);
        client.change("src/other.rs", other);
    }
    client.idle();
    assert!(is(&client.findings("src/main.rs"), &race));
    assert_eq!(client.shown, Vec::<String>::new());
    client.stop();
}
