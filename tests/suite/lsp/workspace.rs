//! The language server's folders and settings, over the real protocol.

use crate::support::{Folder, client::Client};
use serde_json::{Value, json};
use std::process::Command;

/// A race in line 4 on a static of this name.
fn racy(name: &str) -> String {
    format!(
        "static mut {name}: u32 = 0;\n\nfn main() {{\n    let t = std::thread::spawn(|| unsafe {{ {name} += 1 }});\n    unsafe {{ {name} += 1 }}\n    t.join().unwrap();\n}}\n"
    )
}

fn manifest(name: &str) -> String {
    format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n")
}

fn race() -> Vec<(u64, String)> {
    vec![(4, "data-race".to_owned())]
}

#[test]
fn folders_come_and_go() {
    let folder = Folder::new(&[
        ("one/Cargo.toml", &manifest("one")),
        ("one/src/main.rs", &racy("ONE")),
        ("two/Cargo.toml", &manifest("two")),
        ("two/src/main.rs", &racy("TWO")),
        ("three/Cargo.toml", &manifest("three")),
        ("three/src/main.rs", &racy("THREE")),
    ]);
    let mut client = Client::start_in(folder.path(), &["one", "two"], &json!({}), &Value::Null);
    client
        .wait("both races", |it| it.findings("one/src/main.rs") == race() && it.findings("two/src/main.rs") == race());
    client.change_folders(&["three"], &["one"]);
    client.wait("another folder", |it| {
        it.findings("one/src/main.rs").is_empty() && it.findings("three/src/main.rs") == race()
    });
    assert_eq!(client.findings("two/src/main.rs"), race());
    // An open file keeps its package.
    client.open("two/src/main.rs", &racy("TWO"));
    client.change_folders(&["one"], &["two"]);
    client.wait("the first one again", |it| it.findings("one/src/main.rs") == race());
    client.idle();
    assert_eq!(client.findings("two/src/main.rs"), race());
    // A folder that is added and removed at once leaves nothing.
    client.change_folders(&[], &["one", "three"]);
    client.change_folders(&["one"], &[]);
    client.change_folders(&[], &["one"]);
    client.idle();
    assert!(client.findings("one/src/main.rs").is_empty() && client.findings("three/src/main.rs").is_empty());
    assert_eq!(client.shown, Vec::<String>::new());
    client.stop();
}

/// Two packages find bugs in shared code: neither hides the other's.
#[test]
fn a_file_of_two_packages() {
    let user = |function: &str| {
        format!(
            "fn main() {{\n    let t = std::thread::spawn(|| common::{function}());\n    common::{function}();\n    t.join().unwrap();\n}}\n"
        )
    };
    let needs = |name: &str| format!("{}[dependencies]\ncommon = {{ path = \"../common\" }}\n", manifest(name));
    let common = "static mut A: u32 = 0;\nstatic mut B: u32 = 0;\npub fn a() {\n    unsafe { A += 1 }\n}\npub fn b() {\n    unsafe { B += 1 }\n}\n";
    let folder = Folder::new(&[
        ("one/Cargo.toml", &needs("one")),
        ("one/src/main.rs", &user("a")),
        ("two/Cargo.toml", &needs("two")),
        ("two/src/main.rs", &user("b")),
        ("common/Cargo.toml", &manifest("common")),
        ("common/src/lib.rs", common),
    ]);
    let mut client = Client::start_in(folder.path(), &["one", "two"], &json!({}), &Value::Null);
    let lines = |it: &Client| {
        let mut lines: Vec<u64> = it.findings("common/src/lib.rs").into_iter().map(|(line, _)| line).collect();
        lines.sort_unstable();
        lines
    };
    client.wait("both races", |it| lines(it) == [4, 7]);
    client.idle();
    client.change_folders(&[], &["one"]);
    client.wait("one race", |it| lines(it) == [7]);
    client.stop();
}

/// A built package with a race that depends on its build script.
fn built() -> Folder {
    let main =
        racy("SOLD").replace("fn main() {", "#[cfg(fast)]\nfn main() {").replace(": u32 = 0;\n\n", ": u32 = 0;\n")
            + "#[cfg(not(fast))]\nfn main() {}\n";
    let folder = Folder::new(&[
        ("Cargo.toml", &(manifest("shop") + "[lints.rust]\nunexpected_cfgs = \"allow\"\n")),
        // What rests on the machine is known only from a build.
        (
            "build.rs",
            "fn main() {\n    let _ = std::path::Path::new(\"/proc\").exists();\n    println!(\"cargo::rustc-cfg=fast\");\n}\n",
        ),
        ("src/main.rs", &main),
    ]);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--offline", "--quiet"]).current_dir(folder.path()).env_remove("CARGO_TARGET_DIR");
    assert!(cargo.status().expect("cargo runs").success());
    folder
}

