//! Finds the sources of std in the building toolchain. For build scripts.

#![forbid(unsafe_code)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The toolchain's folder `library`; the error says how to install it.
pub fn std_sources() -> Result<PathBuf, String> {
    let sysroot = ask_rustc(&["--print", "sysroot"])?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library");
    if library.join("std/src/lib.rs").is_file() {
        return Ok(library);
    }
    // rustup sets the variable for everything that cargo starts.
    let toolchain = env::var("RUSTUP_TOOLCHAIN").map_or(String::new(), |name| format!(" --toolchain {name}"));
    Err(format!(
        "the toolchain has no sources of std in {}: run `rustup component add rust-src{toolchain}` and build again \
         (without rustup, install the sources of this version of Rust there)",
        library.display()
    ))
}

/// Standard output of the compiler that cargo uses for this build.
pub fn ask_rustc(args: &[&str]) -> Result<String, String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output =
        Command::new(&rustc).args(args).output().map_err(|error| format!("cannot run {}: {error}", rustc.display()))?;
    String::from_utf8(output.stdout).map_err(|_| "what rustc prints is not UTF-8".to_owned())
}
