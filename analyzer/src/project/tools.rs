//! How cargo and rustc are run.
//!
//! Both look for files around the current folder: cargo for its configuration, which may name programs, rustup for the
//! toolchain, which may be a path. So they run in the uppermost folder, get the data in these files explicitly
//! ([`Configuration`], the name of the toolchain), and write nothing into the project. Only a trusted build runs in the
//! user's folder.

use super::{
    LoadError, LoadOptions, OwnFolders, UnusedKeys,
    configuration::Configuration,
    preflight,
    read::{self, MAX_MANIFEST},
};
use crate::{escape, user_files::TemporaryFolder};
use cargo_metadata::{Metadata, MetadataCommand, semver::Version};
use std::{
    env,
    ffi::OsString,
    io::{Error, ErrorKind, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

/// Time limit of cargo and rustc, which answer within a second. A time-out is an error.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// Maximum size of a program's own memory, in bytes; mapped files do not count.
#[cfg(target_os = "linux")]
const MAX_MEMORY: u64 = 2 << 30;

/// How cargo and rustc are run.
#[derive(Debug, Clone)]
pub(super) struct Tools {
    /// The folder whose configuration counts: the current one, or the package's.
    pub(super) from: PathBuf,
    pub(super) configuration: Configuration,
    /// The name of the toolchain that the folder asks for.
    toolchain: Option<String>,
    /// The whole configuration counts: a trusted build.
    is_trusted: bool,
}

impl Tools {
    /// Reads the configuration around the folder of `options`; runs nothing.
    ///
    /// # Errors
    ///
    /// If a configuration file cannot be used.
    pub(super) fn new(options: &LoadOptions) -> Result<Tools, LoadError> {
        let from = from(options);
        let mut configuration = Configuration::around(&from, cargo_home().as_deref())?;
        let toolchain = toolchain(&from, &mut configuration);
        configuration.unused.sort();
        Ok(Tools { from, configuration, toolchain, is_trusted: false })
    }

    /// Only rustc, for single files and `rust-project.json`: cargo's configuration is ignored.
    pub(super) fn without_cargo(options: &LoadOptions) -> Tools {
        let from = from(options);
        let mut configuration = Configuration::default();
        let toolchain = toolchain(&from, &mut configuration);
        Tools { from, configuration, toolchain, is_trusted: false }
    }

    /// The same, with the toolchain of another folder.
    pub(super) fn building_in(&self, folder: &Path) -> Tools {
        let mut configuration = self.configuration.clone();
        let toolchain = toolchain(folder, &mut configuration);
        configuration.unused.sort();
        configuration.unused.dedup();
        Tools { toolchain, configuration, ..self.clone() }
    }

    /// Whether the whole configuration counts.
    pub(super) fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// The same, run in the user's folder with the whole configuration.
    pub(super) fn trusted(&self) -> Tools {
        Tools { is_trusted: true, ..self.clone() }
    }

    /// A command that runs rustc.
    pub(super) fn rustc(&self) -> Command {
        self.command(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
    }

    /// A command that runs cargo.
    pub(super) fn cargo(&self) -> Command {
        let mut command = self.command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        if !self.is_trusted {
            // The cache would be in the target folder.
            command.env("CARGO_CACHE_RUSTC_INFO", "0");
        }
        command
    }

    fn command(&self, program: OsString) -> Command {
        let mut command = Command::new(program);
        // rustup must not install a toolchain that the folder asks for.
        command.env("RUSTUP_AUTO_INSTALL", "0");
        // Keeps backtraces out of rustup's messages.
        command.env("RUST_BACKTRACE", "0");
        if self.is_trusted {
            command.current_dir(&self.from);
            return command;
        }
        command.current_dir(uppermost(&self.from));
        if let Some(toolchain) = &self.toolchain
            && env::var_os("RUSTUP_TOOLCHAIN").is_none()
        {
            command.env("RUSTUP_TOOLCHAIN", toolchain);
        }
        command
    }

    /// Runs a command; with the default toolchain if the folder's is not installed.
    pub(super) fn output(&self, command: &mut Command) -> std::io::Result<Output> {
        let output = self.wait_for(command)?;
        if output.status.success() || !String::from_utf8_lossy(&output.stderr).contains("is not installed") {
            return Ok(output);
        }
        match self.is_trusted {
            false if self.toolchain.is_some() && env::var_os("RUSTUP_TOOLCHAIN").is_none() => {
                self.wait_for(command.env_remove("RUSTUP_TOOLCHAIN"))
            }
            true if let Some(toolchain) = usual_toolchain() => command.env("RUSTUP_TOOLCHAIN", toolchain).output(),
            _ => Ok(output),
        }
    }

    /// Runs a command to its end; without a time limit if it builds.
    fn wait_for(&self, command: &mut Command) -> std::io::Result<Output> {
        if self.is_trusted { command.output() } else { ended(command, PATIENCE) }
    }

    /// Runs `cargo metadata`; the error is cargo's message. The project's lock file is not changed: if it would be,
    /// versions are chosen with a copy.
    pub(super) fn metadata(
        &self,
        manifest: &Path,
        platform: &str,
        options: &[String],
    ) -> Result<Result<Metadata, String>, LoadError> {
        let manifest = std::path::absolute(manifest).unwrap_or_else(|_| manifest.to_owned());
        let lock = preflight::check(&manifest, &self.configuration)?;
        let scratch = TemporaryFolder::new().map_err(LoadError::NoScratch)?;
        let ask = |more: &mut dyn FnMut(&mut Command)| {
            let mut command = self.cargo();
            command.args(["metadata", "--format-version=1", "--offline", "--color=never"]);
            command.args(["--filter-platform", platform]).args(options).arg("--manifest-path").arg(&manifest);
            self.configure(&mut command, &scratch)?;
            more(&mut command);
            let output = self.output(&mut command).map_err(LoadError::NoCargo)?;
            if !output.status.success() {
                let message = String::from_utf8_lossy(&output.stderr);
                let message = message.trim().trim_start_matches("error: ");
                return Ok(Err(self.with_paths_from_here(message)));
            }
            let json = String::from_utf8_lossy(&output.stdout);
            Ok(MetadataCommand::parse(&*json).map_err(|error| error.to_string()))
        };
        if self.is_trusted {
            return ask(&mut |_| {});
        }
        let locked = ask(&mut |command| {
            command.arg("--locked");
        })?;
        match locked {
            Err(message) if message.contains("--locked") => match self.lock_elsewhere(&lock, &scratch)? {
                Some(elsewhere) => ask(&mut |command| elsewhere.apply(command)),
                None => Ok(Err(message)),
            },
            answer => Ok(answer),
        }
    }

    /// cargo's message with paths relative to the user's folder: cargo prints them relative to the folder in which it
    /// runs.
    fn with_paths_from_here(&self, message: &str) -> String {
        let location = |line: &str| {
            let (indent, path) = line.split_once("--> ")?;
            let path = uppermost(&self.from).join(path);
            let path = path.strip_prefix(&self.from).unwrap_or(&path);
            indent.trim().is_empty().then(|| format!("{indent}--> {}", escape::path(path)))
        };
        let lines: Vec<String> =
            message.lines().map(|line| location(line).unwrap_or_else(|| line.to_owned())).collect();
        if self.is_trusted { message.to_owned() } else { lines.join("\n") }
    }

    /// Passes the configuration's data to cargo.
    fn configure(&self, command: &mut Command, scratch: &TemporaryFolder) -> Result<(), LoadError> {
        if !self.is_trusted && !self.configuration.for_cargo.is_empty() {
            let text = self.configuration.for_cargo.to_string();
            let file = scratch.write("config.toml", text.as_bytes()).map_err(LoadError::NoScratch)?;
            command.arg("--config").arg(file);
        }
        Ok(())
    }

    /// Makes a copy of the lock file for cargo to change, and chooses the option that names it to this cargo.
    fn lock_elsewhere(&self, lock: &Path, scratch: &TemporaryFolder) -> Result<Option<LockElsewhere>, LoadError> {
        let output = self.output(self.cargo().arg("--version")).map_err(LoadError::NoCargo)?;
        // `cargo 1.95.0 (…)`
        let version = String::from_utf8_lossy(&output.stdout).into_owned();
        let Some(version) = version.split(' ').nth(1).and_then(|it| it.trim().parse::<Version>().ok()) else {
            return Ok(None);
        };
        let Some(how) = LockOption::of(&version) else { return Ok(None) };
        let file = match read::read_file(lock, MAX_MANIFEST) {
            Ok(bytes) => scratch.write("Cargo.lock", &bytes).map_err(LoadError::NoScratch)?,
            Err(LoadError::NotFound(_)) => scratch.path().join("Cargo.lock"),
            Err(error) => return Err(error),
        };
        Ok(Some(LockElsewhere { file, how }))
    }
}

/// Runs a command that only reads to its end; it is killed at the time limit: a file may have been replaced by a pipe after
/// it was checked, or may always have been one.
pub(super) fn ended(command: &mut Command, patience: Duration) -> std::io::Result<Output> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    limit_memory(&child);
    let (stdout, stderr) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let read = || Some((stdout.recv_timeout(patience).ok()?, stderr.recv_timeout(patience).ok()?));
    let Some((stdout, stderr)) = read() else {
        child.kill()?;
        child.wait()?;
        let seconds = patience.as_secs();
        return Err(Error::new(ErrorKind::TimedOut, format!("it did not end within {seconds} seconds")));
    };
    Ok(Output { status: child.wait()?, stdout: stdout?, stderr: stderr? })
}

/// A repository can make git and cargo read objects and manifests of any size.
#[cfg(target_os = "linux")]
fn limit_memory(child: &Child) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit { current: Some(MAX_MEMORY), maximum: Some(MAX_MEMORY) };
    // A process that has ended needs no limit.
    let _ = prlimit(Some(Pid::from_child(child)), Resource::Data, limit);
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_: &Child) {}

/// Reads a stream to its end on its own thread.
fn reader(stream: Option<impl Read + Send + 'static>) -> Receiver<std::io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stream.map_or(Ok(0), |mut it| it.read_to_end(&mut bytes));
        // After a time-out nobody receives.
        let _ = sender.send(read.map(|_| bytes));
    });
    receiver
}

