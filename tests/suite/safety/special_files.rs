//! Pipes, devices, sockets and links in place of a project's files: each yields a message, without blocking.
#![cfg(unix)]

use crate::support::Folder;
use std::{fs, os::unix::fs::symlink, os::unix::net::UnixListener, path::Path, process::Command};

const MANIFEST: &str = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const LOCK: &str = "version = 4\n[[package]]\nname = \"p\"\nversion = \"0.1.0\"\n";

fn package(more: &[(&str, &str)]) -> Folder {
    let folder =
        Folder::new(&[("Cargo.toml", MANIFEST), ("Cargo.lock", LOCK), ("src/main.rs", "mod x;\nfn main() {}\n")]);
    more.iter().for_each(|(path, text)| folder.write(path, text.as_bytes()));
    folder
}

/// Puts something that is not a regular file at a path.
fn put(folder: &Folder, path: &str, what: &str) {
    let path = folder.path().join(path);
    let _ = fs::remove_file(&path);
    fs::create_dir_all(path.parent().expect("it is below the folder")).expect("the folder is writable");
    match what {
        "pipe" => assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo is there").success()),
        "socket" => drop(UnixListener::bind(&path).expect("a socket")),
        target => symlink(target, &path).expect("a link"),
    }
}

const KINDS: [&str; 3] = ["pipe", "socket", "/dev/zero"];

/// Runs a check under `timeout` of coreutils, so that one that hangs fails.
fn check(folder: &Folder, args: &[&str]) -> (String, i32) {
    let output = Command::new("timeout")
        .arg("60")
        .arg(env!("CARGO_BIN_EXE_tsvd-check"))
        .args(args)
        .current_dir(folder.path())
        .env_remove("CARGO")
        .env("XDG_CACHE_HOME", folder.path().join(".cache"))
        .env("XDG_CONFIG_HOME", folder.path().join(".config"))
        .output()
        .expect("timeout is there");
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code().unwrap_or(-1))
}

#[test]
fn in_place_of_what_describes_a_project() {
    for path in ["Cargo.toml", "Cargo.lock", ".cargo/config.toml", ".cargo/config", "../Cargo.toml"] {
        for kind in KINDS {
            let outer = Folder::new(&[]);
            let folder = package(&[]);
            let inner = outer.path().join("in");
            fs::create_dir(&inner).unwrap();
            for name in ["Cargo.toml", "Cargo.lock"] {
                fs::copy(folder.path().join(name), inner.join(name)).unwrap();
            }
            fs::create_dir(inner.join("src")).unwrap();
            fs::write(inner.join("src/main.rs"), "fn main() {}\n").unwrap();
            let below = Path::new("in").join(path);
            put(&outer, below.to_str().unwrap(), kind);
            let file = Path::new(path).file_name().unwrap().to_str().unwrap();
            // cargo uses the configuration of the folder in which it runs.
            let output = Command::new("timeout")
                .args(["60", env!("CARGO_BIN_EXE_tsvd-check"), "check"])
                .current_dir(&inner)
                .env_remove("CARGO")
                .env("XDG_CACHE_HOME", outer.path().join(".cache"))
                .env("XDG_CONFIG_HOME", outer.path().join(".config"))
                .output()
                .unwrap();
            let (stderr, status) = (String::from_utf8_lossy(&output.stderr), output.status.code());
            let is_told = stderr.contains(&format!("{file} is not a regular file")) || stderr.contains("no Cargo.toml");
            assert!(status == Some(2) && is_told, "{path} {kind}: {status:?} {stderr}");
        }
    }
}

#[test]
fn in_place_of_the_configuration() {
    for kind in KINDS {
        let folder = package(&[]);
        put(&folder, "tsvd.toml", kind);
        let (stderr, status) = check(&folder, &["check"]);
        assert!(status == 2 && stderr.contains("tsvd.toml is not a regular file"), "{kind}: {stderr}");
    }
    let elsewhere = Folder::new(&[("secret", "token = \"xyzzy\"\n")]);
    let folder = package(&[("src/x.rs", "")]);
    put(&folder, "tsvd.toml", elsewhere.path().join("secret").to_str().unwrap());
    let (stderr, status) = check(&folder, &["check"]);
    assert!(status == 2 && stderr.contains("tsvd.toml leads out of the project"), "{stderr}");
    assert!(!stderr.contains("token") && !stderr.contains("xyzzy"), "{stderr}");
    // A link within the workspace is an ordinary file.
    folder.write("conf/shared.toml", b"runs = 2\n");
    put(&folder, "tsvd.toml", "conf/shared.toml");
    let (stderr, status) = check(&folder, &["check"]);
    assert_eq!(status, 0, "{stderr}");
}

