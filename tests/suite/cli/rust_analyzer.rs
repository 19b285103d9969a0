//! A real rust-analyzer shows our findings, with `cargo tsvd` as its check command.

use crate::support::{Folder, client::Client};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const MAIN: &str = "static mut COUNTER: u32 = 0;\nfn main() {\n    let other = std::thread::spawn(|| unsafe { COUNTER += 1 });\n    unsafe { COUNTER += 1 }\n    other.join().unwrap();\n}\n";

/// rust-analyzer of the toolchain that built this; `rust-toolchain.toml` lists it.
fn rust_analyzer() -> PathBuf {
    let output = Command::new("rustc").args(["--print", "sysroot"]).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let sysroot = String::from_utf8(output.expect("rustc runs").stdout).unwrap();
    let program = Path::new(sysroot.trim()).join("bin/rust-analyzer").with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.is_file(), "{} is missing: `rustup toolchain install` adds it", program.display());
    program
}

#[test]
fn a_finding_is_a_diagnostic_of_source_tsvd_with_the_other_site() {
    let folder = Folder::new(&[
        ("Cargo.toml", "[package]\nname = 'p'\nversion = '0.1.0'\nedition = '2021'\n"),
        ("src/main.rs", MAIN),
    ]);
    let own = Path::new(env!("CARGO_BIN_EXE_cargo-tsvd")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(own.to_owned()).chain(std::env::split_paths(&path))).unwrap();
    let mut server = Command::new(rust_analyzer());
    server.current_dir(folder.path()).env("PATH", path).env_remove("CARGO_TARGET_DIR").stderr(Stdio::null());
    // Its own analysis is not what is tested.
    let options = json!({
        "check": { "command": "tsvd" }, "cachePriming": { "enable": false }, "procMacro": { "enable": false },
        "cargo": { "buildScripts": { "enable": false } }, "diagnostics": { "enable": false },
    });
    let capabilities = json!({ "textDocument": { "publishDiagnostics": { "relatedInformation": true } } });
    let mut client = Client::of(server, folder.path(), &[""], &capabilities, &options);
    client.open("src/main.rs", MAIN);
    let ours = |client: &Client| -> Vec<Value> {
        let all = client.diagnostics.get("src/main.rs").and_then(Value::as_array).into_iter().flatten();
        all.filter(|it| it["source"] == "tsvd").cloned().collect()
    };
    client.wait("a finding", |client| !ours(client).is_empty());
    let found = ours(&client);
    let finding = found.iter().find(|it| it["range"]["start"]["line"] == 2).expect("the primary site");
    assert_eq!((&finding["code"], &finding["severity"]), (&Value::from("data_race"), &Value::from(1)), "{finding:#}");
    let text = finding["message"].as_str().unwrap();
    assert!(text.contains("both update `COUNTER`") && text.contains("how it happens:"), "{text}");
    assert_eq!(finding["range"]["start"]["character"], 47);
    let related = &finding["relatedInformation"][0];
    assert_eq!(related["location"]["range"]["start"], json!({ "line": 3, "character": 13 }), "{finding:#}");
    assert!(related["location"]["uri"].as_str().unwrap().ends_with("/src/main.rs"));
    assert_eq!(related["message"], "`main` updates it here");
    client.stop();
}