/// A lock file outside the project.
struct LockElsewhere {
    file: PathBuf,
    how: LockOption,
}

/// The option that names the lock file to cargo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LockOption {
    /// An unstable option, in 1.82 to 1.94.
    Flag,
    /// An unstable configuration key, in 1.95 and 1.96.
    UnstableKey,
    /// A configuration key.
    Key,
}

impl LockOption {
    fn of(version: &Version) -> Option<LockOption> {
        match (version.major, version.minor) {
            (1, ..82) => None,
            (1, 82..95) => Some(LockOption::Flag),
            (1, 95..97) => Some(LockOption::UnstableKey),
            _ => Some(LockOption::Key),
        }
    }
}

impl LockElsewhere {
    fn apply(&self, command: &mut Command) {
        if self.how != LockOption::Key {
            // Lets a stable cargo accept unstable options.
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        match self.how {
            LockOption::Flag => command.args(["-Zunstable-options", "--lockfile-path"]).arg(&self.file),
            LockOption::UnstableKey => command.arg("-Zlockfile-path").env("CARGO_RESOLVER_LOCKFILE_PATH", &self.file),
            LockOption::Key => command.env("CARGO_RESOLVER_LOCKFILE_PATH", &self.file),
        };
    }
}

/// cargo's home folder.
pub(super) fn cargo_home() -> Option<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| Some(env::home_dir()?.join(".cargo")))
}

