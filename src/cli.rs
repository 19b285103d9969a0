//! The command line.
//!
//! Exit status: 0 nothing found, 1 findings or too little reach, 2 wrong usage or nothing could be loaded, 101 internal error. `run` ends with
//! the program's own status.

mod cargo;
mod check;
mod finding_filter;
mod generated;
pub(crate) mod output;
mod printer;
mod progress;
mod reach;
mod replay;
mod run;
mod test;
mod trust;

use crate::{
    format::{self, FORMATS, FormatSpec, Reader, Style},
    memory::{self, Size},
    watchdog::{self, OverdueAction},
};
use analyzer::{
    Report, allowed_workspaces,
    check::{Selection as EntrySelection, messages},
    escape, guard,
    project::{self, Allowed, CargoSelection, Edition, Features, Input, LoadOptions, Project, Trust},
    report::Message,
    rules::{self, RULES, RuleSpec},
};
use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use output::{print, print_escaped, print_report, say};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    io::IsTerminal as _,
    path::{Path, PathBuf},
    process::ExitCode,
};
/// Finds concurrency bugs in Rust source by interpreting it under many thread schedules.
#[derive(Parser)]
#[command(name = "tsvd-check", args_conflicts_with_subcommands = true)]
struct Cli {
    /// Print the version; with `--verbose`, also the licence notices.
    #[arg(short = 'V', long)]
    version: bool,
    /// Print more.
    #[arg(short, long, requires = "version")]
    verbose: bool,
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    check: check::Check,
}

#[derive(Subcommand)]
enum Command {
    /// Check the programs, tests and public functions of packages or single files (the default command).
    Check(Box<check::Check>),
    /// List every synchronisation site: whether schedules reached it, and if not, why.
    Reach(reach::ReachCommand),
    /// Interpret a program once and end with its exit status.
    Run(run::Run),
    /// Interpret the tests of a package or file: passed, failed or unknown.
    Test(test::TestCommand),
    /// Serve an editor over standard input and output (Language Server Protocol).
    Lsp {
        /// Use standard input and output: the default, and the only transport.
        #[arg(long)]
        stdio: bool,
        /// Memory at which an analysis stops with what was found so far, such as `4GB` [default: three quarters of the
        /// machine's].
        #[arg(long, value_name = "SIZE")]
        memory: Option<Size>,
    },
    /// Show one finding again by replaying its schedule.
    Replay(replay::Replay),
    /// Trust a workspace: use the output of its last build, and run its procedural macros.
    Trust(trust::TrustCommand),
    /// Undo `trust`.
    Untrust {
        /// The workspace: its folder or `Cargo.toml`, or a `rust-project.json`.
        #[arg(default_value = ".", value_name = "PATH")]
        path: PathBuf,
    },
    /// List the rules: name, level, and what each reports.
    Rules,
    /// Explain a rule.
    Explain {
        /// Name of the rule, such as `deadlock`.
        rule: String,
    },
    /// Print a shell's completions.
    Completions(generated::Completions),
    /// Print a manual page.
    Man(generated::ManCommand),
}

#[derive(Args)]
struct Source {
    /// A package's folder, its `Cargo.toml`, a `rust-project.json`, or a `.rs` file that needs only std.
    #[arg(default_value = ".", value_name = "PATH")]
    path: PathBuf,
    #[command(flatten)]
    options: SourceOptions,
}

/// How the source is read.
#[derive(Args, Clone)]
struct SourceOptions {
    /// Edition of a single file.
    #[arg(long, default_value = "2024", value_parser = EDITIONS)]
    edition: String,
    /// Target platform of the package's code, such as `x86_64-pc-windows-msvc`; the standard library stays that of
    /// Linux on x86_64.
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Seed of all random choices [default: 0].
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    features: FeatureOptions,
    #[command(flatten)]
    trust: TrustOptions,
    /// Memory at which exploration stops with what was found so far, such as `4GB` [default: three quarters of the
    /// machine's].
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
    /// Ignore the workspace's `tsvd.toml`.
    #[arg(long)]
    no_config: bool,
}

/// What of a package may be executed. By default nothing is built, and output of the last build is used if the
/// workspace is trusted (`tsvd-check trust`).
#[derive(Args, Clone, Copy, Debug, Default)]
struct TrustOptions {
    /// Let `cargo check` run build scripts and build procedural macros first, with the whole configuration of cargo.
    #[arg(long, conflicts_with = "untrusted")]
    trusted: bool,
    /// Execute nothing of the package and use no build output, even if the workspace is trusted.
    #[arg(long)]
    untrusted: bool,
}

