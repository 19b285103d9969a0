//! A repository leads to files of its user's, by links and by paths in its files: no report quotes what is in them.
#![cfg(unix)]

use crate::support::{Folder, run};
use std::{fs, os::unix::fs::symlink, process::Command};

const MANIFEST: &str = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const MAIN: &str = "fn main() {}\n";

/// Secrets in the forms that files of a project have: messages of each parser quote what is wrong.
const SECRETS: [&str; 6] = [
    "hunter2",
    "hunter2 = hunter2 hunter2\n",
    "hunter2 = \"hunter2\"\n[hunter2]\nhunter2 = 1\n[env]\nhunter2 = \"hunter2\"\n",
    "\"hunter2\"",
    "{\"hunter2\": \"hunter2\", \"version\": \"hunter2\", \"crates\": \"hunter2\", \"findings\": \"hunter2\"}",
    "fn hunter2() { hunter2 } hunter2\n",
];

/// A package in `p`, with a secret beside it.
fn package(secret: &str, more: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(&[("secret", secret), ("p/Cargo.toml", MANIFEST), ("p/src/main.rs", MAIN)]);
    more.iter().for_each(|(path, text)| folder.write(path, text.as_bytes()));
    folder
}

/// Puts a link to the secret at a path.
fn link(folder: &Folder, path: &str) {
    let path = folder.path().join(path);
    let _ = fs::remove_file(&path);
    fs::create_dir_all(path.parent().expect("it is below the folder")).expect("the folder is writable");
    symlink(folder.path().join("secret"), &path).expect("the folder is writable");
}

/// Runs a check in the package; returns what it prints.
fn shows_nothing(folder: &Folder, what: &str, args: &[&str]) -> String {
    // This format has the messages too.
    let mut command = folder.command("p", args);
    command.args(["--format", "json"]);
    let (stdout, stderr, status) = run(command);
    assert!(!stdout.contains("hunter2") && !stderr.contains("hunter2"), "{what} {args:?}: {stdout}{stderr}");
    assert!((0..=2).contains(&status), "{what} {args:?}: {status} {stdout}{stderr}");
    stdout + &stderr
}

#[test]
fn links_in_place_of_what_describes_a_project() {
    let depends = format!("{MANIFEST}[dependencies]\nq = {{ path = \"q\" }}\n[workspace]\nmembers = [\"m\"]\n");
    let vendor = "[source.crates-io]\nreplace-with = \"w\"\n[source.w]\ndirectory = \"vendor\"\n";
    let q = MANIFEST.replace("\"p\"", "\"q\"");
    let (m, v) = (MANIFEST.replace("\"p\"", "\"m\""), MANIFEST.replace("\"p\"", "\"v\""));
    let more: &[(&str, &str)] = &[
        ("p/Cargo.toml", &depends),
        ("p/q/Cargo.toml", &q),
        ("p/q/src/lib.rs", ""),
        ("p/m/Cargo.toml", &m),
        ("p/m/src/lib.rs", ""),
    ];
    for secret in SECRETS {
        for path in [
            "Cargo.toml",
            "Cargo.lock",
            "q/Cargo.toml",
            "m/Cargo.toml",
            ".cargo/config.toml",
            ".cargo/config",
            "tsvd.toml",
        ] {
            let folder = package(secret, more);
            link(&folder, &format!("p/{path}"));
            let shown = shows_nothing(&folder, path, &["check", "--no-api"]);
            let (file, what) = (path.rsplit('/').next().unwrap_or(path), "leads out of the project");
            assert!(shown.contains(&format!("{file} {what}")), "{path}: {shown}");
        }
        for path in ["rust-toolchain", "rust-toolchain.toml"] {
            let folder = package(secret, more);
            link(&folder, &format!("p/{path}"));
            let shown = shows_nothing(&folder, path, &["check", "--no-api"]);
            assert!(shown.contains(path), "{path}: {shown}");
        }
        let config = ("p/.cargo/config.toml", vendor);
        let lock = format!("{MANIFEST}[dependencies]\nv = \"0.1\"\n");
        let folder = package(secret, &[config, ("p/vendor/v/Cargo.toml", &v), ("p/Cargo.toml", &lock)]);
        link(&folder, "p/vendor/v/.cargo-checksum.json");
        let shown = shows_nothing(&folder, "checksum", &["check", "--no-api"]);
        assert!(shown.contains(".cargo-checksum.json leads out of the project"), "{shown}");
        let config = ("p/.cargo/config.toml", "include = [\"../../secret.toml\"]\n");
        let folder = package(secret, &[config, ("secret.toml", secret)]);
        let shown = shows_nothing(&folder, "include", &["check", "--no-api"]);
        assert!(shown.contains("secret.toml leads out of the project"), "{shown}");
    }
}

