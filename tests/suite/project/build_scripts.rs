//! What build scripts tell their crates is known without running them (decision 31).

use crate::support::Folder;
use std::fs;

/// A program that asks a crate named `log` what its build script set.
fn program(version: &str, dependency: &str) -> Folder {
    let manifest = format!(
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nlog = {dependency}\n"
    );
    Folder::new(&[
        ("Cargo.toml", &manifest),
        (
            ".cargo/config.toml",
            "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"vendor\"\n",
        ),
        (
            "vendor/log/Cargo.toml",
            &format!("[package]\nname = \"log\"\nversion = \"{version}\"\nedition = \"2021\"\nbuild = \"build.rs\"\n"),
        ),
        ("vendor/log/.cargo-checksum.json", "{\"files\":{}}"),
        ("vendor/log/build.rs", "fn main() { std::fs::write(\"ran\", \"\").unwrap(); }\n"),
        (
            "vendor/log/src/lib.rs",
            "pub fn has() -> (bool, bool, bool) { (cfg!(atomic_cas), cfg!(has_atomics), cfg!(other)) }\n",
        ),
        ("src/main.rs", "fn main() { println!(\"{:?}\", log::has()); }\n"),
    ])
}

const MISSING: &str = "build output not used, because this workspace is not trusted: build script of `log`";

#[test]
fn cfgs_of_a_known_build_script_are_set() {
    let folder = program("0.4.14", "\"0.4\"");
    let (stdout, stderr, status) = folder.output(&["run"]);
    assert_eq!((stdout.as_str(), stderr.as_str(), status), ("(true, true, false)\n", "", 0));
    let (stdout, _, _) = folder.output(&["run", "--untrusted"]);
    assert_eq!(stdout, "(true, true, false)\n");
    assert!(!folder.path().join("vendor/log/ran").exists());
}

#[test]
fn other_versions_packages_and_platforms_are_unknown() {
    let folder = program("0.4.99", "\"0.4\"");
    let (stdout, stderr, _) = folder.output(&["run"]);
    assert_eq!(stdout, "(false, false, false)\n");
    assert!(stderr.starts_with(MISSING), "{stderr}");

    let folder = program("0.4.14", "{ path = \"vendor/log\" }");
    let (stdout, stderr, _) = folder.output(&["run"]);
    assert_eq!(stdout, "(false, false, false)\n");
    assert!(stderr.starts_with(MISSING), "{stderr}");

    let folder = program("0.4.14", "\"0.4\"");
    let (_, stderr, _) = folder.output(&["check", "--target", "aarch64-unknown-linux-gnu"]);
    assert!(stderr.contains("build script of `log`"), "{stderr}");
}

/// A program whose dependency `made` has this build script, and these sources beside.
fn with_script(script: &str, library: &str, dependency: &str) -> Folder {
    let (manifest, checksum) = ("vendor/made/Cargo.toml", "vendor/made/.cargo-checksum.json");
    Folder::new(&[
        (
            "Cargo.toml",
            "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nmade = \"1\"\n",
        ),
        (
            ".cargo/config.toml",
            "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"vendor\"\n",
        ),
        (
            manifest,
            &format!(
                "[package]\nname = \"made\"\nversion = \"1.2.3\"\nedition = \"2021\"\ndescription = \"three words here\"\n\
                 [features]\ndefault = [\"fast-path\"]\nfast-path = []\nother = []\n{dependency}"
            ),
        ),
        (checksum, "{\"files\":{}}"),
        ("vendor/made/build.rs", script),
        ("vendor/made/probe.rs", "#![feature(error_generic_member_access)]\npub fn f() {}\n"),
        ("vendor/made/names.txt", "one\ntwo\nthree\n"),
        ("vendor/made/src/lib.rs", library),
        ("src/main.rs", "fn main() { println!(\"{}\", made::tell()); }\n"),
    ])
}

/// Scripts that say what they find, write code and data, and probe the compiler.
const SCRIPT: &str = r#"
use std::{env, fmt::Write as _, fs, path::Path, process::{Command, Stdio}};

