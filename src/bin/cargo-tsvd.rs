//! `cargo tsvd`: starts the `tsvd-check` beside it, which does the work (`src/cli/cargo.rs`).

#![forbid(unsafe_code)]

use std::{
    env::{self, consts::EXE_SUFFIX},
    io::{self, Write as _},
    process::{Command, ExitCode},
};

fn main() -> ExitCode {
    let program = match env::current_exe() {
        Ok(own) => own.with_file_name(format!("tsvd-check{EXE_SUFFIX}")),
        Err(error) => return failed(&format!("the folder of this program is unknown: {error}")),
    };
    // Cargo passes the name of the subcommand first.
    let mut args = env::args_os().skip(1).peekable();
    args.next_if(|it| it == "tsvd");
    let mut command = Command::new(&program);
    command.arg("cargo-tsvd").args(args);
    let error = match started(&mut command) {
        Ok(status) => return status,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            "it is not there; install both with `cargo install --locked --path .` in the folder of tsvd-check"
                .to_owned()
        }
        Err(error) => error.to_string(),
    };
    failed(&format!("cannot start `{}`: {error}", program.to_string_lossy()))
}

/// Replaces this process, so that who ends it ends the check.
#[cfg(unix)]
fn started(command: &mut Command) -> io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

#[cfg(not(unix))]
fn started(command: &mut Command) -> io::Result<ExitCode> {
    let status = command.status()?.code();
    Ok(ExitCode::from(status.and_then(|it| u8::try_from(it).ok()).unwrap_or(2)))
}

fn failed(why: &str) -> ExitCode {
    // If standard error is gone, nobody can be told.
    let _ = writeln!(io::stderr(), "error: {why}");
    ExitCode::from(2)
}
