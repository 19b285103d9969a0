// A variable that nobody set when the program was built.
const UNSET: Option<&str> = option_env!("SURELY_SET_BY_NOBODY");
fn main() {
    println!("{UNSET:?} {}", option_env!("SURELY_NOT_THIS_EITHER").unwrap_or("default"));
}
