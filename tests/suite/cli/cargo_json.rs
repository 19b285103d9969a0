//! `--format cargo-json`: Cargo's envelope and rustc's message, field by field.

use crate::support::Folder;
use serde_json::{Value, json};

/// `ä` is two bytes and one column.
const RACE: &str = "static mut N: u32 = 0;\nfn main() {\n    /* ä */ let other = std::thread::spawn(|| unsafe { N += 1 });\n    unsafe { N += 1 }\n    other.join().unwrap();\n}\n";

/// A deadlock whose repair is certain, in a file that is no target's root.
const TWO_LOCKS: &str = "use std::sync::Mutex;
pub static A: Mutex<u32> = Mutex::new(0);
pub static B: Mutex<u32> = Mutex::new(0);
pub fn one() {
    let mut a = A.lock().unwrap();
    *a += 1;
    *B.lock().unwrap() += 1;
}
pub fn two() {
    let b = B.lock().unwrap();
    *A.lock().unwrap() += *b;
}
";

fn messages(folder: &Folder, args: &[&str]) -> Vec<Value> {
    let (stdout, stderr, status) = folder.output(&[args, &["--format", "cargo-json"]].concat());
    assert_eq!(status, 1, "{stdout}{stderr}");
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_message_has_the_fields_of_rustc() {
    let folder = Folder::new(&[("race.rs", RACE)]);
    let [line] = &messages(&folder, &["check", "race.rs"])[..] else { panic!("one finding, one line") };
    assert_eq!(line["reason"], "compiler-message");
    let file = folder.path().join("race.rs").display().to_string();
    assert_eq!(line["package_id"], format!("path+file://{file}#race@0.0.0"));
    assert_eq!((&line["manifest_path"], &line["target"]["name"]), (&Value::from(file.as_str()), &"race".into()));
    let message = &line["message"];
    assert_eq!(message["$message_type"], "diagnostic");
    assert_eq!(message["code"], json!({ "code": "tsvd::data_race", "explanation": null }));
    assert_eq!(message["level"], "error");
    assert!(message["message"].as_str().unwrap().ends_with("both update `N`, and nothing orders the two"));
    let own = "    /* ä */ let other = std::thread::spawn(|| unsafe { N += 1 });";
    let start = RACE.find("N += 1").unwrap();
    assert_eq!(
        message["spans"],
        json!([
            {
                "file_name": "race.rs", "byte_start": start, "byte_end": start + 6, "line_start": 3, "line_end": 3,
                "column_start": 56, "column_end": 62, "is_primary": true,
                "text": [{ "text": own, "highlight_start": 56, "highlight_end": 62 }],
                "label": "thread 1 updates `N` here", "suggested_replacement": null,
                "suggestion_applicability": null, "expansion": null,
            },
            {
                "file_name": "race.rs", "byte_start": start + 24, "byte_end": start + 30, "line_start": 4, "line_end": 4,
                "column_start": 14, "column_end": 20, "is_primary": false,
                "text": [{ "text": "    unsafe { N += 1 }", "highlight_start": 14, "highlight_end": 20 }],
                "label": "`main` updates it here", "suggested_replacement": null,
                "suggestion_applicability": null, "expansion": null,
            },
        ])
    );
    let children = message["children"].as_array().unwrap();
    assert!(children.iter().all(|it| keys(it) == keys(&children[0]) && it["spans"] == json!([])), "{children:#?}");
    let texts: Vec<&str> = children.iter().map(|it| it["message"].as_str().unwrap()).collect();
    assert!(texts[0].starts_with("how it happens:\n1. main starts thread 1 (race.rs:3)\n2. "), "{texts:?}");
    assert!(texts[1].starts_with("why: neither holds a lock"), "{texts:?}");
    assert!(texts.iter().any(|it| it.contains("replay: tsvd-check replay ")), "{texts:?}");
    let (full, ..) = folder.output(&["check", "race.rs"]);
    assert_eq!(message["rendered"], full);
}

/// A package's messages have its own id, manifest and target, and paths from the workspace's folder.
#[test]
fn a_message_has_the_package_as_cargo_names_it() {
    let manifest = "[package]\nname = 'in-side'\nversion = '0.3.0'\nedition = '2021'\n";
    let main = "mod locks;\nfn main() {\n    let other = std::thread::spawn(locks::one);\n    locks::two();\n    other.join().unwrap();\n}\n";
    let folder = Folder::new(&[
        ("Cargo.toml", "[workspace]\nmembers = ['inner']\nresolver = '2'\n"),
        ("inner/Cargo.toml", manifest),
        ("inner/src/bin/tool.rs", ""),
        ("inner/src/main.rs", main),
        ("inner/src/locks.rs", TWO_LOCKS),
    ]);
    folder.write("inner/src/bin/tool.rs", b"fn main() {}\n");
    let root = folder.path().canonicalize().unwrap();
    let (stdout, ..) = folder.output_in("inner/src", &["check", "--format", "cargo-json", "--no-cache"]);
    let line: Value = serde_json::from_str(stdout.lines().next().unwrap()).unwrap();
    assert_eq!(line["package_id"], format!("path+file://{}/inner#in-side@0.3.0", root.display()));
    assert_eq!(line["manifest_path"], format!("{}/inner/Cargo.toml", root.display()));
    let target = json!({
        "kind": ["bin"], "crate_types": ["bin"], "name": "in-side", "edition": "2021",
        "src_path": format!("{}/inner/src/main.rs", root.display()), "doc": true, "doctest": false, "test": true,
    });
    assert_eq!(line["target"], target);
    let message = &line["message"];
    assert_eq!(message["code"]["code"], "tsvd::deadlock");
    let spans = message["spans"].as_array().unwrap();
    assert!(spans.iter().all(|it| it["file_name"] == "inner/src/locks.rs"), "{spans:#?}");
    assert_eq!(spans.iter().filter(|it| it["is_primary"] == true).count(), 1);
    // A result that was kept is the same.
    let kept = |_| folder.output_in("inner/src", &["check", "--format", "cargo-json"]).0;
    assert_eq!([0, 1].map(kept), [stdout.clone(), stdout]);
}

#[test]
fn a_fix_is_a_child_with_the_new_text() {
    let case = "corpus/deadlock/bank_audit";
    let case = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(case);
    let folder = Folder::new(&[]);
    let (stdout, ..) = folder.output(&["check", case.to_str().unwrap(), "--format", "cargo-json"]);
    let line: Value = serde_json::from_str(stdout.lines().next().unwrap()).unwrap();
    let children = line["message"]["children"].as_array().unwrap();
    let [help] = &children.iter().filter(|it| it["level"] == "help").collect::<Vec<_>>()[..] else {
        panic!("{children:#?}")
    };
    assert!(help["message"].as_str().unwrap().starts_with("release `accounts` before the call"), "{help:#}");
    let span = &help["spans"][0];
    assert_eq!((&span["is_primary"], &span["label"]), (&Value::from(true), &Value::Null));
    assert_eq!(span["suggestion_applicability"], "MaybeIncorrect");
    // Whoever puts the text there gets the repaired file.
    let file = case.join(span["file_name"].as_str().unwrap());
    let text = std::fs::read_to_string(file).unwrap();
    let byte = |name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
    let (before, after) = (&text[..byte("byte_start")], &text[byte("byte_end")..]);
    let repaired = format!("{before}{}{after}", span["suggested_replacement"].as_str().unwrap());
    assert!(repaired.contains("        drop(accounts);\n        self.audit.record(id, amount);\n"), "{repaired}");
}

/// Offsets are those of the file on disk, columns those of the text.
#[test]
fn bytes_are_those_of_a_file_with_other_line_ends() {
    let disk = format!("\u{feff}{}", RACE.replace('\n', "\r\n"));
    let folder = Folder::new(&[("race.rs", &disk)]);
    let [line] = &messages(&folder, &["check", "race.rs"])[..] else { panic!("one finding, one line") };
    for span in line["message"]["spans"].as_array().unwrap() {
        let byte = |name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
        assert_eq!(&disk[byte("byte_start")..byte("byte_end")], "N += 1", "{span:#}");
    }
    assert_eq!(line["message"]["spans"][0]["column_start"], 56);
}

#[test]
fn the_text_of_a_program_is_data() {
    let hostile = "static mut N: u32 = 0;\nfn main() {\n    let name = \"\\u{202e}\\u{1b}]0;x\".to_owned();\n    let other = std::thread::Builder::new().name(name).spawn(|| unsafe { N += 1 /* \u{202e} */ }).unwrap();\n    unsafe { N += 1 }\n    other.join().unwrap();\n}\n";
    let folder = Folder::new(&[("a.rs", hostile)]);
    let (stdout, ..) = folder.output(&["check", "a.rs", "--format", "cargo-json"]);
    assert_eq!(stdout.lines().count(), 1);
    assert!(!stdout.contains(['\u{202e}', '\u{1b}']), "{stdout}");
    let line: Value = serde_json::from_str(&stdout).unwrap();
    assert!(!line["message"]["message"].as_str().unwrap().contains(['\u{202e}', '\u{1b}']), "{line:#}");
}
