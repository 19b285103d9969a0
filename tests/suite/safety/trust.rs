//! What is executed, read and written in each tier of trust (SECURITY.md), observed with `strace` where it is
//! installed.
#![cfg(target_os = "linux")]

use crate::support::Folder;
use expect_test::expect;
use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

/// A program of the repository's: it leaves a trace and acts like the program it replaces.
const PROGRAM: &str = "#!/bin/sh\ntouch \"$(dirname \"$0\")/../ran-$(basename \"$0\")\"\nexec \"$@\"\n";

const CONFIGURATION: &str = r#"
include = ["more.toml"]
[build]
rustc-wrapper = "./programs/wrapper"
target-dir = "target"
rustflags = ["--cfg", "configured"]
[target.x86_64-unknown-linux-gnu]
runner = "./programs/runner"
[source.crates-io]
replace-with = "v"
[source.v]
directory = "vendor"
[source.mirror]
registry = "https://registry.invalid/index"
replace-with = "w"
[source.w]
directory = "private"
[env]
NAME = "configuration"
[registries.own]
index = "https://registry.invalid/index"
credential-provider = ["./programs/provider"]
"#;

const MAIN: &str = r#"
use signs::Named;
#[derive(Named)]
struct Shelf;
fn main() {
    println!("{} {} {} {} {}", b::SIX, c::FIVE, d::FOUR, cfg!(configured), env!("NAME"));
    println!("{}", cfg!(made));
    println!("{}", Shelf.name());
}
"#;

const SIGNS: &str = r#"use proc_macro::{TokenStream, TokenTree};
#[proc_macro_derive(Named)]
pub fn named(item: TokenStream) -> TokenStream {
    let name = item.into_iter().filter(|it| matches!(it, TokenTree::Ident(_))).nth(1).unwrap();
    format!("impl {name} {{ fn name(&self) -> &'static str {{ \"{name}\" }} }}").parse().unwrap()
}"#;

/// A repository whose configuration names programs, with a vendored package, a path dependency, a build script and
/// macros, built by somebody before.
fn repository() -> Folder {
    let lock = "version = 4\n[[package]]\nname = \"a\"\nversion = \"0.1.0\"\ndependencies = [\"b\", \"c\", \"d\", \"signs\"]\n";
    let lock = format!(
        "{lock}[[package]]\nname = \"b\"\nversion = \"1.0.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n"
    );
    let lock = format!(
        "{lock}[[package]]\nname = \"c\"\nversion = \"0.1.0\"\n[[package]]\nname = \"d\"\nversion = \"1.0.0\"\nsource = \"registry+https://registry.invalid/index\"\n[[package]]\nname = \"signs\"\nversion = \"0.1.0\"\n"
    );
    let folder = Folder::new(&[
        (
            "r/Cargo.toml",
            "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nb = \"1\"\nc = { path = \"c\" }\nd = { version = \"1\", registry = \"own\" }\nsigns = { path = \"signs\" }\n[lints.rust]\nunexpected_cfgs = \"allow\"\n",
        ),
        ("r/Cargo.lock", &lock),
        (
            "r/build.rs",
            "fn main() { let _ = std::path::Path::new(\"/proc\").exists(); println!(\"cargo::rustc-cfg=made\"); }\n",
        ),
        ("r/src/main.rs", MAIN),
        ("r/c/Cargo.toml", "[package]\nname = \"c\"\nversion = \"0.1.0\"\n"),
        ("r/c/src/lib.rs", "pub const FIVE: u32 = 5;\n"),
        (
            "r/signs/Cargo.toml",
            "[package]\nname = \"signs\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n",
        ),
        ("r/signs/src/lib.rs", SIGNS),
        ("r/vendor/b/Cargo.toml", "[package]\nname = \"b\"\nversion = \"1.0.0\"\n"),
        ("r/vendor/b/.cargo-checksum.json", "{\"files\":{},\"package\":null}"),
        ("r/vendor/b/src/lib.rs", "pub const SIX: u32 = 6;\n"),
        ("r/private/d/Cargo.toml", "[package]\nname = \"d\"\nversion = \"1.0.0\"\n"),
        ("r/private/d/.cargo-checksum.json", "{\"files\":{},\"package\":null}"),
        ("r/private/d/src/lib.rs", "pub const FOUR: u32 = 4;\n"),
        ("r/.cargo/config.toml", CONFIGURATION),
        ("r/.cargo/more.toml", "[build]\nrustc-workspace-wrapper = \"./programs/workspace-wrapper\"\n"),
    ]);
    for name in ["wrapper", "workspace-wrapper", "runner", "provider"] {
        let path = format!("r/programs/{name}");
        folder.write(&path, PROGRAM.as_bytes());
        fs::set_permissions(folder.path().join(path), fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--offline", "--quiet"]).current_dir(folder.path().join("r")).env_remove("CARGO_TARGET_DIR");
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    traces(&folder).iter().for_each(|name| fs::remove_file(folder.path().join("r").join(name)).expect("it is ours"));
    folder
}

/// The programs of the repository that ran.
fn traces(folder: &Folder) -> BTreeSet<String> {
    let names = fs::read_dir(folder.path().join("r")).expect("it is there").flatten().map(|it| it.file_name());
    names.filter_map(|it| it.into_string().ok()).filter(|it| it.starts_with("ran-")).collect()
}

/// Every file of a folder with its time and length.
fn listing(folder: &Path) -> BTreeSet<(PathBuf, u64, std::time::SystemTime)> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).expect("it can be read").flatten().map(|it| it.path()) {
            let data = fs::symlink_metadata(&path).expect("it is there");
            if data.is_dir() {
                folders.push(path.clone());
            }
            found.insert((path, data.len(), data.modified().expect("it has a time")));
        }
    }
    found
}

