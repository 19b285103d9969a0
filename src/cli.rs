//! The command line.
//!
//! Exit status: 0 nothing found, 1 findings, 2 wrong usage or nothing could be loaded, 101 internal error. `run` ends with
//! the program's own status.

mod check;
mod failures;
pub(crate) mod output;
mod progress;
mod replay;
mod run;
mod test;
mod trust;

use crate::{
    format::{self, full::Context},
    memory::{self, Size},
    watchdog::{self, WhenOverdue},
};
use analyzer::{
    allowed_workspaces, budget,
    diagnostic::Diagnostic,
    escape, guard,
    project::{
        self, Allowed, Edition, EntryPoint, Features, HOST, Input, LoadOptions, MissingArtefact, MissingArtefactReason,
        MissingReason, Project, Trust, UnusedKeys,
    },
    rules::{self, RULES, RuleSpec},
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use output::{print, print_escaped, say};
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
    /// Print the version; with `--verbose` also the licences of what the program contains.
    #[arg(short = 'V', long)]
    version: bool,
    /// Say more.
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
    Check(check::Check),
    /// Interpret a program once and end with its exit status.
    Run(run::Run),
    /// Judge the tests of a package or file by interpreting them: those of a published crate pass.
    Test(test::TestCommand),
    /// Serve an editor over standard input and output (Language Server Protocol).
    Lsp {
        /// What many editors say: there is no other way.
        #[arg(long)]
        stdio: bool,
        /// Memory at which an analysis ends with what was found so far, such as `4GB` [default: three quarters of the machine's].
        #[arg(long, value_name = "SIZE")]
        memory: Option<Size>,
    },
    /// Show one finding again from its schedule alone.
    Replay(replay::Replay),
    /// Allow a workspace: what its last build left is used from now on, and its macro libraries run.
    Trust(trust::TrustCommand),
    /// Take that back.
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
}

#[derive(Args)]
struct Source {
    /// A package's folder, its `Cargo.toml`, a `rust-project.json`, or a `.rs` file that needs std only.
    #[arg(default_value = ".", value_name = "PATH")]
    path: PathBuf,
    #[command(flatten)]
    options: SourceOptions,
}

/// How the source is looked at.
#[derive(Args)]
struct SourceOptions {
    /// Edition of a single file.
    #[arg(long, default_value = "2024", value_parser = EDITIONS)]
    edition: String,
    /// Platform that the package's code is seen for, such as `x86_64-pc-windows-msvc`; the standard library stays that of
    /// Linux on x86_64.
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Seed of everything that is left to chance.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    features: FeatureOptions,
    #[command(flatten)]
    trust: TrustOptions,
    /// Memory at which exploration ends with what was found so far, such as `4GB` [default: three quarters of the machine's].
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
}

/// What of a package may run. Without an option nothing is built, and what the last build left is used if the workspace is allowed
/// (`tsvd-check trust`).
#[derive(Args, Clone, Copy, Debug, Default)]
struct TrustOptions {
    /// Let `cargo check` run build scripts and build procedural macros first, with all that cargo's configuration says.
    #[arg(long, conflicts_with = "untrusted")]
    trusted: bool,
    /// Run nothing of the package's, and use nothing that a build left, also if the workspace is allowed.
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
                    output::note(&format!("the list of allowed workspaces cannot be used: {error}"));
                    BTreeSet::new()
                });
                Trust::IfAllowed(Allowed { roots, ..Allowed::default() })
            }
        }
    }
}

/// Cargo's own options.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
struct FeatureOptions {
    /// Features of the package to switch on, with commas between them.
    #[arg(short = 'F', long, value_name = "FEATURES", value_delimiter = ',')]
    features: Vec<String>,
    /// Switch all features of the package on.
    #[arg(long)]
    all_features: bool,
    /// Leave the package's default feature off.
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
    #[arg(long, value_enum, default_value_t = Format::Full)]
    format: Format,
    /// Whether to use colours; by default on terminals, if `NO_COLOR` is not set.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,
}

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    /// On terminals.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
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

#[derive(Args, Debug)]
struct Selection {
    /// Programs of one package of a workspace.
    #[arg(short, long, value_name = "NAME")]
    package: Option<String>,
    /// One program by its name, also an example.
    #[arg(long, value_name = "NAME")]
    bin: Option<String>,
}

impl Selection {
    fn is_everything(&self) -> bool {
        self.package.is_none() && self.bin.is_none()
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// The source, how it happens, why, and what to do.
    Full,
    /// One line a finding.
    Short,
}

const EDITIONS: [&str; 4] = ["2015", "2018", "2021", "2024"];
const NO_MAIN: &str = "there is no program with a `main` here";

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    run_with(std::env::args_os())
}

