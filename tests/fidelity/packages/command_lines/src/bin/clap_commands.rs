//! The derives of clap: subcommands, groups and possible values.

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, ValueHint};
use std::ffi::OsString;
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

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq)]
enum Colour {
    Red,
    #[value(alias = "verde", help = "as grass")]
    DarkGreen,
    /// Like the sky
    #[value(name = "bleu")]
    Blue,
    #[value(skip)]
    #[allow(dead_code)]
    Other(u8),
}

#[derive(ValueEnum, Clone, Debug)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum Loud {
    VeryLoud,
    #[value(hide = true)]
    NotLoud,
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Network")]
struct Network {
    /// Host
    #[arg(long, env = "CLAP4_HOST", default_value = "localhost")]
    host: String,
    #[arg(long, requires = "host", conflicts_with = "socket")]
    port: Option<u16>,
    #[arg(long, value_hint = ValueHint::FilePath)]
    socket: Option<PathBuf>,
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
#[command(name = "multi", version = "0.9", about = "Does many things", long_about = None, propagate_version = true)]
#[command(rename_all = "snake_case", rename_all_env = "kebab-case", arg_required_else_help = true)]
struct Multi {
    #[arg(long, global = true)]
    dry_run: bool,
    #[command(flatten)]
    network: Network,
    #[command(flatten)]
    extra: Option<Extra>,
    #[arg(long, value_enum, default_value_t = Colour::DarkGreen)]
    back_colour: Colour,
    #[arg(long, value_enum)]
    front_colour: Vec<Colour>,
    #[arg(long, value_enum, default_values_t = vec![Loud::VeryLoud])]
    loud: Vec<Loud>,
    #[command(subcommand)]
    command: Option<Commands>,
}

#[derive(Subcommand, Debug)]
enum Commands {
    /// Adds files
    ///
    /// And more words.
    #[command(visible_alias = "put", arg_required_else_help = true)]
    AddFile {
        /// Which
        file: PathBuf,
        #[arg(short, long, default_value_t = 3)]
        depth: u32,
        #[arg(from_global)]
        dry_run: bool,
    },
    /// Nothing
    Nothing,
    Choose(Choice),
    #[command(subcommand, name = "remote")]
    Remote(Remote),
    Boxed(Box<Extra>),
    #[command(flatten)]
    More(More),
    #[command(external_subcommand)]
    Else(Vec<String>),
}

/// Remotes
#[derive(Subcommand, Debug)]
#[command(rename_all = "UPPER")]
enum Remote {
    ListAll,
    Remove { name: String },
}

#[derive(Subcommand, Debug)]
enum More {
    First,
    Second {
        #[arg(last = true)]
        rest: Vec<OsString>,
    },
}

/// An enum as the whole.
#[derive(Parser, Debug)]
#[command(version)]
enum Whole {
    Start {
        #[arg(long, verbatim_doc_comment)]
        /// Verbatim
        ///   indented.
        now: bool,
    },
    Stop,
}

fn main() {
    show::<Multi>(&["multi"]);
    show::<Multi>(&["multi", "--dry_run", "add-file", "f"]);
    show::<Multi>(&["multi", "--dry_run", "add_file", "f"]);
    show::<Multi>(&["multi", "put", "f", "--dry_run", "-d", "9"]);
    show::<Multi>(&["multi", "nothing"]);
    show::<Multi>(&["multi", "choose"]);
    show::<Multi>(&["multi", "choose", "--one"]);
    show::<Multi>(&["multi", "choose", "--two", "x", "--one"]);
    show::<Multi>(&["multi", "remote", "LISTALL"]);
    show::<Multi>(&["multi", "remote", "REMOVE", "it"]);
    show::<Multi>(&["multi", "remote"]);
    show::<Multi>(&["multi", "remote", "other"]);
    show::<Multi>(&["multi", "boxed", "--left", "3"]);
    show::<Multi>(&["multi", "first"]);
    show::<Multi>(&["multi", "second", "--", "-x", "y"]);
    show::<Multi>(&["multi", "elsewhere", "a", "--b"]);
    show::<Multi>(&["multi", "--port", "80", "--host", "h", "--left", "1", "nothing"]);
    show::<Multi>(&["multi", "--port", "80", "--socket", "s"]);
    show::<Multi>(&[
        "multi",
        "--back_colour",
        "bleu",
        "--front_colour",
        "verde",
        "--front_colour",
        "red",
        "--loud",
        "NOT_LOUD",
        "first",
    ]);
    show::<Multi>(&["multi", "--back_colour", "pink"]);
    show::<Multi>(&["multi", "help", "add_file"]);
    helps::<Multi>();

    show::<Whole>(&["w", "start", "--now"]);
    show::<Whole>(&["w", "stop"]);
    show::<Whole>(&["w"]);
    show::<Whole>(&["w", "start", "--help"]);
    helps::<Whole>();

    let mut multi = Multi::parse_from(["multi", "--left", "1", "add_file", "f"]);
    multi.update_from(["multi", "--right", "2"]);
    println!("{multi:?}");
    multi.update_from(["multi", "add_file", "g", "--depth", "5"]);
    println!("{multi:?}");
    multi.update_from(["multi", "second", "--", "z"]);
    println!("{multi:?}");
    multi.update_from(["multi", "--host", "other", "first"]);
    println!("{multi:?}");
    println!("{:?}", multi.try_update_from(["multi", "--port", "x"]).map_err(|it| it.to_string()));

    let matches = Multi::command().get_matches_from(["multi", "nothing"]);
    println!("{:?}", Multi::from_arg_matches(&matches).unwrap());
    println!("{:?} {:?}", Network::group_id(), Commands::has_subcommand("anything"));
    println!("{} {}", Remote::has_subcommand("LISTALL"), Remote::has_subcommand("list-all"));
    println!("{:?}", Colour::value_variants().iter().map(|it| it.to_possible_value()).collect::<Vec<_>>());
    println!("{:?} {:?}", <Colour as ValueEnum>::from_str("VERDE", true), <Loud as ValueEnum>::from_str("x", false));
}