/// The effects of one run.
struct Run {
    stdout: String,
    stderr: String,
    /// The programs that were started.
    started: BTreeSet<PathBuf>,
    /// Libraries of the repository that were opened.
    libraries: BTreeSet<PathBuf>,
    /// Paths that were opened for writing, created, renamed or removed.
    written: BTreeSet<PathBuf>,
}

/// Runs the program in the repository under `strace`; `None` where that does not work.
fn traced(folder: &Folder, args: &[&str]) -> Option<Run> {
    let log = folder.path().join("strace.log");
    let calls = "execve,open,openat,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,symlink,symlinkat,link,linkat,connect";
    let output = Command::new("strace")
        .args(["-f", "-qq", "-y", "-s", "4096", "-e", &format!("trace={calls}"), "-o"])
        .arg(&log)
        .arg(env!("CARGO_BIN_EXE_tsvd-check"))
        .args(args)
        .current_dir(folder.path().join("r"))
        .env_remove("CARGO")
        .env_remove("CARGO_TARGET_DIR")
        .env("XDG_CACHE_HOME", folder.path().join("cache"))
        .env("XDG_CONFIG_HOME", folder.path().join("config"))
        .output()
        .ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let log = fs::read_to_string(&log).unwrap_or_default();
    if !log.contains("execve(") {
        return None;
    }
    let (mut started, mut libraries, mut written) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for line in log.lines() {
        let Some((call, rest)) = line.split_once(' ').map_or(line, |(_, rest)| rest.trim_start()).split_once('(')
        else {
            continue;
        };
        if call == "connect" {
            assert!(!rest.contains("AF_INET"), "a connection: {line}");
            continue;
        }
        if rest.contains(" = -1 ") {
            continue;
        }
        let folder_of_call = rest.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(path, _)| path);
        let Some(path) = rest.split('"').nth(1) else { continue };
        let path = Path::new(folder_of_call.unwrap_or("/unknown")).join(path);
        match call {
            "execve" => {
                started.insert(path);
            }
            "open" | "openat" if !["O_WRONLY", "O_RDWR", "O_CREAT"].iter().any(|flag| rest.contains(flag)) => {
                libraries.extend(path.extension().is_some_and(|it| it == "so").then_some(path));
            }
            _ => {
                written.insert(path);
            }
        }
    }
    let repository = folder.path().join("r");
    libraries.retain(|it| it.starts_with(&repository));
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    Some(Run { stdout, stderr, started, libraries, written })
}

/// The program, cargo and rustc, possibly started by rustup.
const OWN: [&str; 4] = ["tsvd-check", "cargo", "rustc", "rustup"];
const SERVER: &str = "rust-analyzer-proc-macro-srv";
const UNUSED: &str = "\
ignored keys in .cargo/config.toml: `build.rustc-wrapper`, `build.target-dir`, `registries.own.credential-provider`, `target.x86_64-unknown-linux-gnu.runner`
ignored keys in .cargo/more.toml: `build.rustc-workspace-wrapper`
";

