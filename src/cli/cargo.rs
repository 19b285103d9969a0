//! `cargo tsvd`: runs `cargo check` with the same options, then interprets what it selects.
//!
//! `cargo-tsvd` starts `tsvd-check cargo-tsvd`. Cargo has ended before anything is interpreted, so its lock on the target
//! folder is free. What may be executed for the interpretation depends on trust alone, as for `check`.

use super::{Color, FeatureOptions, check::Check};
use crate::{
    format::{self, FormatSpec},
    watchdog::CargoResult,
};
use analyzer::{
    escape,
    project::{BuildPlace, CargoSelection, PackageSelection, TargetNames, TargetSelection},
};
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, ValueEnum, parser::ValueSource};
use std::{
    ffi::{OsStr, OsString},
    io::{self, BufRead as _, BufReader, Read, Write as _},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
};

/// The name under which the program beside this one starts it.
pub(super) const COMMAND: &str = "cargo-tsvd";
/// Maximum size of a piece of cargo's output that is passed on, in bytes.
const PIECE: u64 = 64 << 10;
/// How cargo's last line begins. A tool may read no further.
const BUILD_FINISHED: &[u8] = br#"{"reason":"build-finished""#;

/// Runs `cargo check`, then interprets the selected programs, tests and public functions.
///
/// The options are those of `cargo check`. Options of `tsvd-check check` follow after `--`.
#[derive(Parser)]
#[command(name = "cargo-tsvd", bin_name = "cargo tsvd", version)]
pub(super) struct CargoTsvd {
    /// What runs before the interpretation.
    #[arg(long, value_enum, default_value_t = Pass::Check)]
    pass: Pass,
    /// Only this package; can be given several times.
    #[arg(short, long, value_name = "SPEC")]
    package: Vec<String>,
    /// All packages of the workspace.
    #[arg(long, alias = "all")]
    workspace: bool,
    /// Leave out this package; can be given several times.
    #[arg(long, value_name = "SPEC", requires = "workspace")]
    exclude: Vec<String>,
    /// The library.
    #[arg(long)]
    lib: bool,
    /// All programs.
    #[arg(long)]
    bins: bool,
    /// This program; can be given several times.
    #[arg(long, value_name = "NAME")]
    bin: Vec<String>,
    /// All examples.
    #[arg(long)]
    examples: bool,
    /// This example; can be given several times.
    #[arg(long, value_name = "NAME")]
    example: Vec<String>,
    /// All tests.
    #[arg(long)]
    tests: bool,
    /// The tests of this file in `tests/`; can be given several times.
    #[arg(long, value_name = "NAME")]
    test: Vec<String>,
    /// All benchmarks.
    #[arg(long)]
    benches: bool,
    /// This benchmark; can be given several times.
    #[arg(long, value_name = "NAME")]
    bench: Vec<String>,
    /// All targets.
    #[arg(long)]
    all_targets: bool,
    /// Features to enable, separated by commas or blanks.
    #[arg(short = 'F', long, value_name = "FEATURES")]
    features: Vec<String>,
    /// Enable all features.
    #[arg(long)]
    all_features: bool,
    /// Do not enable the default feature.
    #[arg(long)]
    no_default_features: bool,
    /// Target platform.
    #[arg(long, value_name = "TRIPLE")]
    target: Vec<String>,
    /// The package's `Cargo.toml`.
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// How findings are printed: `human`, `short`, or `json` and its variants, for Cargo's JSON messages.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',')]
    message_format: Vec<String>,
    /// Whether to use colours.
    #[arg(long, value_enum, value_name = "WHEN")]
    color: Option<Color>,
    #[command(flatten)]
    of_cargo: CargoOptions,
    /// Options of `tsvd-check check`.
    #[arg(last = true, value_name = "OPTION")]
    check: Vec<OsString>,
}

