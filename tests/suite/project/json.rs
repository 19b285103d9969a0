//! `rust-project.json`: projects that another build system describes.

use crate::support::{Folder, client::Client};
use serde_json::{Value, json};
use std::process::Command;

const LOCKS: &str = "\
use std::{sync::Mutex, thread};
static A: Mutex<u32> = Mutex::new(0);
static B: Mutex<u32> = Mutex::new(0);
#[cfg(fast)]
pub fn greet() -> &'static str {
    env!(\"GREETING\")
}
fn one() {
    let _a = A.lock().unwrap();
    let _b = B.lock().unwrap();
}
fn two() {
    let _b = B.lock().unwrap();
    let _a = A.lock().unwrap();
}
pub fn number() -> u32 {
    stranger::r#try(stranger::seven())
}
#[test]
fn both() {
    let thread = thread::spawn(one);
    two();
    thread.join().unwrap();
}
";

/// Edition 2015, where these are names.
const STRANGER: &str = "\
#[cfg(feature = \"loud\")]
pub fn seven() -> u32 { 7 }
pub fn try(async: u32) -> u32 { async }
pub static mut OWN: u32 = 0;
#[test]
fn never() {
    let other = ::std::thread::spawn(|| unsafe { OWN += 1 });
    unsafe { OWN += 1 }
    other.join().unwrap();
}
";

const APP: &str = "\
fn main() {
    println!(\"{} {} {}\", renamed::greet(), renamed::number(), cfg!(rust_analyzer));
}
";

fn description() -> Value {
    json!({
        "sysroot": "/nowhere",
        "sysroot_src": "/nowhere/src",
        "cfg_groups": { "common": ["fast"] },
        "runnables": [{ "program": "touch", "args": ["it-ran"], "cwd": ".", "kind": "check" }],
        "crates": [
            {
                "display_name": "stranger", "root_module": "vendor/stranger/lib.rs", "edition": "2015", "deps": [],
                "is_workspace_member": false, "cfg": ["feature=\"loud\""],
            },
            {
                "display_name": "locks", "root_module": "locks/src/lib.rs", "edition": "2018",
                "deps": [{ "crate": 0, "name": "stranger" }], "cfg_groups": ["common"], "env": { "GREETING": "hello" },
            },
            {
                "display_name": "app", "root_module": "app/main.rs", "edition": "2021",
                "deps": [{ "crate": 1, "name": "renamed" }],
                "build": { "label": "//app", "build_file": "touch it-ran", "target_kind": "bin" },
            },
        ],
    })
}

fn project(description: &Value) -> Folder {
    Folder::new(&[
        ("rust-project.json", &serde_json::to_string_pretty(description).expect("it is JSON")),
        ("vendor/stranger/lib.rs", STRANGER),
        ("locks/src/lib.rs", LOCKS),
        ("app/main.rs", APP),
        ("app/readme.txt", ""),
    ])
}

const DEADLOCK: &str = "locks/src/lib.rs:10:14: error[deadlock]";

#[test]
fn crates_are_as_described() {
    let folder = project(&description());
    for tier in [&["run"][..], &["run", "--untrusted"], &["run", "rust-project.json"], &["run", "app"]] {
        assert_eq!(folder.output(tier), ("hello 7 false\n".to_owned(), String::new(), 0));
    }
    // Tests of members, not those of the stranger.
    let (stdout, stderr, status) = folder.output(&["check", "--format", "short"]);
    assert!(stdout.starts_with(DEADLOCK) && stdout.lines().count() == 1 && status == 1, "{stdout}");
    assert!(stderr.contains("app: no bug found. 1 entry (main)") && stderr.contains("locks: 1 bug"), "{stderr}");
    assert!(!stderr.contains("stranger"), "{stderr}");
    let (_, stderr, status) = folder.output(&["check", "--package", "app"]);
    assert!(stderr.starts_with("app: no bug found.") && status == 0, "{stderr}");
    // From a folder inside; a hidden file works too.
    std::fs::rename(folder.path().join("rust-project.json"), folder.path().join(".rust-project.json")).expect("ours");
    let (stdout, _, status) = folder.output_in("app", &["check", "--format", "short"]);
    assert!(stdout.starts_with(&format!("../{DEADLOCK}")) && status == 1, "{stdout}");
    // Nothing was executed, and nothing written into the folder.
    let mut there: Vec<_> =
        std::fs::read_dir(folder.path()).expect("ours").flatten().map(|it| it.file_name()).collect();
    there.sort();
    assert_eq!(there, [".cache", ".rust-project.json", "app", "locks", "vendor"]);
}