/// The user's current folder.
fn from(options: &LoadOptions) -> PathBuf {
    let here = || env::current_dir().unwrap_or_default();
    options.from.as_ref().and_then(|it| std::path::absolute(it).ok()).unwrap_or_else(here)
}

/// The uppermost folder: no file of a project is found from there.
pub(super) fn uppermost(folder: &Path) -> &Path {
    folder.ancestors().last().unwrap_or(folder)
}

/// The name of the toolchain that the nearest file around a folder asks for (the rustup book, "The toolchain file").
fn toolchain(from: &Path, configuration: &mut Configuration) -> Option<String> {
    for folder in from.ancestors() {
        // If both names exist, rustup takes the old one.
        for name in ["rust-toolchain", "rust-toolchain.toml"] {
            let file = folder.join(name);
            configuration.looked_at.insert(file.clone());
            let Ok(text) = read::read_text(&file, MAX_MANIFEST) else { continue };
            let table: Option<toml::Table> = text.parse().ok();
            let of_table = table.as_ref().and_then(|it| it.get("toolchain")?.as_table());
            let (channel, key) = match of_table {
                Some(table) if table.contains_key("path") => (None, "toolchain.path"),
                Some(table) => (table.get("channel").and_then(toml::Value::as_str), "toolchain.channel"),
                None => (Some(text.trim()), "toolchain"),
            };
            let is_name = |it: &&str| {
                OwnFolders::new([folder]).have(&file)
                    && it.starts_with(|it: char| it.is_ascii_alphanumeric())
                    && it.chars().all(|it| it.is_ascii_alphanumeric() || "-_.".contains(it))
            };
            let channel = channel.filter(is_name);
            if channel.is_none() {
                configuration.unused.push(UnusedKeys { file, keys: vec![key.to_owned()] });
            }
            return channel.map(str::to_owned);
        }
    }
    None
}