#[test]
fn in_place_of_what_cargo_reads() {
    let member =
        format!("{MANIFEST}[workspace]\nmembers = [\"m*\"]\n[dependencies]\nq = {{ path = \"q\" }}\nv = \"1\"\n");
    let config = "[source.crates-io]\nreplace-with = \"w\"\n[source.w]\ndirectory = \"vendor\"\n";
    let paths = ["m1/Cargo.toml", "q/Cargo.toml", "vendor/v/Cargo.toml", "vendor/v/.cargo-checksum.json"];
    for path in paths {
        for kind in KINDS {
            let folder = package(&[("Cargo.toml", &member), (".cargo/config.toml", config), ("vendor/v/x", "")]);
            put(&folder, path, kind);
            let (stderr, status) = check(&folder, &["check"]);
            assert!(
                status == 2 && stderr.contains(&format!("{path} is not a regular file")),
                "{path} {kind}: {stderr}"
            );
        }
    }
}

/// cargo searches the folders around each package for its workspace, and follows the paths in each.
#[test]
fn in_place_of_what_other_packages_lead_to() {
    let named = |name: &str, rest: &str| format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n{rest}");
    let inherits = |rest: &str| named("q", &format!("version.workspace = true\n{rest}"));
    let leads = |path: &str| named("q", &format!("version = \"1.0.0\"\n[dependencies]\nz = {{ path = \"{path}\" }}\n"));
    let depends = format!("{MANIFEST}[dependencies]\nq = {{ path = \"a/q\" }}\n");
    let vendor = "[source.crates-io]\nreplace-with = \"w\"\n[source.w]\ndirectory = \"vendor\"\n";
    let paths = "paths = [\"ov\"]\n";
    let excluding = "[workspace]\nexclude = [\"q\"]\n";
    // The special file, and what leads there.
    let cases: &[(&str, &[(&str, &str)])] = &[
        ("a/Cargo.toml", &[("Cargo.toml", &depends), ("a/q/Cargo.toml", &inherits(""))]),
        ("ws/Cargo.toml", &[("Cargo.toml", &depends), ("a/q/Cargo.toml", &inherits("workspace = \"../../ws\"\n"))]),
        (
            "o/Cargo.toml",
            &[
                ("Cargo.toml", &depends.replace("a/q", "o/a/q")),
                ("o/a/q/Cargo.toml", &inherits("")),
                ("o/a/Cargo.toml", excluding),
            ],
        ),
        (
            "ws/Cargo.toml",
            &[
                ("Cargo.toml", &depends),
                ("a/q/Cargo.toml", &inherits("")),
                ("a/Cargo.toml", &inherits("workspace = \"../ws\"\n")),
            ],
        ),
        ("ov/Cargo.toml", &[(".cargo/config.toml", paths)]),
        ("zz/Cargo.toml", &[(".cargo/config.toml", paths), ("ov/Cargo.toml", &leads("../zz"))]),
        ("b/Cargo.toml", &[(".cargo/config.toml", "paths = [\"b/ov\"]\n"), ("b/ov/Cargo.toml", &inherits(""))]),
        ("zz/Cargo.toml", &[(".cargo/config.toml", vendor), ("vendor/q/Cargo.toml", &leads("../../zz"))]),
        ("vendor/Cargo.toml", &[(".cargo/config.toml", vendor), ("vendor/q/Cargo.toml", &inherits(""))]),
    ];
    for (path, files) in cases {
        for kind in KINDS {
            let folder = package(files);
            put(&folder, path, kind);
            let (stderr, status) = check(&folder, &["check"]);
            let is_told = stderr.contains(&format!("{path} is not a regular file"));
            assert!(status == 2 && is_told, "{path} {kind} {files:?}: {stderr}");
        }
    }
}

/// For cargo, `..` leads back to the folder that has a link, not to the one around the link's target.
#[test]
fn in_place_of_what_a_path_through_a_link_leads_to() {
    for kind in KINDS {
        let folder = package(&[
            ("Cargo.toml", &format!("{MANIFEST}[dependencies]\nz = {{ path = \"link/../z\" }}\n")),
            ("deep/in/x", ""),
            ("deep/z/Cargo.toml", &MANIFEST.replace("\"p\"", "\"z\"")),
        ]);
        put(&folder, "link", "deep/in");
        put(&folder, "z/Cargo.toml", kind);
        let (stderr, status) = check(&folder, &["check"]);
        assert!(status == 2 && stderr.contains("z/Cargo.toml is not a regular file"), "{kind}: {stderr}");
    }
}

#[test]
fn packages_that_depend_on_each_other() {
    let q = MANIFEST.replace("\"p\"", "\"q\"");
    let outer = Folder::new(&[
        ("p/Cargo.toml", &format!("{MANIFEST}[dependencies]\nq = {{ path = \"../q\" }}\n")),
        ("p/src/main.rs", "fn main() {}\n"),
        ("q/Cargo.toml", &format!("{q}[dev-dependencies]\np = {{ path = \"../p\" }}\n")),
        ("q/src/lib.rs", ""),
    ]);
    let (stderr, status) = check(&outer, &["check", "p"]);
    assert_eq!(status, 0, "{stderr}");
}

