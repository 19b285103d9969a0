//! How cargo is asked. It starts rustc, and by a configuration, or through rustup, a program of the repository's.
//!
//! cargo and rustup look for their files around the current folder. Where nothing of the repository's may run, they are
//! started elsewhere, and only what the configuration says of sources, such as vendored ones, is told to cargo.

use super::{LoadError, LoadOptions, Trust};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

/// How cargo is asked.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) trust: Trust,
    /// The folder in which cargo is asked; its configuration counts.
    pub(super) from: PathBuf,
}

impl Asked {
    /// As somebody in a folder would ask, or in the current one.
    pub(super) fn new(options: &LoadOptions) -> Asked {
        let here = || std::env::current_dir().unwrap_or_default();
        Asked { trust: options.trust, from: options.from.clone().unwrap_or_else(here) }
    }

    /// rustc, as the user would start it, or elsewhere.
    pub(super) fn rustc(&self) -> Command {
        let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        command.env("RUSTUP_AUTO_INSTALL", "0");
        command.current_dir(self.folder());
        command
    }

    /// Where programs are started: nothing of the repository is found from the uppermost folder.
    fn folder(&self) -> &Path {
        match self.trust {
            Trust::Untrusted => self.from.ancestors().last().unwrap_or(&self.from),
            _ => &self.from,
        }
    }

    /// cargo, as the user would start it, or elsewhere.
    pub(super) fn command(&self) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        // rustup must not install a toolchain that the folder asks for.
        command.env("RUSTUP_AUTO_INSTALL", "0");
        command.current_dir(self.folder());
        if self.trust == Trust::Untrusted {
            let mut folders: Vec<&Path> = self.from.ancestors().collect();
            // Of two options the later one counts, of two folders the nearer one.
            folders.reverse();
            for folder in folders {
                let [old, new] = ["config", "config.toml"].map(|name| folder.join(".cargo").join(name));
                let text = std::fs::read_to_string(old).or_else(|_| std::fs::read_to_string(new)).unwrap_or_default();
                for option in sources(&text, folder) {
                    command.args(["--config", &option]);
                }
            }
        }
        command
    }

    /// Asks for the metadata; gives cargo's own words if it refuses.
    pub(super) fn run(
        &self,
        manifest: &Path,
        platform: &str,
        options: &[String],
    ) -> Result<Result<cargo_metadata::Metadata, String>, LoadError> {
        let mut command = self.metadata(manifest, platform, options);
        let mut output = command.output().map_err(LoadError::NoCargo)?;
        // A toolchain that the folder asks for is not needed: of cargo only the packages are asked, and std is ours.
        if !output.status.success()
            && String::from_utf8_lossy(&output.stderr).contains("is not installed")
            && let Some(toolchain) = usual_toolchain()
        {
            output = command.env("RUSTUP_TOOLCHAIN", toolchain).output().map_err(LoadError::NoCargo)?;
        }
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Ok(Err(message.trim().trim_start_matches("error: ").to_owned()));
        }
        let json = String::from_utf8_lossy(&output.stdout);
        Ok(cargo_metadata::MetadataCommand::parse(&*json).map_err(|error| error.to_string()))
    }

    fn metadata(&self, manifest: &Path, platform: &str, options: &[String]) -> Command {
        let mut command = self.command();
        command
            .args(["metadata", "--format-version=1", "--offline", "--filter-platform", platform, "--color=never"])
            .args(options)
            .arg("--manifest-path")
            .arg(std::path::absolute(manifest).unwrap_or_else(|_| manifest.to_owned()))
            // What rustup has to say is said without its stack.
            .env("RUST_BACKTRACE", "0");
        command
    }
}

/// The toolchain that is used where no folder asks for one.
fn usual_toolchain() -> Option<OsString> {
    let here = std::env::current_dir().ok()?;
    let output =
        Command::new("rustc").args(["--print", "sysroot"]).current_dir(here.ancestors().last()?).output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !folder.trim().is_empty()).then(|| folder.trim().into())
}

/// What a configuration in a folder says of sources, as options (the Cargo Book, "Source Replacement").
fn sources(text: &str, folder: &Path) -> Vec<String> {
    let table: toml::Table = text.parse().unwrap_or_default();
    let Some(sources) = table.get("source").and_then(toml::Value::as_table) else { return Vec::new() };
    let mut options = Vec::new();
    for (name, source) in sources {
        for (key, value) in source.as_table().into_iter().flatten() {
            let Some(text) = value.as_str() else { continue };
            let is_path = matches!(key.as_str(), "directory" | "local-registry");
            let text: PathBuf = if is_path { folder.join(text) } else { text.into() };
            let quoted = |it: &str| toml::Value::String(it.to_owned()).to_string();
            options.push(format!("source.{}.{key}={}", quoted(name), quoted(&text.to_string_lossy())));
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sources_are_passed_on() {
        let text = "[build]\nrustc-wrapper = \"./evil\"\n[source.crates-io]\nreplace-with = \"a b\"\n[source.\"a b\"]\ndirectory = \"vendor\"\n";
        assert_eq!(
            sources(text, Path::new("/p")),
            ["source.\"a b\".directory=\"/p/vendor\"", "source.\"crates-io\".replace-with=\"a b\""]
        );
        assert!(sources("no toml [", Path::new("/p")).is_empty());
    }
}
