//! Lines whose template is no plain string literal end like all others.

use std::fmt::Write as _;

macro_rules! say {
    ($template:expr) => { println!($template) };
    ($template:literal, $($rest:tt)*) => { println!($template, $($rest)*) };
}

macro_rules! tell {
    ($($all:tt)*) => { println!($($all)*) };
}

struct Shown;

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, r"<shown>")?;
        write!(f, r"{}", concat!("</", "shown", ">"))
    }
}

fn main() {
    let (name, count) = ("ferris", 3);
    println!(r"raw");
    println!(r#"name="{name}""#);
    println!(r##"{} "#" {count:>4}"##, name);
    println!(r"");
    println!(r"\n is no escape, {{}} is");
    println!(concat!("joined", " ", 1));
    println!(concat!("{}", " and {}"), name, count);
    println!(stringify!(a b));
    println!("{}", r"shown");
    println!(r"
two lines, {}
", count);
    say!("plain");
    say!(r"raw in a macro");
    say!("{} {}", count, name);
    say!(r"{} {name}", count);
    tell!(r#"passed "{}""#, Shown);
    eprintln!(r"to the other stream");

    let mut text = String::new();
    writeln!(text, r#"a="{}""#, count).unwrap();
    writeln!(text, concat!("b", "{}"), name).unwrap();
    writeln!(text, r"c").unwrap();
    writeln!(text).unwrap();
    write!(text, r"d").unwrap();
    println!("{text:?} {:?}", text.lines().collect::<Vec<_>>());
    println!("{:?}", format_args!(r"{}", 1).as_str());
    print!(r"no line{}", "\n");
}