#[test]
fn what_another_build_system_describes() {
    let of = |root: &str| {
        format!(
            "{{\"crates\": [{{\"root_module\": \"{root}\", \"edition\": \"2024\", \"deps\": [], \"is_workspace_member\": true}}]}}"
        )
    };
    for secret in SECRETS {
        for (root, links) in [("main.rs", ["p/rust-project.json"]), ("main.rs", ["p/main.rs"]), ("../secret", ["p/x"])]
        {
            let folder = Folder::new(&[("secret", secret), ("p/rust-project.json", &of(root)), ("p/main.rs", MAIN)]);
            links.iter().for_each(|path| link(&folder, path));
            let shown = shows_nothing(&folder, root, &["check", "--no-api"]);
            assert!(
                shown.contains("leads out of the project") || shown.contains("cannot be read"),
                "{root} {links:?}: {shown}"
            );
        }
    }
}

/// A package around the project is not part of it, although the project names it.
#[test]
fn a_package_around_the_project() {
    let inner = "{\"crates\": [{\"root_module\": \"main.rs\", \"edition\": \"2024\", \"deps\": [], \"is_workspace_member\": true}, \
                 {\"root_module\": \"../lib.rs\", \"edition\": \"2024\", \"deps\": [], \"is_workspace_member\": true}]}";
    let program = race("include_str!(\"../secret\")");
    let files = [("secret", "hunter2"), ("lib.rs", ""), ("p/rust-project.json", inner), ("p/main.rs", &program)];
    let folder = Folder::new(&files);
    shows_nothing(&folder, "rust-project.json", &["check", "--no-api", "--runs", "5", "--possible"]);
    let outer = MANIFEST.replace("\"p\"", "\"outer\"");
    let depends = format!("{MANIFEST}[dependencies]\nouter = {{ path = \"..\" }}\n");
    let program = race("include_str!(\"../../secret\")");
    let folder = package("hunter2", &[("Cargo.toml", &outer), ("src/lib.rs", ""), ("p/Cargo.toml", &depends)]);
    folder.write("p/src/main.rs", program.as_bytes());
    shows_nothing(&folder, "Cargo.toml", &["check", "--no-api", "--runs", "5", "--possible"]);
}

#[test]
fn roots_of_targets() {
    for secret in [SECRETS[1], SECRETS[5]] {
        for path in ["p/src/main.rs", "p/src/lib.rs", "p/build.rs", "p/src/bin/x.rs", "p/tests/t.rs", "p/examples/e.rs"]
        {
            let folder = package(secret, &[]);
            link(&folder, path);
            let shown = shows_nothing(&folder, path, &["check", "--no-api"]);
            let shown_path = path.trim_start_matches("p/");
            assert!(
                shown.contains(&format!("not read: {shown_path}: a link to outside of the project")),
                "{path}: {shown}"
            );
        }
        let folder = package(secret, &[]);
        let secret = folder.path().join("secret");
        for table in ["lib", "[bin]", "[test]", "[example]"] {
            for path in ["../secret", secret.to_str().expect("the path is UTF-8")] {
                let target = format!("{MANIFEST}[{table}]\nname = \"x\"\npath = \"{path}\"\n");
                folder.write("p/Cargo.toml", target.as_bytes());
                shows_nothing(&folder, table, &["check", "--no-api"]);
            }
        }
        let build = MANIFEST.replace("edition", "build = \"../secret\"\nedition");
        folder.write("p/Cargo.toml", build.as_bytes());
        shows_nothing(&folder, "build", &["check", "--no-api"]);
    }
}

/// Programs with a data race each: the name of a thread gets into the report of its race.
fn races(names: &[String]) -> String {
    let mut text = String::new();
    for (number, name) in names.iter().enumerate() {
        text += &format!(
            "static mut N{number}: u32 = 0;\nfn race{number}() {{\n    let name: &str = {name};\n    let thread = \
             std::thread::Builder::new().name(name.into()).spawn(|| unsafe {{ N{number} += 1 }}).unwrap();\n    \
             unsafe {{ N{number} += 1 }}\n    thread.join().unwrap();\n}}\n"
        );
    }
    let calls: Vec<String> = (0..names.len()).map(|number| format!("    race{number}();\n")).collect();
    text + &format!("fn main() {{\n{}}}\n", calls.concat())
}

fn race(name: &str) -> String {
    races(&[name.to_owned()])
}

#[test]
fn files_that_sources_include() {
    let folder = package("hunter2", &[]);
    let absolute = folder.path().join("secret").display().to_string();
    link(&folder, "p/src/link.txt");
    link(&folder, "p/src/link.rs");
    symlink(folder.path(), folder.path().join("p/src/up")).expect("the folder is writable");
    for path in ["../../secret", absolute.as_str(), "link.txt", "link.rs", "up/secret"] {
        let names = [
            format!("include_str!(\"{path}\")"),
            format!("std::str::from_utf8(include_bytes!(\"{path}\")).unwrap_or_default()"),
            format!("{{ include!(\"{path}\"); \"\" }}"),
            format!("include_str!(concat!(\"{path}\"))"),
        ];
        let program = format!("#[path = \"{path}\"]\nmod y;\n{}", races(&names));
        folder.write("p/src/main.rs", program.as_bytes());
        for input in [".", "src/main.rs"] {
            shows_nothing(&folder, path, &["check", "--no-api", "--runs", "5", "--possible", input]);
        }
    }
    // What is in the package is read, also through a link.
    folder.write("p/own", b"own-text");
    symlink("../own", folder.path().join("p/src/own.txt")).expect("the folder is writable");
    folder.write("p/src/main.rs", races(&["../own", "own.txt"].map(|it| format!("include_str!(\"{it}\")"))).as_bytes());
    for input in [".", "src/main.rs"] {
        let (stdout, stderr, status) = folder.output_in("p", &["check", "--no-api", "--runs", "5", input]);
        assert_eq!((stdout.matches("own-text").count() > 1, status), (true, 1), "{input}: {stdout}{stderr}");
    }
}

