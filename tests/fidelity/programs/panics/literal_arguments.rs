// rustc folds literal arguments of a format string into it, so that the payload is a `&'static str`.
fn main() {
    let payload = std::panic::catch_unwind(|| panic!("n {}", 1)).unwrap_err();
    println!("{} {}", payload.is::<&'static str>(), payload.is::<String>());
}
