// rustc folds `line!()` and `file!()` into the text of a format string; here they are known only when the program runs.
fn main() {
    println!("{} {}", format_args!("{}:{}", file!(), line!()).as_str().is_some(), column!() > 0);
}