#[test]
fn in_place_of_a_local_registry() {
    let config = "[source.crates-io]\nreplace-with = \"l\"\n[source.l]\nlocal-registry = \"registry\"\n";
    for path in ["registry/index/1/v", "registry/v-1.0.0.crate"] {
        let folder = package(&[
            (".cargo/config.toml", config),
            ("Cargo.toml", &format!("{MANIFEST}[dependencies]\nv = \"1\"\n")),
        ]);
        put(&folder, path, "pipe");
        let (stderr, status) = check(&folder, &["check"]);
        assert!(status == 2 && stderr.contains(&format!("{path} is not a regular file")), "{path}: {stderr}");
    }
}

#[test]
fn in_place_of_sources() {
    for kind in KINDS {
        let folder = package(&[]);
        put(&folder, "src/x.rs", kind);
        let (stderr, status) = check(&folder, &["check", "--no-api"]);
        let why = if kind.starts_with('/') { "a link to outside of the project" } else { "not a regular file" };
        assert!(status == 0 && stderr.contains(&format!("not read: src/x.rs: {why}\n")), "{kind}: {stderr}");
        let (stderr, status) = check(&folder, &["check", "--no-api", "src/main.rs"]);
        assert!(status == 0 && stderr.contains("not read: src/x.rs: not a regular file\n"), "{kind}: {stderr}");
    }
    let folder =
        package(&[("src/main.rs", "fn main() { include_str!(\"/dev/zero\"); }\n#[path = \"/dev/tty\"]\nmod y;\n")]);
    for path in [".", "src/main.rs"] {
        let (stderr, status) = check(&folder, &["check", "--no-api", path]);
        assert!(status == 0 && stderr.contains("not read: /dev/zero: not a regular file\n"), "{stderr}");
    }
    let folder = Folder::new(&[]);
    put(&folder, "a.rs", "pipe");
    put(&folder, "rust-project.json", "pipe");
    let (stderr, status) = check(&folder, &["check", "a.rs"]);
    assert!(status == 2 && stderr.contains("a.rs is not a regular file"), "{stderr}");
    let (stderr, status) = check(&folder, &["check", "rust-project.json"]);
    assert!(status == 2 && stderr.contains("rust-project.json is not a regular file"), "{stderr}");
}

#[test]
fn links_out_of_the_project_are_not_followed() {
    let folder = package(&[("src/x/mod.rs", "pub fn f() {}\n")]);
    put(&folder, "src/all", "/");
    put(&folder, "src/self", ".");
    let (stderr, status) = check(&folder, &["check", "--no-api"]);
    assert!(status == 0 && stderr.contains("not read: src/all: a link to outside of the project\n"), "{stderr}");
}

/// 2^30 paths: each folder has two links to the next.
fn doubling(folder: &Folder, below: &str, levels: usize) {
    for level in 0..levels {
        for name in ["l", "m"] {
            put(folder, &format!("{below}d{level}/{name}"), &format!("../d{}", level + 1));
        }
    }
}

#[test]
fn links_that_double_have_an_end() {
    let folder = package(&[("src/x.rs", "")]);
    doubling(&folder, "src/", 30);
    fs::create_dir_all(folder.path().join("src/d30")).unwrap();
    let (stderr, status) = check(&folder, &["check", "--no-api"]);
    assert!(status == 0 && stderr.contains(": links lead to this folder repeatedly\n"), "{stderr}");
    // The same among the members of a workspace, and among path dependencies.
    let members = format!("[workspace]\nmembers = [\"d0{}\"]\n", "/*".repeat(30));
    let folder = Folder::new(&[("Cargo.toml", &members), ("d30/Cargo.toml", MANIFEST), ("d30/src/lib.rs", "")]);
    doubling(&folder, "", 30);
    let (stderr, status) = check(&folder, &["check"]);
    assert!(status == 2 && stderr.contains("more than 100000 names"), "{stderr}");
    let folder = package(&[("Cargo.toml", &format!("{MANIFEST}[dependencies]\nd0 = {{ path = \"d0\" }}\n"))]);
    doubling(&folder, "", 30);
    for level in 0..30 {
        let next = level + 1;
        let both = ["l", "m"].map(|link| format!("{link} = {{ path = \"{link}\", package = \"d{next}\" }}\n")).concat();
        folder.write(
            &format!("d{level}/Cargo.toml"),
            format!("[package]\nname = \"d{level}\"\n[dependencies]\n{both}").as_bytes(),
        );
    }
    folder.write("d30/Cargo.toml", b"[package]\nname = \"d30\"\n");
    let (stderr, status) = check(&folder, &["check"]);
    assert!(status == 2 && stderr.contains("more than 20000 manifests"), "{stderr}");
    // A module that declares itself through a link.
    let folder = Folder::new(&[("a.rs", "#[path = \"l/a.rs\"]\nmod a;\nfn main() {}\n")]);
    put(&folder, "l", ".");
    let (stderr, status) = check(&folder, &["check", "a.rs"]);
    assert!(status == 0 && stderr.contains("16 names of one file"), "{stderr}");
}
