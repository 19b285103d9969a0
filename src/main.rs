//! The `tsvd-check` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    tsvd_check::cli::main()
}
