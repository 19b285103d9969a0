// rustc breaks the lines of a long condition; here its text is not known.
fn main() {
    let text = "a string literal of some length";
    assert!(text.len() == "another string literal that goes on and on, and further on".len() + 1000);
}
