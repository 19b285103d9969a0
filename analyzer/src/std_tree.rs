//! The standard library of every analysis: one source tree, embedded by `build.rs`, and its crate graph.
//!
//! Findings must not depend on the user's toolchain, and a cold start must not wait for `rustc` or `cargo`, so the
//! sources, the target and the cfgs are fixed here. Files are in memory under virtual paths.

use std::io::Read;

use base_db::{
    CrateBuilderId, CrateDisplayName, CrateGraphBuilder, CrateName, CrateOrigin, CrateWorkspaceData, DependencyBuilder,
    Env, LangCrateOrigin,
    target::{Arch, TargetData},
};
use ra_ap_base_db as base_db;
use ra_ap_cfg::{CfgAtom, CfgOptions};
use ra_ap_intern::Symbol;
use ra_ap_paths::AbsPathBuf;
use ra_ap_span::Edition;
use ra_ap_vfs::{FileId, VfsPath};

/// The root of the embedded files in the virtual file system.
pub const ROOT: &str = "/library";

/// From `rustc --print target-spec-json` for x86_64-unknown-linux-gnu.
const DATA_LAYOUT: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/std.tar.lz4"));

/// One crate of the tree; a dependency comes before its dependents.
struct StdCrate {
    name: &'static str,
    edition: Edition,
    dependencies: &'static [&'static str],
    features: &'static [&'static str],
}

const CRATES: &[StdCrate] = &[
    StdCrate { name: "core", edition: Edition::Edition2024, dependencies: &[], features: &[] },
    StdCrate { name: "alloc", edition: Edition::Edition2024, dependencies: &["core"], features: &[] },
    StdCrate { name: "cfg_if", edition: Edition::Edition2021, dependencies: &["core"], features: &[] },
    StdCrate { name: "libc", edition: Edition::Edition2021, dependencies: &["core"], features: &[] },
    StdCrate { name: "rustc_demangle", edition: Edition::Edition2021, dependencies: &["core"], features: &[] },
    StdCrate {
        name: "hashbrown",
        edition: Edition::Edition2024,
        dependencies: &["core", "alloc"],
        features: &["in-std"],
    },
    StdCrate { name: "unwind", edition: Edition::Edition2024, dependencies: &["core", "libc"], features: &[] },
    StdCrate {
        name: "std_detect",
        edition: Edition::Edition2024,
        dependencies: &["core", "alloc", "libc"],
        features: &[],
    },
    StdCrate {
        name: "std",
        edition: Edition::Edition2024,
        dependencies: &["core", "alloc", "cfg_if", "libc", "rustc_demangle", "hashbrown", "unwind", "std_detect"],
        features: &["panic-unwind"],
    },
];

/// The files of the tree as (path below [`ROOT`], text).
pub fn files() -> Vec<(String, String)> {
    let decoder = lz4_flex::frame::FrameDecoder::new(PACKED);
    let mut archive = tar::Archive::new(decoder);
    let entries = archive.entries().expect("the embedded archive is one that build.rs wrote");
    entries
        .map(|entry| {
            let mut entry = entry.expect("the embedded archive is whole");
            let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let mut text = String::with_capacity(usize::try_from(entry.size()).unwrap_or(0));
            entry.read_to_string(&mut text).expect("the embedded sources are UTF-8");
            (path, text)
        })
        .collect()
}

/// The virtual path of an embedded file.
pub fn virtual_path(path: &str) -> VfsPath {
    VfsPath::new_virtual_path(format!("{ROOT}/{path}"))
}

/// The data of the target, known without running `rustc`.
pub fn target() -> TargetData {
    TargetData { data_layout: DATA_LAYOUT.into(), arch: Arch::Other }
}

