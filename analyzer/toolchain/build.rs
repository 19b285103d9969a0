//! Fails early if the toolchain lacks the sources of std. `analyzer/build.rs`, which packs them, runs only after its
//! build-dependencies are built; this script has none.

#![forbid(unsafe_code)]

#[path = "src/lib.rs"]
#[expect(unreachable_pub, reason = "the file is also the root of the library")]
mod toolchain;

use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/lib.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");
    match toolchain::std_sources() {
        Ok(library) => {
            println!("cargo::rerun-if-changed={}", library.join("std/src/lib.rs").display());
            ExitCode::SUCCESS
        }
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}
