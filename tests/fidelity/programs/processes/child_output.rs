//! Collects everything that a child prints; the child is this program with an argument.
use std::env;
use std::process::{Command, ExitCode};

fn child(mode: &str) -> ExitCode {
    match mode {
        "quiet" => ExitCode::SUCCESS,
        "talk" => {
            println!("to stdout");
            eprintln!("to stderr");
            print!("without end of line");
            ExitCode::from(7)
        }
        "bytes" => {
            use std::io::Write;
            std::io::stdout().write_all(&[0, 159, 146, 150, b'\n']).unwrap();
            ExitCode::SUCCESS
        }
        other => {
            eprintln!("unknown mode {other:?}");
            ExitCode::FAILURE
        }
    }
}

fn main() -> ExitCode {
    if let Some(mode) = env::args().nth(1) {
        return child(&mode);
    }
    let program = env::current_exe().expect("a path");
    for mode in ["quiet", "talk", "bytes", "dance"] {
        let output = Command::new(&program).arg(mode).output().expect("it starts");
        println!("{mode}: {} {:?} {}", output.status, output.status.code(), output.status.success());
        println!("  out {:?}", String::from_utf8_lossy(&output.stdout));
        println!("  err {:?}", String::from_utf8_lossy(&output.stderr));
        if let Err(error) = String::from_utf8(output.stdout) {
            println!("  {error}");
        }
    }
    ExitCode::SUCCESS
}
