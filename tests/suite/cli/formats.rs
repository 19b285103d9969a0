//! Output formats: one report in different forms.

use crate::support::Folder;
use serde_json::Value;
use std::path::Path;

const RACE: &str = "static mut N: u32 = 0;\nfn main() {\n    let other = std::thread::spawn(|| unsafe { N += 1 });\n    unsafe { N += 1 }\n    other.join().unwrap();\n}\n";

/// Makes a schema refuse fields that it does not describe. As published, it accepts fields of later releases.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.get("properties").is_some_and(|it| it.is_object()) && object.contains_key("required") {
                object.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            object.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// The violations of `docs/report.schema.json` in a text.
fn violations(json: &str) -> Option<String> {
    violations_of("docs/report.schema.json", json)
}

/// The violations of a schema of ours in a text.
pub(super) fn violations_of(schema: &str, json: &str) -> Option<String> {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join(schema);
    let mut schema: Value = serde_json::from_slice(&std::fs::read(schema).unwrap()).unwrap();
    close(&mut schema);
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("report.json", schema).unwrap();
    let index = compiler.compile("report.json", &mut schemas).unwrap();
    let report: Value = serde_json::from_str(json).unwrap();
    schemas.validate(&report, index).err().map(|error| format!("{error:#}"))
}

/// The JSON report of a check, which follows the schema.
fn json(folder: &Folder, args: &[&str]) -> Value {
    let (stdout, stderr, _) = folder.output(&[args, &["--format", "json"]].concat());
    assert_eq!(violations(&stdout), None, "{stdout}{stderr}");
    serde_json::from_str(&stdout).unwrap()
}

#[test]
fn the_json_report_of_each_bug_of_the_corpus_follows_its_schema() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut rules: Vec<String> = Vec::new();
    for case in ["deadlock/order_two", "race/static_mut", "tsv/shared_vec"] {
        let file = corpus.join(case).join("bug.rs");
        let Ok(text) = std::fs::read_to_string(&file) else { panic!("{} is not there", file.display()) };
        let folder = Folder::new(&[("bug.rs", &text)]);
        let report = json(&folder, &["check", "bug.rs"]);
        let finding = &report["parts"][0]["packages"][0]["findings"][0];
        rules.push(finding["rule"].as_str().unwrap().to_owned());
        assert!(finding["threads"].as_array().unwrap().len() > 1, "{finding:#}");
        assert_eq!(finding["entry"]["kind"], "main");
    }
    assert_eq!(rules, ["deadlock", "data-race", "thread-safety-violation"]);
}

#[test]
fn the_json_report_has_messages_and_what_a_summary_says() {
    let folder = Folder::new(&[("race.rs", &format!("{RACE}fn broken() {{ let = 3; }}\n"))]);
    let report = json(&folder, &["check", "race.rs"]);
    let part = &report["parts"][0];
    assert_eq!((&report["version"], &part["path"]), (&Value::from(1), &Value::from("race.rs")));
    assert_eq!(
        (&part["messages"][0]["kind"], &part["messages"][0]["stage"]),
        (&"syntax-error".into(), &"start".into())
    );
    let summary = &part["packages"][0]["summary"];
    assert_eq!((&summary["bugs"], &summary["is_incomplete"]), (&Value::from(1), &Value::from(true)));
    // Several paths give one report.
    let report = json(&folder, &["check", "race.rs", "absent.rs"]);
    assert_eq!(report["parts"].as_array().unwrap().len(), 2);
    assert_eq!(report["parts"][1]["messages"][0]["level"], "error");
}

#[test]
fn a_lock_that_is_held_is_told() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/deadlock/order_two/bug.rs");
    let folder = Folder::new(&[("bug.rs", &std::fs::read_to_string(file).unwrap())]);
    let report = json(&folder, &["check", "bug.rs"]);
    let threads = report["parts"][0]["packages"][0]["findings"][0]["threads"].as_array().unwrap();
    let holds =
        |thread: &Value| thread["holds"][0]["name"].is_string() && thread["holds"][0]["location"]["line"].is_u64();
    assert!(threads.iter().all(holds), "{threads:#?}");
}

#[test]
fn the_schema_refuses_what_it_does_not_describe() {
    let folder = Folder::new(&[("race.rs", RACE)]);
    let (json, ..) = folder.output(&["check", "race.rs", "--format", "json"]);
    assert_eq!(violations(&json), None);
    assert!(violations(&json.replacen("\"rule\"", "\"rul\"", 1)).is_some());
    assert!(violations(&json.replacen("\"certain\"", "\"sure\"", 1)).is_some());
}

