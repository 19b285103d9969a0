use std::process::{ExitCode, Termination};

struct D;
impl Drop for D {
    fn drop(&mut self) {
        println!("dropped before the exit code is used");
    }
}

enum Outcome {
    Fine,
    Bad(u8),
}

impl Termination for Outcome {
    fn report(self) -> ExitCode {
        println!("report");
        match self {
            Outcome::Fine => ExitCode::SUCCESS,
            Outcome::Bad(n) => ExitCode::from(n),
        }
    }
}

fn main() -> Outcome {
    let _d = D;
    let v: Vec<u8> = "3 4 35".split(' ').filter_map(|s| s.parse().ok()).collect();
    if v.is_empty() { Outcome::Fine } else { Outcome::Bad(v.iter().sum()) }
}
