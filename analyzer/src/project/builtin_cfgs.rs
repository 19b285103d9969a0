//! Builtin cfgs: what the build scripts of well-known packages set on every platform of 64 bits. They are used where a
//! build script may not run.

use cargo_metadata::semver::{Version, VersionReq};
use ra_ap_cfg::CfgAtom;
use ra_ap_intern::Symbol;

/// A cfg of a package in a range of versions.
struct BuiltInCfg {
    package: &'static str,
    versions: &'static str,
    key: &'static str,
    value: Option<&'static str>,
}

const BUILT_IN: &[BuiltInCfg] = &[
    // The width of the numbers in which the parser computes; without it, strings cannot be read.
    BuiltInCfg { package: "serde_json", versions: ">=1.0.149, <2", key: "fast_arithmetic", value: Some("64") },
    BuiltInCfg { package: "serde_json", versions: ">=1.0.64, <=1.0.107", key: "limb_width_64", value: None },
];

/// The cfgs of a package of this name and version.
pub(super) fn of(package: &str, version: &Version) -> Vec<CfgAtom> {
    let fits = |it: &&BuiltInCfg| {
        it.package == package && VersionReq::parse(it.versions).is_ok_and(|versions| versions.matches(version))
    };
    let atom = |it: &BuiltInCfg| match it.value {
        Some(value) => CfgAtom::KeyValue { key: Symbol::intern(it.key), value: Symbol::intern(value) },
        None => CfgAtom::Flag(Symbol::intern(it.key)),
    };
    BUILT_IN.iter().filter(fits).map(atom).collect()
}