fn main() {
    println!("cargo:rerun-if-changed=names.txt");
    let out = env::var_os("OUT_DIR").unwrap();
    let out = Path::new(&out);
    let mut code = String::from("pub const NAMES: &[&str] = &[\n");
    for name in fs::read_to_string("names.txt").unwrap().lines() {
        writeln!(code, "    {name:?},").unwrap();
    }
    code.push_str("];\n");
    fs::create_dir(out.join("below")).unwrap();
    fs::write(out.join("below").join("names.rs"), code).unwrap();
    fs::write(out.join("table.bin"), [1u8, 200, 255, 7]).unwrap();
    println!("cargo::rustc-env=MADE_CODE={}", out.join("below/names.rs").display());

    let version = Command::new(env::var_os("RUSTC").unwrap()).arg("--version").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let minor: u32 = version.split('.').nth(1).unwrap().parse().unwrap();
    if minor >= 60 {
        println!("cargo::rustc-cfg=new_compiler");
    }
    let probe = Command::new(env::var_os("RUSTC").unwrap())
        .args(["--crate-type=lib", "--emit=metadata", "--out-dir"]).arg(out).arg("probe.rs")
        .stderr(Stdio::null()).status().unwrap();
    if probe.success() {
        println!("cargo::rustc-cfg=nightly");
    }
    let set = |name: &str| env::var(name).unwrap_or_else(|_| "none".to_owned());
    let told = [
        "CARGO_PKG_VERSION_MINOR", "CARGO_PKG_DESCRIPTION", "CARGO_FEATURE_FAST_PATH", "CARGO_FEATURE_OTHER",
        "CARGO_CFG_TARGET_OS", "CARGO_CFG_UNIX", "TARGET", "HOST", "PROFILE", "CARGO_PKG_HOMEPAGE", "DEP_OTHER_ROOT",
    ].map(set).join(" ");
    println!("cargo::rustc-env=MADE_TOLD={told}");
    let mut names: Vec<_> = fs::read_dir(".").unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    println!("cargo::rustc-env=MADE_HAS_PROBE={}", names.iter().any(|it| it == "probe.rs"));
    assert!(!Path::new("absent.txt").exists() && cfg!(feature = "fast-path"));
}
"#;

const LIBRARY: &str = r#"
include!(env!("MADE_CODE"));
const TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/table.bin"));

pub fn tell() -> String {
    let compiler = (cfg!(new_compiler), cfg!(nightly));
    format!("{NAMES:?} {TABLE:?} {compiler:?} {} {}", env!("MADE_TOLD"), env!("MADE_HAS_PROBE"))
}
"#;

#[test]
fn a_script_is_interpreted() {
    let folder = with_script(SCRIPT, LIBRARY, "");
    let (stdout, stderr, status) = folder.output(&["run", "--untrusted"]);
    let expected = "[\"one\", \"two\", \"three\"] [1, 200, 255, 7] (true, false) 2 three words here 1 none linux  \
                    x86_64-unknown-linux-gnu x86_64-unknown-linux-gnu debug  none true\n";
    assert_eq!((stdout.as_str(), stderr.as_str(), status), (expected, "", 0));
    // The real one does the same.
    let (stdout, _, _) = folder.output(&["run", "--trusted"]);
    assert_eq!(stdout, expected);
}

#[test]
fn a_script_of_the_workspace_is_interpreted_too() {
    let folder = Folder::new(&[
        ("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        (
            "build.rs",
            "fn main() {\n    let text = std::fs::read_to_string(\"number.txt\").unwrap();\n    \
             println!(\"cargo::rustc-env=NUMBER={}\", text.trim());\n}\n",
        ),
        ("number.txt", "17\n"),
        ("src/main.rs", "fn main() { println!(\"{}\", env!(\"NUMBER\")); }\n"),
    ]);
    assert_eq!(folder.output(&["run"]).0, "17\n");
    folder.write("number.txt", b"18\n");
    assert_eq!(folder.output(&["run"]).0, "18\n");
}

/// A script sees all names in a folder, so a cached report depends on them. What git keeps is not for reports.
#[test]
fn a_script_lists_a_folder() {
    let folder = Folder::new(&[
        ("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        (
            "build.rs",
            "fn main() {\n    println!(\"cargo::rustc-env=NUMBER={}\", std::fs::read_dir(\"data\").unwrap().count());\n}\n",
        ),
        ("data/one.txt", ""),
        (
            "src/main.rs",
            "static mut N: u32 = 0;\nfn main() {\n    if env!(\"NUMBER\") != \"1\" {\n        \
             let worker = std::thread::spawn(|| unsafe { N += 1 });\n        unsafe { N += 1 }\n        \
             worker.join().unwrap();\n    }\n}\n",
        ),
    ]);
    for _ in 0..2 {
        assert_eq!(folder.output(&["check"]).2, 0);
    }
    folder.write("data/two.txt", b"");
    assert_eq!(folder.output(&["check"]).2, 1);

    folder.write(".git/config", b"token = hunter2\n");
    folder.write(
        "build.rs",
        b"fn main() {\n    let text = std::fs::read_to_string(\".git/config\").unwrap_or_default();\n    \
          println!(\"cargo::rustc-env=NUMBER={}\", text.trim());\n}\n",
    );
    folder.write("src/main.rs", b"fn main() { println!(\"{}\", env!(\"NUMBER\")); }\n");
    let (stdout, stderr, _) = folder.output(&["run"]);
    assert!(!stdout.contains("hunter2") && !stderr.contains("hunter2"), "{stdout}{stderr}");
}