fn run_with(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => {
            if args.iter().any(|arg| arg.to_string_lossy().contains(escape::is_hidden)) {
                say(error.render().to_string().trim_end());
            } else {
                // Nothing is left to be done when the terminal is gone.
                let _ = error.print();
            }
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    if cli.version {
        print(&version(cli.verbose));
        return ExitCode::SUCCESS;
    }
    guard::record_panics();
    watchdog::watch(match cli.command {
        None | Some(Command::Check(_)) => WhenOverdue::Replace,
        Some(Command::Lsp { .. }) => WhenOverdue::Remember,
        Some(_) => WhenOverdue::End,
    });
    let outcome = guard::unwinding(|| match cli.command {
        Some(Command::Check(check)) => check::check(&check),
        Some(Command::Run(run)) => run::run(&run),
        Some(Command::Test(command)) => test::test(&command),
        Some(Command::Lsp { stdio: _, memory }) => {
            limit_memory(memory);
            lsp::serve_process(std::io::stdin(), std::io::stdout()).map_err(|error| error.to_string())
        }
        Some(Command::Replay(replay)) => replay::replay(&replay),
        Some(Command::Trust(command)) => trust::trust(&command),
        Some(Command::Untrust { path }) => trust::untrust(&path),
        Some(Command::Rules) => {
            list_rules();
            Ok(0)
        }
        Some(Command::Explain { rule }) => explain(&rule),
        None => check::check(&cli.check),
    });
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

/// An edition by its year; the newest one if it is not known.
pub fn edition(year: &str) -> Edition {
    year.parse().unwrap_or(Edition::Edition2024)
}

/// Watches the memory from now on.
fn limit_memory(limit: Option<Size>) {
    if !memory::watch(limit) && limit.is_some() {
        say("note: memory is not limited: how much this process has cannot be read here");
    }
}

fn load(path: &Path, options: &SourceOptions, tests: bool) -> Result<Project, String> {
    limit_memory(options.memory);
    let input = Input::from_path(path);
    let features = options.features.features();
    if matches!(input, Input::File(_)) && features != Features::default() {
        return Err(format!("{} is a file without a package: it has no features", path.display()));
    }
    let (edition, trust, target) = (edition(&options.edition), options.trust.trust(), options.target.clone());
    let options = LoadOptions { edition, tests, features, trust, target, from: None, announce: Some(say) };
    let mut project = project::load(&input, &options).map_err(|error| error.to_string())?;
    project.prime_caches();
    Ok(project)
}

/// Prints a finding.
fn show(project: &Project, diagnostic: &Diagnostic, output: OutputOptions) {
    match output.format {
        Format::Full => {
            let is_styled = output.color.is_styled();
            let context = Context { text: &|path| project.text_of(path), is_styled };
            let report = format::full::report(diagnostic, &context) + "\n";
            if is_styled { print_escaped(&escape::styled(&report)) } else { print(&report) }
        }
        Format::Short => print(&format::short::line(diagnostic)),
    }
}

/// The programs that are selected; all of them without a selection.
fn chosen(project: &Project, binaries: Vec<EntryPoint>, selection: &Selection) -> Result<Vec<EntryPoint>, String> {
    let mut chosen = binaries;
    if let Some(name) = &selection.package {
        let packages = in_order(chosen.iter().filter_map(|it| it.package.clone()));
        chosen.retain(|it| it.package.as_ref() == Some(name));
        if chosen.is_empty() {
            return Err(format!("there is no package `{name}` with a program; {}", there_are(&packages)));
        }
    }
    if let Some(name) = &selection.bin {
        let known = names(&chosen);
        chosen.retain(|it| it.name == *name);
        if chosen.is_empty() {
            if let Some((_, features)) = project.switched_off().iter().find(|(it, _)| it == name) {
                return Err(format!("`{name}` needs features that are off: `--features {}`", features.join(",")));
            }
            return Err(format!("there is no program `{name}`; {}", there_are(&known)));
        }
        if chosen.len() > 1 {
            return Err(format!("several programs `{name}`: choose one with {}", choices(&chosen)));
        }
    }
    Ok(chosen)
}

fn there_are(known: &str) -> String {
    match known {
        "" => NO_MAIN.to_owned(),
        one if !one.contains(',') => format!("there is {one}"),
        several => format!("there are {several}"),
    }
}

/// How to choose one of several programs: by their names, or by packages if they share a name.
fn choices(binaries: &[EntryPoint]) -> String {
    match names(binaries) {
        names if names.contains(',') => format!("`--bin` ({names})"),
        _ => format!("`--package` ({})", in_order(binaries.iter().filter_map(|it| it.package.clone()))),
    }
}

fn names(binaries: &[EntryPoint]) -> String {
    in_order(binaries.iter().map(|it| it.name.clone()))
}

/// Each once, as it comes.
fn in_order(names: impl Iterator<Item = String>) -> String {
    let mut known: Vec<String> = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known.join(", ")
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
            Err(format!("there is no rule `{rule}`; there are {}", names.join(", ")))
        }
    }
}

/// Whether there were any; says also what rust-analyzer panicked on.
fn say_syntax_errors(project: &Project) -> bool {
    for broken in project.broken() {
        let place = broken.place().map_or_else(String::new, |it| format!("{}: ", format::place(it)));
        say(&format!("{place}{broken}"));
    }
    let errors = project.syntax_errors();
    for error in &errors {
        say(&format!("{}: {}", format::place(&error.place), error.message));
    }
    !errors.is_empty()
}

