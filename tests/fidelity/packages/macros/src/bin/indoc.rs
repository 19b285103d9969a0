//! A text without indentation.

fn main() {
    print!(
        "{}",
        indoc::indoc! {"
    a
      b
    c
"}
    );
}