impl TrustOptions {
    fn trust(self) -> Trust {
        match self {
            TrustOptions { trusted: true, .. } => Trust::Trusted,
            TrustOptions { untrusted: true, .. } => Trust::Untrusted,
            _ => {
                let roots = allowed_workspaces::all().unwrap_or_else(|error| {
                    output::note(&format!("the list of trusted workspaces cannot be used: {error}"));
                    BTreeSet::new()
                });
                Trust::IfWorkspaceTrusted(Allowed { roots, ..Allowed::default() })
            }
        }
    }
}

/// Cargo's own options.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
struct FeatureOptions {
    /// Features of the package to enable, separated by commas.
    #[arg(short = 'F', long, value_name = "FEATURES", value_delimiter = ',')]
    features: Vec<String>,
    /// Enable all features of the package.
    #[arg(long)]
    all_features: bool,
    /// Do not enable the package's default feature.
    #[arg(long)]
    no_default_features: bool,
}

impl FeatureOptions {
    fn features(&self) -> Features {
        Features { names: self.features.clone(), all: self.all_features, no_default: self.no_default_features }
    }
}

/// How findings are printed.
#[derive(Args, Clone, Copy)]
struct OutputOptions {
    /// How findings are printed.
    #[arg(long, value_parser = format_parser(), default_value = FORMATS[0].name)]
    format: &'static FormatSpec,
    /// Whether to use colours; by default on terminals, if `NO_COLOR` is not set.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Color {
    /// On terminals.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl OutputOptions {
    fn style(self, possible: bool) -> Style {
        Style { is_styled: self.color.is_styled(), shows_possible: possible, ..Style::default() }
    }
}

impl Color {
    fn is_styled(self) -> bool {
        let is_wanted = || std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
        match self {
            Color::Auto => std::io::stdout().is_terminal() && is_wanted(),
            Color::Always => true,
            Color::Never => false,
        }
    }
}

#[derive(Args, Clone, Debug)]
struct Selection {
    /// Only this package of the workspace.
    #[arg(short, long, value_name = "NAME")]
    package: Option<String>,
    /// Only this program or example.
    #[arg(long, value_name = "NAME")]
    bin: Option<String>,
}

impl Selection {
    /// The same selection for programs and tests.
    fn entries(&self) -> EntrySelection {
        EntrySelection { package: self.package.clone(), bin: self.bin.clone(), ..EntrySelection::default() }
    }
}

/// The names of the formats, with their lines of `--help`.
fn format_parser() -> impl TypedValueParser<Value = &'static FormatSpec> {
    let names = FORMATS.iter().map(|it| PossibleValue::new(it.name).help(it.summary));
    PossibleValuesParser::new(names).map(|name| format::format(&name).expect("it is one of them"))
}

const EDITIONS: [&str; 4] = ["2015", "2018", "2021", "2024"];

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    run_with(std::env::args_os())
}

fn run_with(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    if let Some(of_cargo) = cargo::arguments(&args) {
        return match cargo::Invocation::parse(of_cargo) {
            Ok(invocation) => cargo_tsvd(&invocation),
            Err(error) => misused(&error, &args),
        };
    }
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => return misused(&error, &args),
    };
    if cli.version {
        print(&version(cli.verbose));
        return ExitCode::SUCCESS;
    }
    guard::record_panics();
    watchdog::watch(match cli.command {
        None | Some(Command::Check(_) | Command::Reach(_)) => OverdueAction::Replace,
        Some(Command::Lsp { .. }) => OverdueAction::Remember,
        Some(_) => OverdueAction::End,
    });
    let outcome = guard::unwinding(|| match cli.command {
        Some(Command::Check(check)) => check::check(&check),
        Some(Command::Reach(command)) => reach::reach(&command),
        Some(Command::Run(run)) => run::run(&run),
        Some(Command::Test(command)) => test::test(&command),
        Some(Command::Lsp { stdio: _, memory }) => {
            limit_memory(memory);
            lsp::serve_process(std::io::stdin(), std::io::stdout(), format::RENDERERS)
                .map_err(|error| error.to_string())
        }
        Some(Command::Replay(replay)) => replay::replay(&replay),
        Some(Command::Trust(command)) => trust::trust(&command),
        Some(Command::Untrust { path }) => trust::untrust(&path),
        Some(Command::Rules) => {
            list_rules();
            Ok(0)
        }
        Some(Command::Explain { rule }) => explain(&rule),
        Some(Command::Completions(of)) => {
            generated::completions(&of);
            Ok(0)
        }
        Some(Command::Man(of)) => generated::man(&of),
        None => check::check(&cli.check),
    });
    ended(outcome)
}

