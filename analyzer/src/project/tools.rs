//! How cargo and rustc are started.
//!
//! Both look for files around the current folder: cargo for its configuration, which may name programs, rustup for the toolchain, which
//! may be a path. So they are started in the uppermost folder, are told what of these files is data ([`Configuration`],
//! the name of the toolchain), and write nothing into the project. Only a trusted build is started in the user's folder.

use super::{
    LoadError, LoadOptions, UnusedKeys,
    configuration::Configuration,
    preflight,
    read::{self, MAX_MANIFEST},
};
use crate::user_files::TemporaryFolder;
use cargo_metadata::{Metadata, MetadataCommand, semver::Version};
use std::{
    env,
    ffi::OsString,
    io::{Error, ErrorKind, Read},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

/// cargo's answers take a second at most. A time-out is an error, and no result.
const PATIENCE: Duration = Duration::from_secs(120);

/// What cargo and rustc are started with.
#[derive(Debug, Clone)]
pub(super) struct Tools {
    /// The folder whose configuration counts: where the user is, or the package.
    pub(super) from: PathBuf,
    pub(super) configuration: Configuration,
    /// The toolchain that the folder asks for, by its name.
    toolchain: Option<String>,
    /// Everything that the configuration says counts: a trusted build.
    is_trusted: bool,
}

impl Tools {
    /// Reads what the files around the folder of `options` say; nothing is started.
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

    /// rustc alone, for what is no package: cargo's configuration does not count.
    pub(super) fn without_cargo(options: &LoadOptions) -> Tools {
        let from = from(options);
        let mut configuration = Configuration::default();
        let toolchain = toolchain(&from, &mut configuration);
        Tools { from, configuration, toolchain, is_trusted: false }
    }

    /// The same, with the toolchain that builds in a folder.
    pub(super) fn building_in(&self, folder: &Path) -> Tools {
        let mut configuration = self.configuration.clone();
        let toolchain = toolchain(folder, &mut configuration);
        configuration.unused.sort();
        configuration.unused.dedup();
        Tools { toolchain, configuration, ..self.clone() }
    }

    /// The same, started where the user is, with everything that the configuration says.
    pub(super) fn trusted(&self) -> Tools {
        Tools { is_trusted: true, ..self.clone() }
    }

    /// rustc.
    pub(super) fn rustc(&self) -> Command {
        self.command(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
    }

    /// cargo.
    pub(super) fn cargo(&self) -> Command {
        let mut command = self.command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        if !self.is_trusted {
            // It would lie in the target folder.
            command.env("CARGO_CACHE_RUSTC_INFO", "0");
        }
        command
    }

    fn command(&self, program: OsString) -> Command {
        let mut command = Command::new(program);
        // rustup must not install a toolchain that the folder asks for.
        command.env("RUSTUP_AUTO_INSTALL", "0");
        // What rustup has to say is said without its stack.
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

    /// Runs a command; with the usual toolchain if the one that the folder asks for is not installed.
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

    /// Runs a command to its end. One that only reads is ended if it waits, as when a file was replaced by a pipe after it was
    /// looked at.
    fn wait_for(&self, command: &mut Command) -> std::io::Result<Output> {
        if self.is_trusted {
            return command.output();
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (stdout, stderr) = (reader(child.stdout.take()), reader(child.stderr.take()));
        let read = || Some((stdout.recv_timeout(PATIENCE).ok()?, stderr.recv_timeout(PATIENCE).ok()?));
        let Some((stdout, stderr)) = read() else {
            child.kill()?;
            child.wait()?;
            let seconds = PATIENCE.as_secs();
            return Err(Error::new(ErrorKind::TimedOut, format!("it did not end within {seconds} seconds")));
        };
        Ok(Output { status: child.wait()?, stdout: stdout?, stderr: stderr? })
    }

    /// Asks cargo for the metadata; gives its own words if it refuses. The project's lock file is not changed: where it would be,
    /// versions are chosen with a copy of it.
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
                return Ok(Err(self.with_places_from_here(message)));
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

    /// What cargo says, with the places in it as the user would write them: cargo has them relative to the folder in which it is
    /// started.
    fn with_places_from_here(&self, message: &str) -> String {
        let place = |line: &str| {
            let (indent, path) = line.split_once("--> ")?;
            let path = uppermost(&self.from).join(path);
            let path = path.strip_prefix(&self.from).unwrap_or(&path);
            indent.trim().is_empty().then(|| format!("{indent}--> {}", path.display()))
        };
        let lines: Vec<String> = message.lines().map(|line| place(line).unwrap_or_else(|| line.to_owned())).collect();
        if self.is_trusted { message.to_owned() } else { lines.join("\n") }
    }

    /// Tells cargo what of the configuration is for it.
    fn configure(&self, command: &mut Command, scratch: &TemporaryFolder) -> Result<(), LoadError> {
        if !self.is_trusted && !self.configuration.for_cargo.is_empty() {
            let text = self.configuration.for_cargo.to_string();
            let file = scratch.write("config.toml", text.as_bytes()).map_err(LoadError::NoScratch)?;
            command.arg("--config").arg(file);
        }
        Ok(())
    }

    /// A copy of the lock file for cargo to change, and how this cargo is told of it.
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

/// Reads a stream to its end in a thread of its own.
fn reader(stream: Option<impl Read + Send + 'static>) -> Receiver<std::io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stream.map_or(Ok(0), |mut it| it.read_to_end(&mut bytes));
        // Nobody listens once it took too long.
        let _ = sender.send(read.map(|_| bytes));
    });
    receiver
}

/// A lock file outside the project.
struct LockElsewhere {
    file: PathBuf,
    how: LockOption,
}

/// How cargo is told where the lock file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LockOption {
    /// An option that is not stable, of 1.82 to 1.94.
    Flag,
    /// A configuration key that is not stable, of 1.95 and 1.96.
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
            // Also a stable cargo then takes options that are not.
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        match self.how {
            LockOption::Flag => command.args(["-Zunstable-options", "--lockfile-path"]).arg(&self.file),
            LockOption::UnstableKey => command.arg("-Zlockfile-path").env("CARGO_RESOLVER_LOCKFILE_PATH", &self.file),
            LockOption::Key => command.env("CARGO_RESOLVER_LOCKFILE_PATH", &self.file),
        };
    }
}

/// The folder of cargo's own files.
pub(super) fn cargo_home() -> Option<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| Some(env::home_dir()?.join(".cargo")))
}

/// The folder in which the user asks.
fn from(options: &LoadOptions) -> PathBuf {
    let here = || env::current_dir().unwrap_or_default();
    options.from.as_ref().and_then(|it| std::path::absolute(it).ok()).unwrap_or_else(here)
}

/// No file of a project is found from there.
fn uppermost(folder: &Path) -> &Path {
    folder.ancestors().last().unwrap_or(folder)
}

/// The toolchain that the nearest file around a folder asks for by its name (the rustup book, "The toolchain file").
fn toolchain(from: &Path, configuration: &mut Configuration) -> Option<String> {
    for folder in from.ancestors() {
        // Of the two names the old one counts.
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
                it.starts_with(|it: char| it.is_ascii_alphanumeric())
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

/// The toolchain that is used where no folder asks for one.
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