/// Programs that rustc would refuse to start.
fn say_no_programs(project: &Project) {
    for (name, why) in project.no_programs() {
        say(&format!("{name}: not analysed: {why}"));
    }
}

/// Platforms that are not std's, and dependencies that are not there.
fn say_left_out(project: &Project) {
    for triple in project.other_platforms() {
        say(&format!(
            "for `{triple}`: the code here and what it depends on; the standard library stays that of `{HOST}`, and what \
             that one lacks is not understood"
        ));
    }
    let (absent, others): (Vec<_>, Vec<_>) =
        project.left_out().iter().partition(|it| it.why == MissingReason::NotDownloaded);
    if !absent.is_empty() {
        let names: Vec<_> = absent.iter().map(ToString::to_string).collect();
        say(&format!("left out, not downloaded: {}; `cargo fetch` gets what is missing", names.join(", ")));
    }
    for other in others {
        say(&format!("left out: {other}"));
    }
    for UnusedKeys { file, keys } in project.unused_configuration() {
        let file = from_here(file);
        let keys: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
        say(&format!("not used of {}: {}", file.display(), keys.join(", ")));
    }
    let refused = project.refused_files();
    for (path, why) in refused.iter().take(MAX_REFUSED) {
        say(&format!("not read: {path}: {why}"));
    }
    if refused.len() > MAX_REFUSED {
        say(&format!("not read: {} more files and folders", refused.len() - MAX_REFUSED));
    }
    let macros: Vec<_> =
        project.loaded_macros().iter().map(|it| format!("`{}` ({})", it.package, it.library.display())).collect();
    if !macros.is_empty() {
        say(&format!("macro libraries loaded: {}", macros.join(", ")));
    }
    say_unbuilt(project.unbuilt());
    say_unknown(project);
}

/// How many files that were not read are told of.
const MAX_REFUSED: usize = 5;

/// A path as a person in the current folder would write it.
fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    match here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf)) {
        Some(below) if below.as_os_str().is_empty() => ".".into(),
        Some(below) => below,
        None => path.to_path_buf(),
    }
}

/// How many macros that are not expanded are told of.
const MAX_MACROS: usize = 5;

/// What of the user's own sources is not what a build makes of it.
fn say_unknown(project: &Project) {
    let cfgs = project.unknown_cfgs();
    for group in cfgs.chunk_by(|one, other| one.package == other.package) {
        let names: Vec<_> = group.iter().map(|it| format!("`{}` ({})", it.name, format::place(&it.place))).collect();
        let (package, names) = (&group[0].package, names.join(", "));
        say(&format!("unknown, taken as not set: cfgs that the build script of `{package}` may set: {names}"));
    }
    let macros = project.unexpanded();
    for it in macros.iter().take(MAX_MACROS) {
        let others = match it.places.len() - 1 {
            0 => String::new(),
            1 => " and 1 more place".to_owned(),
            n => format!(" and {n} more places"),
        };
        let why = it.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        say(&format!("not expanded: `{}` ({}{others}){why}", it.name, format::place(&it.places[0])));
    }
    if macros.len() > MAX_MACROS {
        say(&format!("not expanded: {} more macros", macros.len() - MAX_MACROS));
    }
}

/// What was stopped at a budget of the analysis. Whether memory was one of them, which may be otherwise the next time.
fn say_stopped(project: &Project) -> bool {
    for (stop, places) in project.take_stopped() {
        let more = match places.len() {
            0 | 1 => String::new(),
            n => format!(" and {} more places", n - 1),
        };
        let place = places.first().map(|place| format!(": {}", format::place(place))).unwrap_or_default();
        say(&format!("stopped, and not understood: {stop}{place}{more}"));
    }
    let is_out = budget::take_out_of_memory();
    if is_out && let Some(limit) = memory::limit() {
        say(&format!("memory is over its limit of {limit} (`--memory`): what follows was not explored"));
    }
    is_out
}

/// What builds make that is not there, or old: a line for each reason.
fn say_unbuilt(unbuilt: &[MissingArtefact]) {
    for group in unbuilt.chunk_by(|one, other| one.why == other.why) {
        let mut parts: Vec<String> = Vec::new();
        for same in group.chunk_by(|one, other| one.what == other.what) {
            let names: Vec<_> = same.iter().map(|it| format!("`{}`", it.package)).collect();
            parts.push(format!("{} of {}", same[0].what, names.join(", ")));
        }
        let what = parts.join("; ");
        say(&match &group[0].why {
            MissingArtefactReason::Untrusted => format!("not used (`--untrusted`): {what}"),
            MissingArtefactReason::NotAllowed(root) => {
                let root = trust::quoted(&from_here(root));
                format!("not used, this workspace is not allowed: {what}; `tsvd-check trust {root}` allows it")
            }
            MissingArtefactReason::NotBuilt => {
                format!("not built: {what}; `cargo check` or `--trusted` makes what is missing")
            }
            MissingArtefactReason::Older(file) => {
                format!("used, but older than {file}: {what}; `cargo check` or `--trusted` makes it anew")
            }
            MissingArtefactReason::Unusable(says) => format!("not usable: {what}: {says}"),
        });
    }
}