/// Tells what is wrong with the arguments, or prints the help that they ask for.
fn misused(error: &clap::Error, args: &[OsString]) -> ExitCode {
    if args.iter().any(|arg| arg.to_string_lossy().contains(escape::is_hidden)) {
        say(error.render().to_string().trim_end());
    } else {
        // If the terminal is gone, nothing else can be done.
        let _ = error.print();
    }
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

/// Runs cargo, then checks. The status is cargo's if it failed.
fn cargo_tsvd(invocation: &cargo::Invocation) -> ExitCode {
    let outcome = match watchdog::after_cargo(|| invocation.run_cargo()) {
        Ok(outcome) => outcome,
        Err(message) => return ended(Ok(Err(message))),
    };
    guard::record_panics();
    watchdog::watch(OverdueAction::Replace);
    let own = ended(guard::unwinding(|| check::check(&invocation.check)));
    outcome.last_line.iter().for_each(|line| print(line));
    if outcome.status == 0 { own } else { ExitCode::from(outcome.status) }
}

/// The exit status, and an error if there is one.
fn ended(outcome: Result<Result<u8, String>, guard::Payload>) -> ExitCode {
    match outcome {
        Ok(Ok(status)) => ExitCode::from(status),
        Ok(Err(message)) => {
            say(&format!("error: {message}"));
            ExitCode::from(2)
        }
        Err(_) => {
            say(&format!("error: {}; nothing was analysed after this point", guard::internal_failure()));
            ExitCode::from(101)
        }
    }
}

/// An edition by its year; the newest one if it is unknown.
pub fn edition(year: &str) -> Edition {
    year.parse().unwrap_or(Edition::Edition2024)
}

/// Starts to watch the memory.
fn limit_memory(limit: Option<Size>) {
    if !memory::watch(limit) && limit.is_some() {
        say("note: `--memory` has no effect: the memory use of this process cannot be read");
    }
}

fn load(path: &Path, options: &SourceOptions, tests: bool) -> Result<Project, String> {
    load_selected(path, options, CargoSelection::default(), tests, true)
}

fn load_selected(
    path: &Path,
    options: &SourceOptions,
    selection: CargoSelection,
    tests: bool,
    keeps_scripts: bool,
) -> Result<Project, String> {
    limit_memory(options.memory);
    let input = Input::from_path(path);
    let features = options.features.features();
    if matches!(input, Input::File(_)) && features != Features::default() {
        return Err(format!("{} is a file without a package: it has no features", escape::path(path)));
    }
    let (edition, trust, target) = (edition(&options.edition), options.trust.trust(), options.target.clone());
    let ignores_config = options.no_config;
    let (from, announce) = (None, Some(say as fn(&str)));
    let options = LoadOptions {
        edition,
        tests,
        features,
        selection,
        trust,
        target,
        from,
        ignores_config,
        keeps_scripts,
        announce,
    };
    let mut project = project::load(&input, &options).map_err(|error| error.to_string())?;
    project.prime_caches();
    Ok(project)
}

/// Prints a report's findings to standard output.
fn show(report: &Report, output: OutputOptions, style: &Style) {
    let text = (output.format.render)(report, style);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    match output.format.reader {
        _ if text.is_empty() => {}
        Reader::Person => print_report(text),
        Reader::Tool => print_escaped(text),
    }
}

/// Prints messages to standard error.
fn say_all(messages: impl IntoIterator<Item = Message>) {
    messages.into_iter().for_each(|message| say(&message.to_string()));
}

/// Runs `f` on a project. A panic that is not caught inside becomes an error and does not end the process.
fn analysed<R: Send>(project: &Project, f: impl FnOnce(&Project) -> Result<R, String> + Send) -> Result<R, String> {
    guard::take_failures();
    let result = guard::unwinding(|| project.with_db(f)).unwrap_or_else(|_| Err(guard::internal_failure()));
    say_all(messages::failures());
    result
}

fn version(verbose: bool) -> String {
    let version = format!("tsvd-check {}", env!("CARGO_PKG_VERSION"));
    if verbose { format!("{version}\n\n{}", include_str!("notice.txt").trim_end()) } else { version }
}

fn list_rules() {
    let width = RULES.iter().map(|it| it.name.len()).max().unwrap_or_default();
    for RuleSpec { name, level, summary, .. } in RULES {
        print(&format!("{name:width$}  {:7}  {summary}", level.name()));
    }
}

fn explain(rule: &str) -> Result<u8, String> {
    match rules::rule(rule) {
        Some(found) => {
            print(found.page.trim_end());
            Ok(0)
        }
        None => {
            let names: Vec<_> = RULES.iter().map(|it| it.name).collect();
            Err(format!("unknown rule `{rule}`; the rules are {}", names.join(", ")))
        }
    }
}