/// The cfgs of x86_64-unknown-linux-gnu without instruction sets: this selects portable code, which the machine can
/// run.
pub fn target_cfg() -> Vec<CfgAtom> {
    let flags = ["unix", "target_thread_local", "target_has_atomic", "target_has_atomic_load_store"];
    let pairs = [
        ("panic", "unwind"),
        ("relocation_model", "pic"),
        ("target_abi", ""),
        ("target_arch", "x86_64"),
        ("target_endian", "little"),
        ("target_env", "gnu"),
        ("target_family", "unix"),
        ("target_os", "linux"),
        ("target_pointer_width", "64"),
        ("target_vendor", "unknown"),
    ];
    let widths = ["8", "16", "32", "64", "ptr"];
    let atomics = ["target_has_atomic", "target_has_atomic_load_store", "target_has_atomic_equal_alignment"];
    let mut cfg: Vec<CfgAtom> = flags.iter().map(|flag| CfgAtom::Flag(Symbol::intern(flag))).collect();
    cfg.extend(pairs.iter().map(|(key, value)| pair(key, value)));
    cfg.extend(atomics.iter().flat_map(|key| widths.iter().map(|width| pair(key, width))));
    cfg
}

/// The cfgs of a user's crate: [`target_cfg`] with debug assertions and overflow checks, as in `cargo build`.
pub fn user_cfg() -> Vec<CfgAtom> {
    let mut cfg = target_cfg();
    cfg.extend(["debug_assertions", "overflow_checks"].map(|flag| CfgAtom::Flag(Symbol::intern(flag))));
    cfg
}

fn pair(key: &str, value: &str) -> CfgAtom {
    CfgAtom::KeyValue { key: Symbol::intern(key), value: Symbol::intern(value) }
}

/// The std crates in a crate graph.
pub struct StdCrates {
    crates: Vec<(&'static str, CrateBuilderId)>,
}

impl StdCrates {
    /// Adds the std crates to `graph`; `file` returns the file at a path below [`ROOT`].
    pub fn add(
        graph: &mut CrateGraphBuilder,
        workspace: &CrateWorkspaceData,
        file: &dyn Fn(&str) -> Option<FileId>,
    ) -> StdCrates {
        let mut crates: Vec<(&'static str, CrateBuilderId)> = Vec::new();
        for krate in CRATES {
            let Some(root) = file(&format!("{}/src/lib.rs", krate.name)) else {
                continue;
            };
            let mut cfg = CfgOptions::from_iter(target_cfg());
            cfg.extend(krate.features.iter().map(|feature| pair("feature", feature)));
            if krate.name == "std" {
                // As std's own build script does.
                cfg.insert_atom(Symbol::intern("backtrace_in_libstd"));
            }
            let mut env = Env::default();
            env.set("STD_ENV_ARCH", "x86_64");
            let origin = match krate.name {
                "core" | "alloc" | "std" => LangCrateOrigin::from(krate.name),
                _ => LangCrateOrigin::Dependency,
            };
            let id = graph.add_crate_root(
                root,
                krate.edition,
                Some(CrateDisplayName::from_canonical_name(krate.name)),
                None,
                cfg,
                None,
                env,
                CrateOrigin::Lang(origin),
                Vec::new(),
                false,
                AbsPathBuf::assert(ROOT.into()).into(),
                workspace.clone().into(),
            );
            for &(name, dependency) in crates.iter().filter(|(name, _)| krate.dependencies.contains(name)) {
                add_dependency(graph, id, DependencyBuilder::new(CrateName::normalize_dashes(name), dependency));
            }
            crates.push((krate.name, id));
        }
        StdCrates { crates }
    }

    /// Makes core, alloc and std visible to `krate`, as to every crate.
    pub fn inject(&self, graph: &mut CrateGraphBuilder, krate: CrateBuilderId) {
        for &(name, id) in &self.crates {
            // alloc is only visible with `extern crate alloc`.
            let prelude = match name {
                "core" | "std" => true,
                "alloc" => false,
                _ => continue,
            };
            let dependency = DependencyBuilder::with_prelude(CrateName::normalize_dashes(name), id, prelude, true);
            add_dependency(graph, krate, dependency);
        }
    }
}

/// A cycle is impossible: std's crates are added in order, and none depends on a user's.
fn add_dependency(graph: &mut CrateGraphBuilder, from: CrateBuilderId, dependency: DependencyBuilder) {
    graph.add_dep(from, dependency).expect("no crate of std depends on a user's crate");
}