#[test]
fn what_is_broken_is_said() {
    let says = |change: fn(&mut Value), expected: &str| {
        let mut description = description();
        change(&mut description);
        let folder = project(&description);
        let (stdout, stderr, status) = folder.output(&["check"]);
        let stderr = stderr.replace(&folder.path().display().to_string(), "DIR");
        assert_eq!((stdout.as_str(), stderr.as_str(), status), ("", format!("error: {expected}\n").as_str(), 2));
    };
    says(
        |it| it["crates"][1]["root_module"] = json!("locks/lib.rs"),
        "cannot use ./rust-project.json: crate `locks` (number 1) has no file DIR/locks/lib.rs: its `root_module` is given relative to DIR",
    );
    says(
        |it| it["crates"][2]["deps"][0]["crate"] = json!(3),
        "cannot use ./rust-project.json: crate `app` (number 2) depends on `renamed`, number 3: the last number is 2",
    );
    says(
        |it| it["crates"][0]["deps"] = json!([{ "crate": 1, "name": "locks" }]),
        "cannot use ./rust-project.json: crate `stranger` (number 0) depends on itself, through its `deps`",
    );
    says(
        |it| it["crates"][1]["cfg_groups"] = json!(["others"]),
        "cannot use ./rust-project.json: crate `locks` (number 1) has the cfgs of `others`: `cfg_groups` has no such group",
    );
    says(
        |it| it["crates"][1]["edition"] = json!("2020"),
        "cannot use ./rust-project.json: unknown variant `2020`, expected one of `2015`, `2018`, `2021`, `2024` at line 29 column 23",
    );
    says(
        |it| it["crates"][1]["target"] = json!("i686-pc-windows-msvc"),
        "cannot analyse for `i686-pc-windows-msvc`: the interpreter supports only 64-bit little-endian platforms",
    );
    let folder = project(&description());
    folder.write("rust-project.json", b"{ \"crates\": [,] }");
    let (_, stderr, status) = folder.output(&["check"]);
    assert_eq!(
        (stderr.as_str(), status),
        ("error: cannot use ./rust-project.json: expected value at line 1 column 14\n", 2)
    );
    folder.write("rust-project.json", b"{}");
    let (_, stderr, status) = folder.output(&["check"]);
    assert_eq!(
        (stderr.as_str(), status),
        ("error: cannot use ./rust-project.json: missing field `crates` at line 1 column 2\n", 2)
    );
    let elsewhere = Folder::new(&[("lib.rs", "pub fn f() {}\n")]);
    let root = elsewhere.path().join("lib.rs").display().to_string();
    let source = json!({ "include_dirs": ["app"], "exclude_dirs": [] });
    let krate = json!({ "root_module": root, "edition": "2021", "deps": [], "source": source });
    folder.write("rust-project.json", json!({ "crates": [krate] }).to_string().as_bytes());
    let (_, stderr, status) = folder.output(&["check"]);
    assert!(
        stderr.contains("the root module of crate `lib`, ") && stderr.ends_with(" is not in its `source` folders\n")
    );
    assert_eq!(status, 2);
    let folder = project(&description());
    let (_, stderr, status) = folder.output(&["check", "-F", "loud"]);
    assert!(stderr.contains("rust-project.json has no features: ") && status == 2, "{stderr}");
    let (_, stderr, status) = folder.output(&["check", "--trusted"]);
    assert!(stderr.contains("it does not say how to build") && status == 2, "{stderr}");
}

/// Crates with a `main` are programs unless the file says otherwise; a Cargo package in the same folder takes
/// precedence.
#[test]
fn kinds_and_neighbours() {
    let mut description = description();
    description["crates"][2].as_object_mut().expect("a crate").remove("build");
    let folder = project(&description);
    let (_, stderr, _) = folder.output(&["check", "--no-tests"]);
    assert!(stderr.starts_with("app: no bug found. 1 entry (main)"), "{stderr}");
    // A crate under test may be described separately.
    let crates = description["crates"].as_array_mut().expect("crates");
    let mut tested = crates[1].clone();
    tested["cfg"] = json!(["test", "fast"]);
    crates.push(tested);
    folder.write("rust-project.json", description.to_string().as_bytes());
    let (stdout, stderr, _) = folder.output(&["check", "--format", "short", "--no-cache"]);
    assert!(stdout.starts_with(DEADLOCK) && stdout.lines().count() == 1, "{stdout}");
    assert!(stderr.contains("locks: 1 bug. 4 entries (1 test, 3 API items)"), "{stderr}");
    folder.write("Cargo.toml", b"[package]\nname = \"other\"\nedition = \"2024\"\n");
    folder.write("src/main.rs", b"fn main() {}\n");
    let (_, stderr, _) = folder.output(&["check"]);
    assert!(stderr.starts_with("other: no bug found"), "{stderr}");
}

