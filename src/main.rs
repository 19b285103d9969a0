//! The `tsvd-check` program.

#![forbid(unsafe_code)]

use std::process::ExitCode;

/// rust-analyzer makes many small allocations: the system's allocator would take a tenth of a cold start.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tsvd_check::cli::main()
}