/// A file of a dependency elsewhere is that dependency's alone.
#[test]
fn files_of_dependencies() {
    let q = MANIFEST.replace("\"p\"", "\"q\"");
    let depends = format!("{MANIFEST}[dependencies]\nq = {{ path = \"../q\" }}\n");
    let folder = package(
        "",
        &[
            ("p/Cargo.toml", &depends),
            ("q/Cargo.toml", &q),
            ("q/text", "of-q"),
            ("q/src/lib.rs", "pub const TEXT: &str = include_str!(\"../text\");\n"),
        ],
    );
    folder.write("p/src/main.rs", race("q::TEXT").as_bytes());
    let (stdout, stderr, _) = folder.output_in("p", &["check", "--no-api", "--runs", "5"]);
    assert!(stdout.contains("of-q"), "{stdout}{stderr}");
    symlink("../../q/text", folder.path().join("p/src/text")).expect("the folder is writable");
    for path in ["../../q/text", "text"] {
        folder.write("p/src/main.rs", race(&format!("include_str!(\"{path}\")")).as_bytes());
        let (stdout, stderr, _) = folder.output_in("p", &["check", "--no-api", "--runs", "5", "--possible"]);
        assert!(!(stdout + &stderr).contains("of-q"), "{path}");
    }
}

/// Source files and manifests elsewhere are those of packages, which cargo and rustc follow links to.
#[test]
fn links_to_packages_elsewhere() {
    let folder =
        package("", &[("farm/Cargo.toml", MANIFEST), ("farm/main.rs", "fn main() { println!(\"linked\") }\n")]);
    for (from, to) in [("p/Cargo.toml", "farm/Cargo.toml"), ("p/src/main.rs", "farm/main.rs")] {
        fs::remove_file(folder.path().join(from)).expect("it is there");
        symlink(folder.path().join(to), folder.path().join(from)).expect("the folder is writable");
    }
    for input in [".", "src/main.rs"] {
        let (stdout, stderr, status) = folder.output_in("p", &["run", input]);
        assert_eq!((stdout.as_str(), status), ("linked\n", 0), "{stderr}");
    }
}

#[test]
fn a_single_file_and_a_baseline_that_are_links() {
    for secret in SECRETS {
        let folder = package(secret, &[]);
        link(&folder, "p/alone.rs");
        let shown = shows_nothing(&folder, "alone.rs", &["check", "alone.rs"]);
        assert!(shown.contains("alone.rs leads out of the project"), "{shown}");
        link(&folder, "p/base.json");
        for path in ["base.json", "../p/base.json"] {
            let shown = shows_nothing(&folder, path, &["check", "--no-api", "--baseline", path]);
            assert!(shown.contains("base.json leads out of the project"), "{shown}");
        }
    }
}

#[test]
fn a_configuration_of_git_that_includes_a_file() {
    let secrets =
        ["hunter2", "[core]\n\tbare = hunter2\n", "[core]\n\trepositoryformatversion = hunter2\n", "[hunter2\n"];
    for secret in secrets {
        let folder = package(secret, &[]);
        let git = |args: &[&str]| {
            let status = Command::new("git").arg("-C").arg(folder.path().join("p")).args(args).status();
            assert!(status.expect("git is there").success());
        };
        git(&["init", "--quiet"]);
        git(&["config", "include.path", "../../secret"]);
        let shown = shows_nothing(&folder, "include", &["check", "--no-api", "--since", "HEAD"]);
        assert!(shown.contains("cannot compare with `HEAD`"), "{shown}");
    }
}

/// The environment of the check is none of a program's.
#[test]
fn variables_of_the_user() {
    let names = [
        "option_env!(\"TOKEN\").unwrap_or(\"none\")",
        "&std::env::var(\"TOKEN\").unwrap_or_default()",
        "env!(\"TOKEN\")",
    ];
    let folder = package("", &[("p/src/main.rs", &races(&names.map(str::to_owned)))]);
    for input in [".", "src/main.rs"] {
        let mut command = folder.command("p", &["check", "--no-api", "--possible", "--runs", "5", input]);
        command.env("TOKEN", "hunter2");
        let (stdout, stderr, _) = run(command);
        assert!(!stdout.contains("hunter2") && !stderr.contains("hunter2"), "{input}: {stdout}{stderr}");
    }
}