#[test]
fn kept_results_follow_the_description() {
    let mut description = description();
    let folder = project(&description);
    let greeting = |expected: usize| {
        let (_, stderr, _) = folder.output(&["check", "--test", "says", "--no-tests"]);
        assert!(stderr.contains("cannot be used"), "{stderr}");
        let (stdout, _, _) = folder.output(&["check", "--format", "short"]);
        assert_eq!(stdout.lines().count(), expected, "{stdout}");
    };
    greeting(1);
    greeting(1);
    description["crates"][1]["is_workspace_member"] = json!(false);
    folder.write("rust-project.json", description.to_string().as_bytes());
    greeting(0);
    // A Cargo manifest is added: the cached report is not used.
    folder.write("Cargo.toml", b"[package]\nname = \"other\"\nedition = \"2024\"\n");
    folder.write("src/main.rs", b"fn main() {}\n");
    let (_, stderr, _) = folder.output(&["check", "--format", "short"]);
    assert!(stderr.starts_with("other"), "{stderr}");
}

/// The library that the file names runs where that is allowed.
#[test]
fn macros() {
    let folder = Folder::new(&[
        ("signs/Cargo.toml", "[package]\nname = \"signs\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n"),
        (
            "signs/src/lib.rs",
            "use proc_macro::TokenStream;\n#[proc_macro]\npub fn seven(_: TokenStream) -> TokenStream { \"7\".parse().unwrap() }\n",
        ),
        ("main.rs", "fn main() {\n    println!(\"{}\", signs::seven!());\n}\n"),
    ]);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "--quiet"]).current_dir(folder.path().join("signs"));
    let output = cargo.env("CARGO_TARGET_DIR", folder.path().join("out")).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let library = format!("out/debug/{}signs{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let describe = |library: Value| {
        let crates = json!([
            {
                "display_name": "signs", "root_module": "signs/src/lib.rs", "edition": "2021", "deps": [],
                "is_proc_macro": true, "proc_macro_dylib_path": library,
            },
            {
                "display_name": "main", "root_module": "main.rs", "edition": "2021",
                "deps": [{ "crate": 0, "name": "signs" }],
                "source": { "include_dirs": ["."], "exclude_dirs": ["signs"] },
            },
        ]);
        folder.write("rust-project.json", json!({ "crates": crates }).to_string().as_bytes());
    };
    describe(json!(&library));
    let (_, stderr, _) = folder.output(&["run"]);
    let word = "build output not used, because this workspace is not trusted: macros of `signs`; run `tsvd-check trust .` to use it\n";
    assert!(stderr.starts_with(word) && stderr.contains("`signs::seven` is not expanded"), "{stderr}");
    folder.allow(".");
    let loaded = format!("macro libraries loaded: `signs` ({library})\n");
    assert_eq!(folder.output(&["run"]), ("7\n".to_owned(), loaded, 0));
    let (_, stderr, _) = folder.output(&["run", "--untrusted"]);
    assert!(
        stderr.starts_with("build output not used (`--untrusted`): macros of `signs`\n")
            && stderr.contains("`signs::seven` is not expanded"),
        "{stderr}"
    );
    describe(Value::Null);
    let (_, stderr, _) = folder.output(&["run"]);
    assert!(
        stderr.starts_with("build output not usable: macros of `signs`: the project's file names no library of it\n"),
        "{stderr}"
    );
    describe(json!("out/nothing.so"));
    let (_, stderr, _) = folder.output(&["run"]);
    assert!(stderr.starts_with("build output not usable: macros of `signs`: there is no "), "{stderr}");
}

#[test]
fn in_the_editor() {
    let mut description = description();
    let folder = project(&description);
    let mut client = Client::start(folder.path());
    client.wait("the deadlock", |it| it.findings("locks/src/lib.rs") == [(10, "deadlock".to_owned())]);
    description["crates"][1]["is_workspace_member"] = json!(false);
    folder.write("rust-project.json", description.to_string().as_bytes());
    client.changed_on_disk("rust-project.json", 2);
    client.wait("nothing", |it| it.findings("locks/src/lib.rs").is_empty());
    client.stop();
}