#[test]
fn trust_is_the_clients() {
    let folder = built();
    let finds = |client: &mut Client| {
        client.idle();
        client.findings("src/main.rs") == race()
    };
    // No setting at all.
    let mut client = Client::start(folder.path());
    assert!(!finds(&mut client));
    client.stop();
    // At the start, in any of the usual forms.
    for options in [json!({ "workspaceTrusted": true }), json!({ "workspaceTrusted": true, "trust": "default" })] {
        let mut client = Client::start_in(folder.path(), &[""], &json!({}), &options);
        assert!(finds(&mut client), "{options}");
        client.stop();
    }
    // A setting, in any of the usual forms, can only lower trust, and so can an editor whose user does not trust the
    // workspace.
    for options in [
        json!({ "trust": null }),
        json!({ "trust": "default" }),
        json!({ "workspaceTrusted": false }),
        json!({ "workspaceTrusted": true, "trust": "untrusted" }),
        json!({ "workspaceTrusted": true, "tsvd-check": { "trust": "untrusted" } }),
        json!({ "workspaceTrusted": true, "tsvd-check.trust": "untrusted" }),
        json!({ "trust": "trusted" }),
    ] {
        let mut client = Client::start_in(folder.path(), &[""], &json!({}), &options);
        assert!(!finds(&mut client), "{options}");
        let complains = client.shown
            == [
                "tsvd-check: `tsvd-check.trust` is \"trusted\", which counts as \"untrusted\": write \"untrusted\" or \"default\". To trust a workspace, run `tsvd-check trust` in a terminal",
            ];
        assert_eq!(complains, options["trust"] == "trusted", "{:?}", client.shown);
        client.stop();
    }
    // As the user has allowed it; when the server asks, and when the setting changes.
    folder.allow(".");
    let capabilities = json!({ "workspace": { "configuration": true } });
    let mut client = Client::start_in(folder.path(), &[""], &capabilities, &Value::Null);
    client.setting = json!("default");
    client.wait("the race", |it| it.findings("src/main.rs") == race());
    client.setting = json!("untrusted");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    client.wait("no race", |it| it.findings("src/main.rs").is_empty());
    // When the client sends it unasked.
    let settings = json!({ "tsvd-check": { "trust": "default" } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    client.wait("the race again", |it| it.findings("src/main.rs") == race());
    client.stop();
}

/// Each folder has its own configuration of cargo, wherever the server was started.
#[test]
fn vendored_sources() {
    let main =
        format!("use b::add;\n{}", racy("SUM").replace("\n\nfn", "\nfn").replace("SUM += 1", "add(&raw mut SUM)"));
    let folder = Folder::new(&[
        ("one/Cargo.toml", &format!("{}[dependencies]\nb = \"1\"\n", manifest("one"))),
        ("one/src/main.rs", &main),
        ("one/vendor/b/Cargo.toml", "[package]\nname = \"b\"\nversion = \"1.0.0\"\nedition = \"2024\"\n"),
        ("one/vendor/b/.cargo-checksum.json", "{\"files\":{},\"package\":null}"),
        ("one/vendor/b/src/lib.rs", "#[inline]\npub unsafe fn add(to: *mut u32) {\n    unsafe { *to += 1 }\n}\n"),
        ("one/.cargo/config.toml", "[source.crates-io]\nreplace-with = \"v\"\n[source.v]\ndirectory = \"vendor\"\n"),
    ]);
    for options in [json!({ "trust": "untrusted" }), json!({}), json!({ "workspaceTrusted": true })] {
        let mut client = Client::start_in(folder.path(), &["one"], &json!({}), &options);
        client.wait("the race", |it| it.findings("one/src/main.rs") == race());
        client.stop();
    }
}

/// The configuration of the workspace around a package, with a change of each kind.
#[test]
fn the_configuration_is_read_again_when_it_changes() {
    let folder = Folder::new(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"one\"]\nresolver = \"3\"\n"),
        ("one/Cargo.toml", &manifest("one")),
        ("one/src/main.rs", &racy("ONE")),
        ("tsvd.toml", "rules = { data-race = \"off\" }\n"),
    ]);
    let capabilities = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let mut client = Client::start_in(folder.path(), &["one"], &capabilities, &Value::Null);
    client.idle();
    assert!(client.findings("one/src/main.rs").is_empty(), "{:?}", client.diagnostics);
    folder.write("tsvd.toml", b"rules = { data-race = \"warning\" }\n");
    client.changed_on_disk("tsvd.toml", 2);
    client.wait("the race", |it| it.findings("one/src/main.rs") == race());
    assert_eq!(client.diagnostics["one/src/main.rs"][0]["severity"], 2);
    // What is wrong is told, and what was known stays.
    folder.write("tsvd.toml", b"rule = { data-race = \"off\" }\n");
    client.changed_on_disk("tsvd.toml", 2);
    client.wait("a message", |it| !it.shown.is_empty());
    assert!(
        client.shown[0].ends_with("tsvd.toml:1:1: unknown key `rule`; did you mean `rules`?"),
        "{:?}",
        client.shown
    );
    assert_eq!(client.findings("one/src/main.rs"), race());
    std::fs::remove_file(folder.path().join("tsvd.toml")).unwrap();
    client.changed_on_disk("tsvd.toml", 3);
    client.wait("an error", |it| it.diagnostics["one/src/main.rs"][0]["severity"] == 1);
    client.stop();
}