/// Options that only cargo needs.
#[derive(clap::Args)]
#[command(next_help_heading = "Options for cargo alone")]
struct CargoOptions {
    /// Build in release mode, with optimisations.
    #[arg(short, long)]
    release: bool,
    /// Build with this profile.
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Number of parallel jobs.
    #[arg(short, long, value_name = "N", allow_negative_numbers = true)]
    jobs: Option<String>,
    /// Do not stop at the first error.
    #[arg(long)]
    keep_going: bool,
    /// Folder for the build output.
    #[arg(long, value_name = "FOLDER")]
    target_dir: Option<PathBuf>,
    /// Run without accessing the network.
    #[arg(long)]
    offline: bool,
    /// Require that `Cargo.lock` does not change.
    #[arg(long)]
    locked: bool,
    /// The same as `--locked` with `--offline`.
    #[arg(long)]
    frozen: bool,
    /// Override a value of the configuration.
    #[arg(long, value_name = "KEY=VALUE|PATH")]
    config: Vec<OsString>,
    /// An unstable flag of a nightly cargo.
    #[arg(short = 'Z', value_name = "FLAG")]
    unstable: Vec<String>,
    /// Ignore the `rust-version` of packages.
    #[arg(long)]
    ignore_rust_version: bool,
    /// Report what future versions of Rust will reject.
    #[arg(long)]
    future_incompat_report: bool,
    /// Write a report about the build's time.
    #[arg(long)]
    timings: bool,
    /// Print no log messages of cargo.
    #[arg(short, long)]
    quiet: bool,
    /// Print more of what cargo does.
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
}

/// What cargo runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Pass {
    /// `cargo check`.
    Check,
    /// `cargo clippy`.
    Clippy,
}

impl Pass {
    fn command(self) -> &'static str {
        match self {
            Pass::Check => "check",
            Pass::Clippy => "clippy",
        }
    }
}

/// A parser of the options after `--`.
#[derive(Parser)]
#[command(name = "cargo tsvd [OPTIONS] --", no_binary_name = true)]
struct TrailingOptions {
    #[command(flatten)]
    check: Check,
}

/// The invocation: what cargo gets, and what is interpreted.
pub(super) struct Invocation {
    pass: Pass,
    cargo: Vec<OsString>,
    is_json: bool,
    pub(super) check: Check,
}

impl Invocation {
    /// Parses the arguments after [`COMMAND`].
    pub(super) fn parse(args: &[OsString]) -> Result<Invocation, clap::Error> {
        let name = OsString::from("cargo tsvd");
        let options = CargoTsvd::try_parse_from(std::iter::once(&name).chain(args))?;
        let matches = TrailingOptions::command().try_get_matches_from(&options.check)?;
        let TrailingOptions { mut check } = TrailingOptions::from_arg_matches(&matches)?;
        let wrong = |message: String| CargoTsvd::command().error(clap::error::ErrorKind::ValueValidation, message);
        if is_given(&matches, "paths") {
            return Err(wrong("cargo's options select what is checked: a path after `--` is not allowed".to_owned()));
        }
        let selection = options.selection().map_err(wrong)?;
        let runs_tests = selection
            .targets
            .as_ref()
            .is_none_or(|it| it.unit_tests || it.tests != TargetNames::None || it.benches != TargetNames::None);
        let path = options.manifest_path.clone().unwrap_or_else(|| PathBuf::from("."));
        check.select(path, selection, !runs_tests, options.feature_options(), options.targets());
        let (format, color) = options.output().map_err(wrong)?;
        check
            .show_as((!is_given(&matches, "format")).then_some(format), color.filter(|_| !is_given(&matches, "color")));
        Ok(Invocation { pass: options.pass, cargo: of_cargo(args), is_json: options.is_json(), check })
    }

    /// Runs cargo, and passes its output on.
    pub(super) fn run_cargo(&self) -> Result<CargoResult, String> {
        // The one that was called, if it is cargo that calls.
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let failed = |error: io::Error| {
            format!("cannot run `{} {}`: {error}", escape::path(Path::new(&cargo)), self.pass.command())
        };
        let mut command = Command::new(&cargo);
        command.arg(self.pass.command()).args(&self.cargo).stdin(Stdio::null());
        if self.is_json {
            command.stdout(Stdio::piped());
        }
        let mut child = command.spawn().map_err(failed)?;
        let last_line = match child.stdout.take() {
            Some(output) => passed_on(output).map_err(failed)?,
            None => None,
        };
        Ok(CargoResult { status: status(child.wait().map_err(failed)?), last_line })
    }
}

