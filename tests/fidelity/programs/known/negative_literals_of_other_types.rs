// rust-analyzer reads `-(1.to_string())`, which has no type.
macro_rules! text {
    ($e:expr) => {
        $e.to_string()
    };
}

fn main() {
    println!("{}", text!(-1));
}
