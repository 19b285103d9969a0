//! The `tsvd-check` program.

#![forbid(unsafe_code)]

use std::process::ExitCode;

/// rust-analyzer allocates much and small: a tenth of a cold start is the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tsvd_check::cli::main()
}