/// The default toolchain.
fn usual_toolchain() -> Option<OsString> {
    let here = env::current_dir().ok()?;
    let output = Command::new("rustc").args(["--print", "sysroot"]).current_dir(uppermost(&here)).output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !folder.trim().is_empty()).then(|| folder.trim().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn lock_options_by_version() {
        let of = |text: &str| LockOption::of(&text.parse().unwrap());
        assert_eq!(of("1.81.0"), None);
        assert_eq!(of("1.94.1"), Some(LockOption::Flag));
        assert_eq!(of("1.95.0"), Some(LockOption::UnstableKey));
        assert_eq!(of("1.97.0-nightly"), Some(LockOption::Key));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn programs_have_limits() {
        let shell = |script: &str, patience: Duration| ended(Command::new("sh").args(["-c", script]), patience);
        // The limit is set once the program runs.
        let output = shell("sleep 1; ulimit -d", PATIENCE).unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), (MAX_MEMORY / 1024).to_string());
        let error = shell("sleep 60", Duration::from_secs(1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn a_toolchain_is_a_name() {
        let of = |name: &str, text: &str| {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(name), text).unwrap();
            let mut configuration = Configuration::default();
            let toolchain = toolchain(folder.path(), &mut configuration);
            (toolchain, configuration.unused.into_iter().flat_map(|it| it.keys).collect::<Vec<_>>())
        };
        assert_eq!(of("rust-toolchain", "1.60\n"), (Some("1.60".to_owned()), vec![]));
        assert_eq!(of("rust-toolchain.toml", "[toolchain]\nchannel='stable'"), (Some("stable".to_owned()), vec![]));
        assert_eq!(of("rust-toolchain", "/evil\n"), (None, vec!["toolchain".to_owned()]));
        assert_eq!(of("rust-toolchain", "[toolchain]\nchannel='x/y'"), (None, vec!["toolchain.channel".to_owned()]));
        let with_path = "[toolchain]\nchannel='stable'\npath='/evil'\n";
        assert_eq!(of("rust-toolchain.toml", with_path), (None, vec!["toolchain.path".to_owned()]));
    }
}
