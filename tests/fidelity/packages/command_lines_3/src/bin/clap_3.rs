//! The derives of clap 3.

use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

fn show<T: Parser + std::fmt::Debug>(args: &[&str]) {
    match T::try_parse_from(args) {
        Ok(value) => println!("{args:?} -> {value:?}"),
        Err(error) => println!("{args:?} -> {:?}\n{error}", error.kind()),
    }
}

fn helps<T: CommandFactory>() {
    let mut help = Vec::new();
    T::command().write_help(&mut help).unwrap();
    println!("{}", String::from_utf8_lossy(&help));
    let mut help = Vec::new();
    T::command().write_long_help(&mut help).unwrap();
    println!("{}", String::from_utf8_lossy(&help));
    println!("{}", T::command().render_version());
}

/// A plain tool.
#[derive(Parser, Debug)]
#[clap(version, author, about)]
struct Plain {
    /// Number of threads.
    #[clap(short, long)]
    threads: usize,
    /// How loud it is...
    ///
    /// More of it
    /// means more noise.
    #[clap(short, long, parse(from_occurrences))]
    verbose: u8,
    #[clap(short = 'q', long, action = ArgAction::Count)]
    quiet_ones: u8,
    /// Files to read
    #[clap(value_name = "FILE", parse(from_os_str))]
    files: Vec<PathBuf>,
    #[clap(long = "other-name", short = 'x', default_value = "seven")]
    named: String,
    #[clap(long)]
    maybe: Option<i64>,
    #[clap(long)]
    perhaps: Option<Option<String>>,
    #[clap(long)]
    several: Option<Vec<u16>>,
    #[clap(long)]
    flag_here: bool,
    #[clap(skip)]
    skipped: u8,
    #[clap(skip = "made here")]
    filled: String,
    #[clap(long, default_value_t = 2.5)]
    ratio: f64,
    #[clap(long, default_value_t, value_parser)]
    level: i8,
    #[clap(long, default_values_t = [1, 2, 3], value_delimiter = ',')]
    numbers: Vec<u32>,
    #[clap(long, default_value_os_t = PathBuf::from("/var/x"), parse(from_os_str))]
    folder: PathBuf,
    #[clap(long, value_parser = even)]
    even: Option<u32>,
    #[clap(long, parse(try_from_str = even))]
    other_even: Option<u32>,
    #[clap(long, parse(from_str = shouted))]
    loud: Vec<String>,
    #[clap(long, value_parser = clap::value_parser!(u16).range(1..10))]
    port: Option<u16>,
    #[clap(long, possible_values = ["red", "green"])]
    colour: Option<String>,
    #[clap(long, action = ArgAction::SetTrue)]
    set: bool,
    #[clap(long, multiple_values = true, number_of_values = 2, value_names = &["FROM", "TO"])]
    range: Vec<u8>,
}

fn even(text: &str) -> Result<u32, String> {
    let number: u32 = text.parse().map_err(|error| format!("{error:?}"))?;
    if number % 2 == 0 { Ok(number) } else { Err(format!("{number} is odd")) }
}

fn shouted(text: &str) -> String {
    text.to_uppercase()
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq)]
enum Colour {
    Red,
    #[clap(alias = "verde", help = "as grass")]
    DarkGreen,
    /// Like the sky
    #[clap(name = "bleu")]
    Blue,
}

