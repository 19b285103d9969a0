//! Which features of the user's packages are on (the Cargo Book, "Features").

use cargo_metadata::Package;

/// cargo's options of the same names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features {
    /// `--features`: a name, or `package/name`.
    pub names: Vec<String>,
    /// `--all-features`
    pub all: bool,
    /// `--no-default-features`
    pub no_default: bool,
}

impl Features {
    /// As options for cargo.
    pub(super) fn options(&self) -> Vec<String> {
        let names = (!self.names.is_empty()).then(|| format!("--features={}", self.names.join(",")));
        let all = self.all.then(|| "--all-features".to_owned());
        let no_default = self.no_default.then(|| "--no-default-features".to_owned());
        names.into_iter().chain(all).chain(no_default).collect()
    }

    /// The features that they enable in a package of the user's.
    pub(super) fn wanted(&self, package: &Package) -> Vec<String> {
        if self.all {
            return package.features.keys().cloned().chain(["default".to_owned()]).collect();
        }
        let own = self.names.iter().filter_map(|name| match name.split_once('/') {
            Some((of, name)) => (of == package.name.as_str()).then(|| name.to_owned()),
            None => package.features.contains_key(name).then(|| name.clone()),
        });
        let default = (!self.no_default).then(|| "default".to_owned());
        own.chain(default).collect()
    }
}