/// A cached report is data: every format prints it like a new one.
#[test]
fn a_kept_result_is_printed_in_any_format() {
    let folder = Folder::new(&[("race.rs", RACE)]);
    folder.output(&["check", "race.rs"]);
    let results = || std::fs::read_dir(folder.path().join(".cache/tsvd-check/results")).unwrap().count();
    assert_eq!(results(), 1);
    for (format, more) in
        [("full", &[][..]), ("full", &["--color", "always"]), ("short", &[]), ("short", &["--possible"]), ("json", &[])]
    {
        let args = [&["check", "race.rs", "--format", format], more].concat();
        let kept = folder.output(&args);
        assert_eq!(results(), 1, "{args:?}");
        assert_eq!(folder.output(&[&args[..], &["--no-cache"]].concat()), kept, "{args:?}");
        assert!(kept.0.contains("data-race") && kept.2 == 1, "{kept:?}");
    }
}

#[test]
fn a_replay_has_the_same_formats() {
    let folder = Folder::new(&[("race.rs", RACE)]);
    let report = json(&folder, &["check", "race.rs"]);
    let finding = &report["parts"][0]["packages"][0]["findings"][0];
    let id = finding["replay"].as_str().unwrap();
    let again = json(&folder, &["replay", id]);
    let again = &again["parts"][0]["packages"][0]["findings"][0];
    for key in ["rule", "cause", "witness", "primary", "entry", "steps"] {
        assert_eq!(finding[key], again[key], "{key}");
    }
    let schedule = finding["witness"].as_str().unwrap();
    let again = json(&folder, &["replay", "--schedule", schedule, "race.rs"]);
    assert_eq!(again["parts"][0]["packages"][0]["findings"][0]["cause"], finding["cause"]);
}

/// A finding of one entry has its own id, even if another entry shows the same bug first.
#[test]
fn a_search_finds_what_another_entry_shows_too() {
    let shared = "static mut N: u32 = 0;\nfn race() {\n    let other = std::thread::spawn(|| unsafe { N += 1 });\n    unsafe { N += 1 }\n    other.join().unwrap();\n}\nfn main() {\n    race();\n}\n#[test]\nfn t() {\n    race();\n}\n";
    let folder = Folder::new(&[("shared.rs", shared)]);
    let report = json(&folder, &["check", "shared.rs", "--test", "t"]);
    let id = report["parts"][0]["packages"][0]["findings"][0]["replay"].as_str().unwrap().to_owned();
    std::fs::remove_dir_all(folder.path().join(".cache")).unwrap();
    for more in [&[][..], &["--bin", "shared::t"]] {
        let (stdout, stderr, status) = folder.output(&[&["replay", &id, "shared.rs"], more].concat());
        assert!(stdout.contains("data-race") && status == 1, "{stdout}{stderr}");
    }
}

/// A failed check may have another result the next time.
#[test]
fn an_error_is_not_kept() {
    let folder = Folder::new(&[("race.rs", RACE)]);
    for _ in 0..2 {
        let (_, stderr, status) = folder.output(&["check", "race.rs", "--test", "nope"]);
        assert!(stderr.contains("there is no test with `nope` in its name") && status == 2, "{stderr}");
    }
    let results = std::fs::read_dir(folder.path().join(".cache/tsvd-check/results"));
    assert_eq!(results.into_iter().flatten().count(), 0);
}

/// A report has the name of a thread many times, and columns as wide as it.
#[test]
fn a_very_long_name_of_a_thread() {
    let spawn = "std::thread::Builder::new().name(\"x\".repeat(1 << 17)).spawn(|| unsafe { N += 1 }).unwrap()";
    let race = RACE.replace("std::thread::spawn(|| unsafe { N += 1 })", spawn);
    let folder = Folder::new(&[("race.rs", &race)]);
    let formats = ["full", "short", "json", "cargo-json", "sarif", "github", "gitlab", "junit", "html", "markdown"];
    let outputs = formats.map(|format| format!("--output={format}=report.{format}"));
    let args: Vec<&str> =
        ["check", "race.rs", "--runs", "5"].into_iter().chain(outputs.iter().map(|it| &**it)).collect();
    let (stdout, stderr, status) = folder.output(&args);
    assert_eq!(status, 1, "{stdout}{stderr}");
    for format in formats {
        let report = std::fs::read_to_string(folder.path().join(format!("report.{format}"))).unwrap();
        assert!(report.contains("data-race") && report.len() < 100_000, "{format}: {}", report.len());
    }
}