/// Whether the user gave an argument.
fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

impl CargoTsvd {
    fn is_json(&self) -> bool {
        self.message_format.iter().any(|it| it.starts_with("json"))
    }

    fn output(&self) -> Result<(&'static FormatSpec, Option<Color>), String> {
        let has = |name: &str| self.message_format.iter().any(|it| it == name);
        let name = match () {
            () if self.is_json() => "cargo-json",
            () if has("short") => "short",
            () => "full",
        };
        let format = format::format(name).ok_or_else(|| format!("unknown format `{name}`"))?;
        let is_styled = has("json-diagnostic-rendered-ansi");
        Ok((format, if is_styled { Some(Color::Always) } else { self.color }))
    }

    fn feature_options(&self) -> FeatureOptions {
        let names = self.features.iter().flat_map(|it| it.split([',', ' '])).filter(|it| !it.is_empty());
        FeatureOptions {
            features: names.map(str::to_owned).collect(),
            all_features: self.all_features,
            no_default_features: self.no_default_features,
        }
    }

    fn selection(&self) -> Result<CargoSelection, String> {
        let names = |specs: &[String]| specs.iter().map(|it| package_name(it)).collect::<Result<Vec<_>, _>>();
        let packages = match () {
            () if self.workspace => PackageSelection::Workspace { exclude: names(&self.exclude)? },
            () if !self.package.is_empty() => PackageSelection::Named(names(&self.package)?),
            () => PackageSelection::Defaults,
        };
        let some = |all: bool, names: &[String]| match (all || self.all_targets, names) {
            (true, _) => TargetNames::All,
            (false, []) => TargetNames::None,
            (false, names) => TargetNames::Named(names.to_vec()),
        };
        let targets = TargetSelection {
            lib: self.lib || self.all_targets,
            bins: some(self.bins, &self.bin),
            examples: some(self.examples, &self.example),
            tests: some(self.tests, &self.test),
            benches: some(self.benches, &self.bench),
            unit_tests: self.tests || self.all_targets,
        };
        // What `cargo check` does without any of them.
        let usual = TargetSelection { lib: true, bins: TargetNames::All, ..TargetSelection::default() };
        let targets = if targets == TargetSelection::default() { usual } else { targets };
        let targets = (!self.all_targets).then_some(targets);
        Ok(CargoSelection { packages, targets, built: self.built() })
    }

    /// The platforms, each once.
    fn targets(&self) -> Vec<String> {
        let mut targets: Vec<String> = Vec::new();
        for target in &self.target {
            if !targets.contains(target) {
                targets.push(target.clone());
            }
        }
        targets
    }

    /// Where cargo builds.
    fn built(&self) -> BuildPlace {
        let profile = match self.of_cargo.profile.as_deref() {
            None if self.of_cargo.release => Some("release"),
            None | Some("dev" | "test") => None,
            Some("bench") => Some("release"),
            Some(name) => Some(name),
        };
        BuildPlace { folder: self.of_cargo.target_dir.clone(), profile: profile.map(str::to_owned) }
    }
}

/// The name, or pattern of names, in a package id specification: `name`, `name@1.0.0`, `path+file:///folder/name#1.0.0`,
/// `path+file:///folder#name@1.0.0`.
fn package_name(spec: &str) -> Result<String, String> {
    let named = |text: &str| text.split(['@', ':']).next().unwrap_or_default().to_owned();
    let name = match spec.split_once("://") {
        None => named(spec),
        Some((_, rest)) => {
            let (url, fragment) = rest.split_once('#').unwrap_or((rest, ""));
            let is_version = |it: &str| it.is_empty() || it.starts_with(|it: char| it.is_ascii_digit());
            match fragment {
                version if is_version(version) => {
                    let path = url.split('?').next().unwrap_or_default().trim_end_matches('/');
                    path.rsplit('/').next().unwrap_or_default().to_owned()
                }
                fragment => named(fragment),
            }
        }
    };
    if name.is_empty() { Err(format!("`{spec}` names no package")) } else { Ok(name) }
}

