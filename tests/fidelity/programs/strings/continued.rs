// A `\` at a line's end, with an empty line behind it, or with nothing behind it at all.
const A: &str = "foo\

     bar";
static NAMES: [&str; 2] = ["one\
    ", "\
    two"];
macro_rules! show {
    ($e:expr) => {
        println!("{:?}", $e)
    };
}
macro_rules! twice {
    ($e:literal) => {
        concat!($e, "|", $e)
    };
}
fn kind(text: &str) -> u8 {
    match text {
        "foo\

        bar" => 1,
        "foo\
        " => 2,
        "\
        " => 3,
        _ => 4,
    }
}
fn main() {
    let a = "abc\
";
    println!("{a:?} {A:?} {NAMES:?}");
    println!("{:?}", "\
    ");
    println!("{:?}", b"abc\
    ");
    println!("{:?}", c"abc\

    d");
    println!("{:?}", c"abc\
    ");
    println!("{:?}", c"\xff\
    \n");
    show!("foo\

      q");
    println!("{}", twice!("m\

       n"));
    println!("{}", twice!("m\
       "));
    println!("{:?}", "a\
    \t b\\\
    \\
    c\
      \u{a0} d");
    println!("{:?}", r"a\
    b\

    c");
    println!("{} {} {} {}", kind("foobar"), kind("foo"), kind(""), kind("foo\\\n"));
    println!("four {{ \

    five }}");
    print!("six\
    ");
    println!("{} {}", format_args!(" seven\

    eight"), "nine\

    ten");
    let result: Result<u8, u8> = Err(3);
    let said = std::panic::catch_unwind(|| result.expect("what\

       ever"));
    println!("{:?}", said.unwrap_err().downcast_ref::<String>());
}
