//! Characters that would change how surrounding text is displayed never appear unescaped in any output.

use crate::support::{Folder, client::Client, run};

/// A control sequence of terminals, a bidirectional override, an invisible character, and one of C1.
const HIDDEN: &str = "\u{1b}[31m\u{202e}\u{200b}\u{9b}";
const SHOWN: &str = "\\u{1b}[31m\\u{202e}\\u{200b}\\u{9b}";

/// A race in a thread with such a name, on lines with such texts.
fn race() -> String {
    format!(
        "static mut SOLD: u32 = 0;
fn sell(_: &str) {{ unsafe {{ /* {HIDDEN} */ SOLD += 1 /* {HIDDEN} */ }} }}
fn main() {{
    let thread = std::thread::Builder::new().name(\"n{HIDDEN}\\n\".to_owned());
    let thread = thread.spawn(|| sell(\"{HIDDEN}\")).unwrap();
    sell(\"\");
    thread.join().unwrap();
}}
#[test]
fn fails() {{ panic!(\"{HIDDEN}\\n\") }}
odd!(\"{HIDDEN}\");
compile_error!(\"{HIDDEN}\");
"
    )
}

fn hidden(text: &str) -> Vec<char> {
    text.chars().filter(|it| analyzer_hides(*it)).collect()
}

/// Characters that no terminal or editor may get.
fn analyzer_hides(character: char) -> bool {
    let is_format = matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    is_format || character.is_control() && character != '\n'
}

#[test]
fn reports_and_summaries() {
    let name = format!("a{HIDDEN}\nb.rs");
    let folder = Folder::new(&[("race.rs", &race()), (name.as_str(), &race())]);
    let nothing_hidden = |args: &[&str]| {
        let (stdout, stderr, status) = folder.output(args);
        assert_eq!((hidden(&stdout), hidden(&stderr)), (vec![], vec![]), "{args:?}: {stdout}{stderr}");
        (stdout, status)
    };
    for path in ["race.rs", name.as_str()] {
        let (report, status) = nothing_hidden(&["check", "--runs", "3", path]);
        assert!(status == 1 && report.contains(&format!("/* {SHOWN} */ SOLD += 1")), "{report}");
        nothing_hidden(&["test", "--list", path]);
    }
    let (line, _) = nothing_hidden(&["check", "--runs", "3", "--format", "short", &name]);
    assert!(line.starts_with(&format!("a{SHOWN}\\nb.rs:2:")), "{line}");
    let (json, status) = nothing_hidden(&["test", "--format", "json", "race.rs"]);
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(status == 1 && report["failures"][0]["says"].as_str().is_some_and(|it| it.contains(HIDDEN)), "{json}");
    nothing_hidden(&["replay", "--schedule", "0", "race.rs"]);
}

/// The marks are below what they mark, and a terminal's own colours stay.
#[test]
fn marks_and_colours() {
    let folder = Folder::new(&[("race.rs", &race())]);
    let (plain, _, _) = folder.output(&["check", "race.rs"]);
    let lines: Vec<&str> = plain.lines().collect();
    let at = lines.iter().position(|line| line.contains("SOLD += 1")).expect("the line is drawn");
    assert_eq!(lines[at].find("SOLD += 1"), lines[at + 1].find(['^', '-']), "{plain}");
    let (coloured, _, _) = folder.output(&["check", "--color", "always", "race.rs"]);
    let mut rest = coloured.as_str();
    let mut uncoloured = String::new();
    while let Some((before, behind)) = rest.split_once("\u{1b}[") {
        uncoloured.push_str(before);
        let end = behind.find(|it: char| !it.is_ascii_digit() && it != ';').expect("it ends");
        assert!(behind[end..].starts_with('m'), "{behind:.20}");
        rest = &behind[end + 1..];
    }
    uncoloured.push_str(rest);
    assert_eq!(uncoloured, plain);
}

#[test]
fn arguments_and_messages_of_others() {
    let manifest =
        format!("[package]\nname = \"shop\"\nedition = \"2024\"\n[dependencies]\nother = \"{}\"\n", "\\u202e\\u001b");
    let folder =
        Folder::new(&[("a.rs", "fn main() {}\n"), ("Cargo.toml", &manifest), ("src/main.rs", "fn main() {}\n")]);
    for args in [
        ["check", "no\u{1b}]0;title\u{7}.rs"].as_slice(),
        &["check", "--test", HIDDEN, "a.rs"],
        &["check", "--bin", HIDDEN, "a.rs"],
        &["check", "--strategy", HIDDEN, "a.rs"],
        &["check", "--target", HIDDEN, "."],
        &["check", "."],
        &["explain", HIDDEN],
        &["replay", HIDDEN],
        &[HIDDEN],
        &["--format", HIDDEN],
    ] {
        let (stdout, stderr, status) = folder.output(args);
        assert_eq!((hidden(&stdout), hidden(&stderr)), (vec![], vec![]), "{args:?}: {stdout}{stderr}");
        assert!(status == 2 && stderr.contains("error: "), "{args:?}: {stdout}{stderr}");
    }
}

const LOCKS: &str = "fn main() {\n    let lock = std::sync::Mutex::new(1);\n    if *lock.lock().unwrap() == 2 {\n        \
                     lock.lock().unwrap();\n    }\n}\n";

/// What a repository names cannot look like a line of ours, or be a command to a CI service.
#[test]
fn no_line_is_forged() {
    const FORGED: &str = "::error::forged";
    let package = "[package]\nname = \"shop\"\nedition = \"2024\"\n";
    let missing = format!("{package}[dependencies]\nd = {{ path = \"q\\n{FORGED}\" }}\n");
    let key = format!("[build]\n\"x\\n{FORGED}\" = 1\n");
    let include = format!("include = [\"a\\n{FORGED}.toml\"]\n");
    let of_crate = |name: &str, root: &str| {
        let krate = serde_json::json!({ "display_name": name, "root_module": root, "edition": "2024", "deps": [] });
        serde_json::json!({ "crates": [krate] }).to_string()
    };
    let name = format!("n\n{FORGED}");
    let entry = serde_json::json!({ "fingerprint": "f", "rule": name, "at": "a.rs:1:1", "title": "t" });
    let baseline = serde_json::json!({ "version": 1, "findings": [entry] }).to_string();
    let main = "fn main() {}\n";
    let folder = Folder::new(&[
        ("path/Cargo.toml", missing.as_str()),
        ("path/src/main.rs", main),
        ("key/Cargo.toml", package),
        ("key/src/main.rs", main),
        ("key/.cargo/config.toml", &key),
        ("include/Cargo.toml", package),
        ("include/src/main.rs", main),
        ("include/.cargo/config.toml", &include),
        ("name/rust-project.json", &of_crate(&name, "main.rs")),
        ("name/main.rs", main),
        ("root/rust-project.json", &of_crate("n", &name)),
        ("a.rs", main),
        ("baseline.json", &baseline),
        ("target/Cargo.toml", &format!("{package}[[bin]]\nname = \"t\\n\\n{FORGED}\"\npath = \"src/main.rs\"\n")),
        ("target/src/main.rs", LOCKS),
        ("module/Cargo.toml", package),
        ("module/src/main.rs", &format!("#[path = \"m\\n{FORGED}\"]\nmod m;\nfn main() {{ m::main() }}\n")),
        (&format!("module/src/m\n{FORGED}"), &LOCKS.replace("fn main", "pub fn main")),
    ]);
    for (inside, format, before) in
        [("target", "text", "t\\n"), ("target", "lcov", ""), ("module", "text", "m"), ("module", "lcov", "m")]
    {
        let mut command = folder.command(inside, &["reach", "--format", format]);
        command.env_remove("GITHUB_ACTIONS").env_remove("TF_BUILD");
        let (stdout, stderr, _) = run(command);
        let is_forged = |line: &str| line.trim_start().starts_with("::");
        assert!(!stdout.lines().chain(stderr.lines()).any(is_forged), "{inside} {format}: {stdout}{stderr}");
        assert!(before.is_empty() || stdout.contains(&format!("{before}\\n{FORGED}")), "{inside}: {stdout}{stderr}");
    }
    // cargo uses the configuration of the folder in which it runs.
    for (inside, args, before) in [
        (".", "path", "q"),
        ("key", ".", "`build.x"),
        ("include", ".", "a"),
        (".", "name", "n"),
        (".", "root", "n"),
        (".", "a.rs --baseline baseline.json", "    n"),
    ] {
        for service in ["NO_SERVICE", "GITHUB_ACTIONS", "TF_BUILD"] {
            let args: Vec<&str> = ["check"].into_iter().chain(args.split(' ')).collect();
            let mut command = folder.command(inside, &args);
            command.env_remove("GITHUB_ACTIONS").env_remove("TF_BUILD").env(service, "true");
            let (stdout, stderr, _) = run(command);
            let is_forged = |line: &str| line.trim_start().starts_with("::");
            assert!(!stdout.lines().chain(stderr.lines()).any(is_forged), "{args:?}: {stdout}{stderr}");
            assert!(stderr.contains(&format!("{before}\\n{FORGED}")), "{args:?}: {stdout}{stderr}");
        }
    }
}

/// Reports for people quote names, which are no commands to the service that shows them.
#[test]
fn names_are_no_commands() {
    let race = "static mut N: u32 = 0;\nfn main() {\n    let thread = std::thread::Builder::new().name(\"##[error]n\".into());\n    \
                let thread = thread.spawn(|| unsafe { N += 1 }).unwrap();\n    unsafe { N += 1 }\n    thread.join().unwrap();\n}\n";
    let folder = Folder::new(&[("a.rs", race)]);
    for (service, format, shown) in [
        ("GITHUB_ACTIONS", "full", r"\u{23}#[error]n"),
        ("TF_BUILD", "full", r"\u{23}#[error]n"),
        ("NO_SERVICE", "full", "##[error]n"),
    ] {
        let mut command = folder.command(".", &["check", "a.rs", "--format", format]);
        command.env_remove("GITHUB_ACTIONS").env_remove("TF_BUILD").env(service, "true");
        let (stdout, stderr, _) = run(command);
        assert!(stdout.contains(shown), "{service}: {stdout}{stderr}");
        assert_eq!(stdout.contains("##["), service == "NO_SERVICE", "{service}: {stdout}");
    }
}

#[test]
fn the_editor() {
    let folder = Folder::new(&[("alone.rs", &race())]);
    let mut client = Client::start_with(folder.path(), &serde_json::json!({}));
    client.open("alone.rs", &race());
    client.idle();
    let told = client.diagnostics["alone.rs"][0]["message"].as_str().expect("a message").to_owned();
    assert_eq!(hidden(&told), [], "{told}");
    assert!(told.contains(SHOWN), "{told}");
    client
        .notify("workspace/didChangeConfiguration", serde_json::json!({ "settings": { "tsvd-check.trust": HIDDEN } }));
    client.wait("a complaint", |it| !it.shown.is_empty());
    assert_eq!(hidden(&client.shown[0]), [], "{:?}", client.shown);
    client.stop();
}
