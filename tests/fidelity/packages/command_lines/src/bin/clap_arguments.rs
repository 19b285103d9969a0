//! The derives of clap: options and arguments, in many forms.

use clap::{ArgAction, Args, CommandFactory, Parser};
use std::path::PathBuf;

fn show<T: Parser + std::fmt::Debug>(args: &[&str]) {
    match T::try_parse_from(args) {
        Ok(value) => println!("{args:?} -> {value:?}"),
        Err(error) => println!("{args:?} -> {:?}\n{error}", error.kind()),
    }
}

fn helps<T: CommandFactory>() {
    let mut command = T::command();
    println!("{}", command.render_help());
    println!("{}", command.render_long_help());
    println!("{}", command.render_version());
}

/// A plain tool.
#[derive(Parser, Debug)]
#[command(version, author, about)]
struct Plain {
    /// Number of threads.
    #[arg(short, long)]
    threads: usize,
    /// How loud it is...
    ///
    /// More of it
    /// means more noise.
    ///
    ///   * a list
    #[arg(short, long, action = ArgAction::Count)]
    verbose: u8,
    /// Files to read
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[arg(long = "other-name", short = 'x', default_value = "seven")]
    named: String,
    #[arg(long)]
    maybe: Option<i64>,
    #[arg(long)]
    perhaps: Option<Option<String>>,
    #[arg(long)]
    several: Option<Vec<u16>>,
    #[arg(long)]
    flag_here: bool,
    #[arg(skip)]
    skipped: u8,
    #[arg(skip = "made here")]
    filled: String,
    #[arg(long, default_value_t = 2.5)]
    ratio: f64,
    #[arg(long, default_value_t)]
    level: i8,
    #[arg(long, default_values_t = [1, 2, 3], value_delimiter = ',')]
    numbers: Vec<u32>,
    #[arg(long, default_value_os_t = PathBuf::from("/var/x"))]
    folder: PathBuf,
    #[arg(long, value_parser = even)]
    even: Option<u32>,
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..10))]
    port: Option<u16>,
    #[arg(long, value_parser = ["red", "green"])]
    colour: Option<String>,
    #[arg(long, value_parser = |text: &str| -> Result<usize, String> { if text == "x" { Err("x".into()) } else { Ok(text.len()) } })]
    length: Option<usize>,
    #[arg(long, action = ArgAction::SetFalse)]
    no_cache: bool,
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"])]
    range: Vec<u8>,
}

fn even(text: &str) -> Result<u32, String> {
    let number: u32 = text.parse().map_err(|error| format!("{error:?}"))?;
    if number % 2 == 0 { Ok(number) } else { Err(format!("{number} is odd")) }
}

#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
struct Choice {
    #[arg(long)]
    one: bool,
    #[arg(long)]
    two: Option<String>,
}

#[derive(Args, Debug)]
struct Extra {
    #[arg(long)]
    left: Option<u8>,
    #[arg(long)]
    right: Option<u8>,
}

#[derive(Parser, Debug)]
#[command(disable_help_flag = true, no_binary_name = true)]
struct Odd {
    #[arg(id = "the-id", long, short)]
    field: Option<String>,
    #[arg(long, id = "second-id", alias = "zweite", visible_short_alias = 'z', overrides_with = "the-id")]
    another: Option<String>,
    #[arg(long, required_unless_present = "the-id", help = "Said here", long_help)]
    /// Said there
    r#type: Option<char>,
    #[arg(raw = true)]
    rest: Vec<String>,
    #[arg(long, hide = true, allow_hyphen_values(true), require_equals = true)]
    hidden: Option<i32>,
    unit: (),
    #[arg(long, default_missing_value = "always", num_args = 0..=1, default_value = "never")]
    when: String,
}

#[derive(Parser, Debug)]
struct Generic<T: Args> {
    #[command(flatten)]
    inner: T,
}

#[derive(Parser, Debug)]
#[command(group(clap::ArgGroup::new("mode").args(["fast", "slow"]).required(true)))]
struct Grouped {
    #[arg(long)]
    fast: bool,
    #[arg(long, group = "extra")]
    slow: bool,
    #[arg(long, requires = "extra")]
    more: bool,
}

fn main() {
    show::<Plain>(&["t", "--threads", "4", "-vvv", "a", "b"]);
    show::<Plain>(&["t", "-t4", "--other-name=n", "-x", "m"]);
    show::<Plain>(&["t", "-t", "4", "--maybe", "-5"]);
    show::<Plain>(&["t", "-t", "4", "--maybe=-5", "--perhaps", "--several", "1", "--several", "2", "--flag-here"]);
    show::<Plain>(&[
        "t",
        "-t",
        "4",
        "--perhaps=yes",
        "--ratio",
        "0.25",
        "--level",
        "7",
        "--numbers",
        "9,8",
        "--folder",
        "q",
    ]);
    show::<Plain>(&["t", "-t", "4", "--even", "3"]);
    show::<Plain>(&[
        "t",
        "-t",
        "4",
        "--even",
        "8",
        "--port",
        "9",
        "--colour",
        "red",
        "--no-cache",
        "--range",
        "1",
        "2",
    ]);
    show::<Plain>(&["t", "-t", "4", "--port", "10"]);
    show::<Plain>(&["t", "-t", "4", "--colour", "gren"]);
    show::<Plain>(&["t", "-t", "four"]);
    show::<Plain>(&["t", "-t", "4", "--length", "four"]);
    show::<Plain>(&["t", "-t", "4", "--length=x"]);
    show::<Plain>(&["t", "-t", "4", "--range", "1"]);
    show::<Plain>(&["t"]);
    show::<Plain>(&["t", "--thread", "4"]);
    show::<Plain>(&["t", "--version"]);
    show::<Plain>(&["t", "-h"]);
    helps::<Plain>();
    let mut plain = Plain::parse_from(["t", "-t", "1"]);
    plain.update_from(["t", "--maybe", "4", "q"]);
    println!("{plain:?}");

    show::<Odd>(&["--the-id", "a"]);
    show::<Odd>(&["-t", "a", "--second-id", "b"]);
    show::<Odd>(&["--type", "x", "-z", "1", "--hidden=-4", "--when", "--", "-r", "s"]);
    show::<Odd>(&["--field", "a"]);
    show::<Odd>(&["--another", "b"]);
    show::<Odd>(&["--when=x", "--type", "long"]);
    show::<Odd>(&[]);
    helps::<Odd>();

    show::<Generic<Extra>>(&["g", "--right", "2"]);
    show::<Generic<Choice>>(&["g"]);
    show::<Grouped>(&["g"]);
    show::<Grouped>(&["g", "--fast", "--slow"]);
    show::<Grouped>(&["g", "--fast", "--more"]);
    show::<Grouped>(&["g", "--slow", "--more"]);
}