/// Nothing but these programs is started, nothing is written outside of the user's folders and the temporary one, and a
/// library of the repository is loaded only if `has_libraries`.
fn judge(folder: &Folder, run: &Run, programs: &[&str], has_libraries: bool) {
    let repository = folder.path().join("r");
    for path in &run.started {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        assert!(programs.contains(&&*name) && !path.starts_with(&repository), "started: {}", path.display());
    }
    assert_eq!(!run.libraries.is_empty(), has_libraries, "{:?}", run.libraries);
    let cargo =
        std::env::var_os("CARGO_HOME").map_or_else(|| std::env::home_dir().unwrap().join(".cargo"), PathBuf::from);
    let rustup =
        std::env::var_os("RUSTUP_HOME").map_or_else(|| std::env::home_dir().unwrap().join(".rustup"), PathBuf::from);
    for path in &run.written {
        let is_scratch = path.strip_prefix(std::env::temp_dir()).is_ok_and(|it| {
            it.components().next().is_some_and(|it| it.as_os_str().to_string_lossy().starts_with("tsvd-check-"))
                // The server's own copies of libraries.
                || it.to_string_lossy().starts_with("proc-macro-srv")
        });
        let is_users = [
            folder.path().join("cache"),
            folder.path().join("config"),
            cargo.clone(),
            rustup.clone(),
            "/dev".into(),
            "/proc".into(),
        ]
        .iter()
        .any(|it| path.starts_with(it));
        assert!(is_scratch || is_users, "written: {}", path.display());
    }
    assert_eq!(traces(folder), BTreeSet::new());
}

#[expect(clippy::print_stderr, reason = "a test that judges nothing says so")]
fn skip() {
    eprintln!("skipped: strace cannot be used here");
}

#[test]
fn untrusted_uses_sources_alone() {
    let folder = repository();
    let before = listing(&folder.path().join("r"));
    let Some(run) = traced(&folder, &["run", "--untrusted"]) else { return skip() };
    assert!(run.stdout.starts_with("6 5 4 true configuration\nfalse\n"), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.starts_with(UNUSED), "{}", run.stderr);
    assert!(run.stderr.contains("build output not used (`--untrusted`): build script of `a`\n"), "{}", run.stderr);
    judge(&folder, &run, &OWN, false);
    let Some(run) = traced(&folder, &["check", "--untrusted"]) else { return skip() };
    judge(&folder, &run, &OWN, false);
    assert_eq!(listing(&folder.path().join("r")), before);
}

#[test]
fn a_workspace_that_is_not_allowed_is_used_like_an_untrusted_one() {
    let folder = repository();
    let before = listing(&folder.path().join("r"));
    let Some(run) = traced(&folder, &["run"]) else { return skip() };
    assert!(run.stdout.starts_with("6 5 4 true configuration\nfalse\n"), "{}{}", run.stdout, run.stderr);
    let word = "build output not used, because this workspace is not trusted: build script of `a`; run `tsvd-check trust .` to use it\n";
    assert!(run.stderr.starts_with(&format!("{UNUSED}{word}")), "{}", run.stderr);
    judge(&folder, &run, &OWN, false);
    let Some(run) = traced(&folder, &["check"]) else { return skip() };
    judge(&folder, &run, &OWN, false);
    assert_eq!(listing(&folder.path().join("r")), before);
}

