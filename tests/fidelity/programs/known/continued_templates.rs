// A `\` at a line's end with an empty line behind it, where rust-analyzer has no text: what a format string says and how long a
// byte string is, is not known.
fn main() {
    println!("one {} two\

      three", 1);
    println!("{:?}", b"abc\

    d");
}