/// The arguments that cargo gets.
fn of_cargo(args: &[OsString]) -> Vec<OsString> {
    let mut given = args.iter().take_while(|it| *it != "--");
    let mut passed = Vec::new();
    while let Some(arg) = given.next() {
        if arg == "--pass" {
            given.next();
        } else if !arg.to_str().is_some_and(|it| it.starts_with("--pass=")) {
            passed.push(arg.clone());
        }
    }
    passed
}

/// Writes cargo's lines to standard output as they come, except its last one, which is returned: it says that there are no
/// more messages.
fn passed_on(output: impl Read) -> io::Result<Option<String>> {
    let mut output = BufReader::new(output);
    let (mut piece, mut is_at_start, mut last) = (Vec::new(), true, None);
    while output.by_ref().take(PIECE).read_until(b'\n', &mut piece)? > 0 {
        let is_line = is_at_start && piece.ends_with(b"\n");
        is_at_start = piece.ends_with(b"\n");
        if is_line && piece.starts_with(BUILD_FINISHED) {
            last = Some(String::from_utf8_lossy(&piece).trim_end().to_owned());
        } else {
            // A reader that is gone is not our failure.
            let _ = io::stdout().write_all(&piece);
        }
        piece.clear();
    }
    Ok(last)
}

/// The status of a process as a shell gives it.
fn status(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| signal(status).map(|it| 128 + it));
    code.and_then(|it| u8::try_from(it).ok()).unwrap_or(101)
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// The arguments after [`COMMAND`], if the program was started with it.
pub(super) fn arguments(args: &[OsString]) -> Option<&[OsString]> {
    args.get(1).filter(|it| it.as_os_str() == OsStr::new(COMMAND)).and_then(|_| args.get(2..))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_by_specification() {
        for (spec, name) in [
            ("a", "a"),
            ("a*", "a*"),
            ("a-b@1.2.3", "a-b"),
            ("a:1.2.3", "a"),
            ("path+file:///x/y/a#0.1.0", "a"),
            ("path+file:///x/y#a@0.1.0", "a"),
            ("path+file:///x/y#a", "a"),
            ("file:///x/a/", "a"),
            ("git+https://host/a?branch=b#0.1.0", "a"),
        ] {
            assert_eq!(package_name(spec).as_deref(), Ok(name), "{spec}");
        }
        assert!(package_name("").is_err());
    }

    #[test]
    fn cargo_gets_its_own_options() {
        let args = ["--pass", "clippy", "-p", "a", "--pass=check", "--", "--possible"].map(OsString::from);
        assert_eq!(of_cargo(&args), ["-p", "a"]);
    }

    #[test]
    fn the_options_of_rust_analyzer_are_understood() {
        let parsed = |text: &str| {
            let args: Vec<OsString> = text.split(' ').map(OsString::from).collect();
            let name = OsString::from("cargo tsvd");
            CargoTsvd::try_parse_from(std::iter::once(&name).chain(&args)).map(|it| it.selection().unwrap())
        };
        let all = "--workspace --message-format=json --manifest-path /p/Cargo.toml --keep-going --all-targets";
        let all = parsed(all).unwrap();
        assert_eq!(all.packages, PackageSelection::Workspace { exclude: Vec::new() });
        assert_eq!(all.targets, None);
        let one = "-p path+file:///p#0.1.0 --bin proj --message-format=json-diagnostic-rendered-ansi -j -1 -vv";
        let one = parsed(one).unwrap();
        assert_eq!(one.packages, PackageSelection::Named(vec!["p".to_owned()]));
        let bins = TargetNames::Named(vec!["proj".to_owned()]);
        assert_eq!(one.targets, Some(TargetSelection { bins, ..TargetSelection::default() }));
        let usual = parsed("--release").unwrap().targets.unwrap();
        assert_eq!((usual.lib, usual.bins, usual.unit_tests), (true, TargetNames::All, false));
        assert!(parsed("--binn x").is_err());
    }
}