#[test]
fn an_allowed_workspace_has_what_its_build_left() {
    let folder = repository();
    let Some(run) = traced(&folder, &["trust"]) else { return skip() };
    let root = folder.path().join("r").canonicalize().unwrap().display().to_string();
    expect![[r#"
        trusted: ROOT
        From now on the output of its last build is used: that of build scripts, and procedural macros, which run as you.
        `tsvd-check untrust .` undoes this.
    "#]]
    .assert_eq(&run.stderr.replace(&root, "ROOT"));
    let before = listing(&folder.path().join("r"));
    let Some(run) = traced(&folder, &["run"]) else { return skip() };
    assert_eq!(run.stdout, "6 5 4 true configuration\ntrue\nShelf\n", "{}", run.stderr);
    assert!(run.stderr.starts_with(&format!("{UNUSED}macro libraries loaded: `signs` (target/")), "{}", run.stderr);
    let programs = [&OWN[..], &[SERVER]].concat();
    judge(&folder, &run, &programs, true);
    assert_eq!(listing(&folder.path().join("r")), before);
    // `--untrusted` has precedence.
    let Some(run) = traced(&folder, &["run", "--untrusted"]) else { return skip() };
    judge(&folder, &run, &OWN, false);
    let Some(list) = traced(&folder, &["trust", "--list"]) else { return skip() };
    assert_eq!(list.stdout, format!("{root}\n"));
    let Some(taken_back) = traced(&folder, &["untrust"]) else { return skip() };
    assert_eq!(taken_back.stderr, format!("{root} is not trusted any more\n"));
    let Some(run) = traced(&folder, &["run"]) else { return skip() };
    assert!(run.stderr.contains("this workspace is not trusted"), "{}", run.stderr);
    judge(&folder, &run, &OWN, false);
}

#[test]
fn a_trusted_build_says_what_it_runs() {
    let folder = repository();
    let Some(run) = traced(&folder, &["run", "--trusted"]) else { return skip() };
    assert_eq!(run.stdout, "6 5 4 true configuration\ntrue\nShelf\n", "{}", run.stderr);
    let said = run.stderr.replace(&folder.path().display().to_string(), "DIR");
    expect![[r#"
        `--trusted`: runs `cargo check` in DIR/r; this runs the build scripts of `a`; this runs the procedural macros of `signs`; it also obeys these keys of DIR/r/.cargo/config.toml: build.rustc-wrapper, build.target-dir, registries.own.credential-provider, target.x86_64-unknown-linux-gnu.runner; it also obeys these keys of DIR/r/.cargo/more.toml: build.rustc-workspace-wrapper
    "#]]
    .assert_eq(&said.lines().next().map(|line| format!("{line}\n")).unwrap_or_default());
    assert!(traces(&folder).contains("ran-wrapper"), "{:?}", traces(&folder));
}

/// rustup would start programs of a toolchain that a folder names by path.
#[test]
fn a_toolchain_is_never_a_path() {
    let folder = repository();
    for name in ["cargo", "rustc"] {
        let path = format!("r/toolchain/bin/{name}");
        folder.write(&path, b"#!/bin/sh\ntouch \"$(dirname \"$0\")/../../ran-toolchain\"\nexit 1\n");
        fs::set_permissions(folder.path().join(path), fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let path = folder.path().join("r/toolchain");
    let files = [
        ("r/rust-toolchain.toml", format!("[toolchain]\npath = \"{}\"\n", path.display()), "toolchain.path"),
        ("r/rust-toolchain", path.display().to_string(), "toolchain"),
    ];
    let Some(_) = traced(&folder, &["trust"]) else { return skip() };
    for (file, text, key) in files {
        folder.write(file, text.as_bytes());
        for args in [&["run"][..], &["run", "--untrusted"], &["run", "--target", "x86_64-pc-windows-msvc"]] {
            let Some(run) = traced(&folder, args) else { return skip() };
            let programs = [&OWN[..], &[SERVER]].concat();
            judge(&folder, &run, &programs, !args.contains(&"--untrusted"));
            let name = Path::new(file).file_name().unwrap().to_string_lossy().into_owned();
            assert!(run.stderr.contains(&format!("ignored keys in {name}: `{key}`\n")), "{}", run.stderr);
        }
    }
}

/// cargo would write its lock file, and its information about rustc through a link in the repository.
#[test]
fn cargo_writes_nothing_into_the_project() {
    let folder = repository();
    let lock = folder.path().join("r/Cargo.lock");
    let users = folder.path().join("users-file");
    fs::write(&users, "the user's").unwrap();
    let _ = fs::remove_file(folder.path().join("r/target/.rustc_info.json"));
    std::os::unix::fs::symlink(&users, folder.path().join("r/target/.rustc_info.json")).unwrap();
    let runs = || {
        let before = listing(&folder.path().join("r"));
        for args in [&["run", "--untrusted"][..], &["run"]] {
            let Some(run) = traced(&folder, args) else { return skip() };
            assert!(run.stdout.starts_with("6 5 4 true configuration\n"), "{}{}", run.stdout, run.stderr);
            judge(&folder, &run, &OWN, false);
        }
        assert_eq!(listing(&folder.path().join("r")), before);
        assert_eq!(fs::read_to_string(&users).unwrap(), "the user's");
    };
    runs();
    // Out of date: a dependency was added.
    let text = fs::read_to_string(&lock).unwrap();
    fs::write(
        &lock,
        text.replace("\"b\", ", "")
            .replacen("[[package]]\nname = \"b\"\nversion = \"1.0.0\"\n", "", 1)
            .replace("source = \"registry+https://github.com/rust-lang/crates.io-index\"\n", ""),
    )
    .unwrap();
    runs();
    fs::remove_file(&lock).unwrap();
    runs();
    assert!(!lock.exists());
}