/// Settings of rust-analyzer that an editor passes on.
#[test]
fn settings_of_rust_analyzer() {
    let selling = racy("A").replace("fn main()", "#[cfg(feature = \"sell\")]\nfn main()").replace("\n\n#", "\n#");
    let with_feature = format!("{selling}#[cfg(not(feature = \"sell\"))]\nfn main() {{}}\n");
    let folder = Folder::new(&[
        ("one/Cargo.toml", &format!("{}[features]\nsell = []\n", manifest("one"))),
        ("one/src/main.rs", &with_feature),
        ("two/Cargo.toml", &manifest("two")),
        ("two/src/main.rs", &racy("TWO")),
        ("two/gen/main.rs", &racy("GEN")),
        ("outside/Cargo.toml", &manifest("outside")),
        ("outside/src/main.rs", &racy("OUT")),
        ("ws/sub/Cargo.toml", &manifest("sub")),
        ("ws/sub/src/main.rs", &racy("SUB")),
    ]);
    let started = |open: &str, options: &Value| {
        let mut client = Client::start_in(folder.path(), &[open], &json!({}), options);
        client.idle();
        client
    };
    let rules = |client: &Client, file: &str| client.findings(file).len();
    // Features.
    for (options, found) in [
        (json!({}), 0),
        (json!({ "cargo": { "features": ["sell"] } }), 1),
        (json!({ "cargo": { "features": "all" } }), 1),
    ] {
        let client = started("one", &options);
        assert_eq!(rules(&client, "one/src/main.rs"), found, "{options}");
        client.stop();
    }
    // Linked projects: only those in an open folder are loaded.
    let client = started("ws", &json!({ "linkedProjects": ["sub/Cargo.toml", "../outside/Cargo.toml"] }));
    assert_eq!((rules(&client, "ws/sub/src/main.rs"), rules(&client, "outside/src/main.rs")), (1, 0));
    client.stop();
    // Files that are left out.
    let mut client = started("two", &json!({ "files": { "exclude": ["src", "gen"] } }));
    client.open("two/gen/main.rs", &racy("GEN"));
    client.idle();
    assert!(client.diagnostics.values().all(|it| it.as_array().is_none_or(Vec::is_empty)), "{:?}", client.diagnostics);
    client.stop();
    // One that is not understood is named.
    let client = started("two", &json!({ "cargo": { "features": 7 } }));
    assert_eq!(
        client.shown,
        ["tsvd-check: the setting `cargo.features` is not used: it must be \"all\" or a list of names"]
    );
    client.stop();
    // They do not widen trust.
    let built = built();
    let options =
        json!({ "workspaceTrusted": false, "cargo": { "features": "all" }, "linkedProjects": ["Cargo.toml"] });
    let mut client = Client::start_in(built.path(), &[""], &json!({}), &options);
    client.idle();
    assert!(client.findings("src/main.rs").is_empty());
    client.stop();
}