/// What rests on anything unknown, or would change the package, is not known.
#[test]
fn a_script_that_asks_the_system_is_unknown() {
    let scripts = [
        ("another program", "std::process::Command::new(\"git\").arg(\"--version\").output().ok();"),
        (
            "a compiled probe",
            "std::process::Command::new(std::env::var(\"RUSTC\").unwrap()).arg(\"src/lib.rs\").status().ok();",
        ),
        ("a file elsewhere", "println!(\"cargo::rustc-env=A={}\", std::path::Path::new(\"/etc/hostname\").exists());"),
        ("the network", "std::net::TcpStream::connect(\"127.0.0.1:9\").ok();"),
        (
            "chance",
            "let of = |it: u32| { use std::hash::BuildHasher; std::hash::RandomState::new().hash_one(it) };\n    println!(\"cargo::rustc-env=A={}\", of(1));",
        ),
        ("its own sources", "std::fs::write(\"src/made.rs\", \"\").unwrap();"),
        ("a failure", "std::process::exit(1);"),
        ("a panic", "panic!();"),
        ("what cannot be compiled", "let it: u32 = \"\";\n    println!(\"cargo::rustc-env=A={it}\");"),
        ("endless work", "loop { std::hint::black_box(1); }"),
        (
            "very much output",
            "let to = std::path::PathBuf::from(std::env::var(\"OUT_DIR\").unwrap());\n    \
             for n in 0..20 { std::fs::write(to.join(n.to_string()), vec![255; 1 << 20]).unwrap(); }",
        ),
    ];
    for (what, script) in scripts {
        let folder = with_script(&format!("fn main() {{\n    {script}\n}}\n"), "pub fn tell() -> u32 { 1 }\n", "");
        let (stdout, stderr, _) = folder.output(&["run", "--untrusted"]);
        assert_eq!(stdout, "1\n", "{what}");
        assert!(stderr.contains("build script of `made`"), "{what}: {stderr}");
        assert!(!folder.path().join("vendor/made/src/made.rs").exists());
    }
}

#[test]
fn a_script_with_dependencies_is_unknown() {
    let dependency = "[build-dependencies]\nhelper = \"1\"\n";
    let folder = with_script("fn main() {}\n", "pub fn tell() -> u32 { 1 }\n", dependency);
    for (path, text) in [
        ("vendor/helper/Cargo.toml", "[package]\nname = \"helper\"\nversion = \"1.0.0\"\nedition = \"2021\"\n"),
        ("vendor/helper/.cargo-checksum.json", "{\"files\":{}}"),
        ("vendor/helper/src/lib.rs", ""),
    ] {
        folder.write(path, text.as_bytes());
    }
    let (stdout, stderr, _) = folder.output(&["run"]);
    assert_eq!(stdout, "1\n");
    assert!(stderr.contains("build script of `made`"), "{stderr}");
}

/// A cached report is used only while all that the script read is as it was, and only if nobody changed it.
#[test]
fn results_of_scripts_are_kept() {
    let folder = with_script(SCRIPT, LIBRARY, "");
    let run = |folder: &Folder| {
        let (stdout, stderr, _) = folder.output(&["run"]);
        assert_eq!(stderr, "");
        stdout
    };
    let first = run(&folder);
    let kept = fs::read_dir(folder.path().join(".cache/tsvd-check/scripts")).unwrap();
    let kept: Vec<_> = kept.map(|it| it.unwrap().path()).collect();
    let [file] = &kept[..] else { panic!("{kept:?}") };
    let changed = fs::metadata(file).unwrap().modified().unwrap();
    assert_eq!(run(&folder), first);
    assert_eq!(fs::metadata(file).unwrap().modified().unwrap(), changed);

    // Somebody else's content is not believed.
    let text = fs::read_to_string(file).unwrap();
    fs::write(file, text.replace("three", "seven")).unwrap();
    assert_eq!(run(&folder), first);

    folder.write("vendor/made/names.txt", b"one\n");
    assert!(run(&folder).starts_with("[\"one\"] "));
    folder.write("vendor/made/absent.txt", b"");
    let (_, stderr, _) = folder.output(&["run"]);
    assert!(stderr.contains("build script of `made`"), "{stderr}");
}