#[derive(Args, Debug, Clone)]
#[clap(next_help_heading = "NETWORK")]
struct Network {
    /// Host
    #[clap(long, env = "CLAP3_HOST", default_value = "localhost", value_parser)]
    host: String,
    #[clap(long, requires = "host", conflicts_with = "socket", value_parser)]
    port: Option<u16>,
    #[clap(long, value_parser, help_heading = "OTHERS")]
    socket: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[clap(rename_all = "snake_case")]
struct Extra {
    #[clap(long)]
    left: Option<u8>,
    #[clap(long)]
    right_side: bool,
}

#[derive(Parser, Debug)]
#[clap(name = "multi", version = "0.9", about = "Does many things", propagate_version = true)]
#[clap(arg_required_else_help = true)]
struct Multi {
    #[clap(subcommand)]
    command: Option<Commands>,
    #[clap(long, global = true)]
    dry_run: bool,
    #[clap(flatten)]
    network: Network,
    #[clap(long, value_enum, default_value_t = Colour::DarkGreen)]
    back_colour: Colour,
    #[clap(long, arg_enum, value_parser)]
    front_colour: Vec<Colour>,
    #[clap(long, arg_enum, ignore_case = true)]
    third_colour: Option<Colour>,
}

#[derive(Subcommand, Debug)]
enum Commands {
    /// Adds files
    ///
    /// And more words.
    #[clap(visible_alias = "put", arg_required_else_help = true)]
    AddFile {
        /// Which
        file: PathBuf,
        #[clap(short, long, default_value_t = 3)]
        depth: u32,
        #[clap(from_global)]
        dry_run: bool,
    },
    /// Nothing
    Nothing,
    #[clap(subcommand, name = "remote")]
    Remote(Remote),
    Boxed(Extra),
    #[clap(flatten)]
    More(More),
    #[clap(external_subcommand)]
    Else(Vec<String>),
}

/// Remotes
#[derive(Subcommand, Debug)]
#[clap(rename_all = "UPPER")]
enum Remote {
    ListAll,
    Remove { name: String },
}

#[derive(Subcommand, Debug)]
enum More {
    First,
    Second {
        #[clap(last = true, parse(from_os_str))]
        rest: Vec<OsString>,
    },
}

/// An enum as the whole.
#[derive(Parser, Debug)]
#[clap(version)]
enum Whole {
    Start {
        /// Verbatim
        ///   indented.
        #[clap(long, verbatim_doc_comment)]
        now: bool,
    },
    Stop,
}

fn main() {
    show::<Plain>(&["t", "--threads", "4", "-vvv", "-qq", "a", "b"]);
    show::<Plain>(&["t", "-t4", "--other-name=n", "-x", "m"]);
    show::<Plain>(&["t", "-t4", "--other-name=n"]);
    show::<Plain>(&["t", "-t", "4", "--maybe=-5", "--several", "1", "--several", "2", "--flag-here"]);
    show::<Plain>(&["t", "-t", "4", "--perhaps=yes", "--ratio", "0.25", "--level", "7", "--numbers", "9,8"]);
    show::<Plain>(&["t", "-t", "4", "--perhaps", "--folder", "q"]);
    show::<Plain>(&["t", "-t", "4", "--even", "3"]);
    show::<Plain>(&["t", "-t", "4", "--other-even", "3"]);
    show::<Plain>(&["t", "-t", "4", "--even", "8", "--other-even", "2", "--port", "9", "--colour", "red", "--set"]);
    show::<Plain>(&["t", "-t", "4", "--loud", "a", "--loud", "b", "--range", "1", "2"]);
    show::<Plain>(&["t", "-t", "4", "--port", "10"]);
    show::<Plain>(&["t", "-t", "4", "--colour", "gren"]);
    show::<Plain>(&["t", "-t", "four"]);
    show::<Plain>(&["t"]);
    show::<Plain>(&["t", "--thread", "4"]);
    show::<Plain>(&["t", "--version"]);
    helps::<Plain>();

    show::<Multi>(&["multi"]);
    show::<Multi>(&["multi", "--dry-run", "add-file", "f"]);
    show::<Multi>(&["multi", "put", "f", "--dry-run", "-d", "9"]);
    show::<Multi>(&["multi", "nothing"]);
    show::<Multi>(&["multi", "remote", "LISTALL"]);
    show::<Multi>(&["multi", "remote", "REMOVE", "it"]);
    show::<Multi>(&["multi", "remote"]);
    show::<Multi>(&["multi", "remote", "other"]);
    show::<Multi>(&["multi", "boxed", "--left", "3", "--right_side"]);
    show::<Multi>(&["multi", "boxed", "--left", "3", "--right-side"]);
    show::<Multi>(&["multi", "first"]);
    show::<Multi>(&["multi", "second", "--", "-x", "y"]);
    show::<Multi>(&["multi", "elsewhere", "a", "--b"]);
    show::<Multi>(&["multi", "--port", "80", "--host", "h", "nothing"]);
    show::<Multi>(&["multi", "--port", "80", "--socket", "s"]);
    show::<Multi>(&["multi", "--back-colour", "bleu", "--front-colour", "verde", "--third-colour", "RED", "first"]);
    show::<Multi>(&["multi", "--back-colour", "pink"]);
    helps::<Multi>();

    show::<Whole>(&["w", "start", "--now"]);
    show::<Whole>(&["w", "stop"]);
    show::<Whole>(&["w"]);
    show::<Whole>(&["w", "start", "--help"]);
    helps::<Whole>();

    let mut multi = Multi::parse_from(["multi", "add-file", "f"]);
    multi.update_from(["multi", "add-file", "g", "--depth", "5"]);
    println!("{multi:?}");
    multi.update_from(["multi", "second", "--", "z"]);
    println!("{multi:?}");
    multi.update_from(["multi", "--host", "other", "first"]);
    println!("{multi:?}");
    println!("{:?}", multi.try_update_from(["multi", "--port", "x"]).map_err(|it| it.to_string()));
    println!("{} {}", Remote::has_subcommand("LISTALL"), Commands::has_subcommand("list-all"));
    println!("{:?}", Colour::value_variants().iter().map(|it| it.to_possible_value()).collect::<Vec<_>>());
    println!("{:?}", <Colour as ValueEnum>::from_str("VERDE", true));
}
