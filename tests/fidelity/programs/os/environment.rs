//@ edition: 2024
//! Variables that the program sets itself, and what the C library refuses.
use std::env::{self, VarError};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::panic;

fn main() {
    const NAME: &str = "TSVD_FIDELITY_ONE";
    println!("{:?}", env::var(NAME));
    unsafe { env::set_var(NAME, "a value") };
    println!("{:?} {:?}", env::var(NAME), env::var_os(NAME));
    unsafe { env::set_var("TSVD_FIDELITY_TWO", "") };
    unsafe { env::set_var(NAME, "another = value") };
    let mut own: Vec<_> = env::vars().filter(|(name, _)| name.starts_with("TSVD_FIDELITY")).collect();
    own.sort();
    println!("{own:?}");
    unsafe { env::set_var(NAME, OsStr::from_bytes(b"\xff\xfe")) };
    match env::var(NAME) {
        Err(VarError::NotUnicode(text)) => println!("not text: {text:?}"),
        other => println!("{other:?}"),
    }
    unsafe { env::remove_var(NAME) };
    unsafe { env::remove_var("TSVD_FIDELITY_NEVER") };
    println!("{:?} {}", env::var(NAME), env::vars().any(|(name, _)| name == NAME));
    let last = env::vars_os().filter(|(name, _)| name.as_bytes().starts_with(b"TSVD_FIDELITY")).count();
    println!("{last}");
    for (name, value) in [("", "empty"), ("A=B", "sign"), ("A\0B", "nul"), ("A", "nul\0")] {
        let set = panic::catch_unwind(|| unsafe { env::set_var(name, value) });
        println!("{name:?} {:?}", set.map_err(|it| it.downcast_ref::<String>().cloned()));
        println!("{name:?} {:?}", env::var(name).is_ok());
    }
    let workers: usize = env::var("TSVD_FIDELITY_JOBS").ok().and_then(|it| it.parse().ok()).unwrap_or(3);
    println!("{workers}");
}
