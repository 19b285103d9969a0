//! Items of the embedded std, which is for Linux on x86_64, that differ on other platforms. If the user's code is
//! checked for such a platform, they are uninterpreted.

use super::{module_path, path};
use hir_def::{
    ConstId, FunctionId, HasModule, ItemContainerId, Lookup,
    signatures::{ConstSignature, FunctionSignature},
};
use hir_ty::db::HirDatabase;
use ra_ap_base_db::Crate;
use ra_ap_cfg::CfgAtom;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_intern::Symbol;

/// The platform property by which an item differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PlatformProperty {
    Arch,
    Os,
    Family,
}

const CONSTANTS: &[(&str, PlatformProperty)] = &[
    ("std::env::consts::ARCH", PlatformProperty::Arch),
    ("std::env::consts::FAMILY", PlatformProperty::Family),
    ("std::env::consts::OS", PlatformProperty::Os),
    ("std::env::consts::DLL_PREFIX", PlatformProperty::Os),
    ("std::env::consts::DLL_SUFFIX", PlatformProperty::Os),
    ("std::env::consts::DLL_EXTENSION", PlatformProperty::Os),
    ("std::env::consts::EXE_SUFFIX", PlatformProperty::Os),
    ("std::env::consts::EXE_EXTENSION", PlatformProperty::Os),
    ("std::path::MAIN_SEPARATOR", PlatformProperty::Family),
    ("std::path::MAIN_SEPARATOR_STR", PlatformProperty::Family),
    ("std::sys::path::unix::MAIN_SEP", PlatformProperty::Family),
    ("std::sys::path::unix::MAIN_SEP_STR", PlatformProperty::Family),
];

/// All functions that inspect a path call this one.
const FUNCTIONS: &[(&str, PlatformProperty)] = &[("std::sys::path::unix::is_sep_byte", PlatformProperty::Family)];

/// Whether a constant of std has another value on the platform of the user's code.
pub fn constant_differs(db: &dyn HirDatabase, user: Crate, id: ConstId) -> bool {
    let found = |id: ConstId| {
        let name = ConstSignature::of(db, id).name.as_ref()?.as_str().to_owned();
        let candidates = || CONSTANTS.iter().filter(|(path, _)| path.rsplit("::").next() == Some(&name));
        candidates().next()?;
        let ItemContainerId::ModuleId(module) = id.lookup(db).container else { return None };
        let path = format!("{}::{name}", module_path(db, module)?);
        candidates().find(|(candidate, _)| *candidate == path).map(|(_, by)| *by)
    };
    is_other_platform(db, user, id.module(db).krate(db)) && found(id).is_some_and(|by| differs(db, user, by))
}

/// Whether a function of std has another result on the platform of the user's code.
pub fn function_differs(db: &dyn HirDatabase, user: Crate, func: FunctionId) -> bool {
    let found = || {
        let signature = FunctionSignature::of(db, func);
        let name = signature.name.as_str();
        FUNCTIONS.iter().find(|(path, _)| path.rsplit("::").next() == Some(name))?;
        let path = path(db, func)?;
        FUNCTIONS.iter().find(|(candidate, _)| *candidate == path).map(|(_, by)| *by)
    };
    is_other_platform(db, user, func.module(db).krate(db)) && found().is_some_and(|by| differs(db, user, by))
}

/// Whether the item is in std and the user's code is for another platform.
fn is_other_platform(db: &dyn HirDatabase, user: Crate, of: Crate) -> bool {
    of.data(db).origin.is_lang()
        && (differs(db, user, PlatformProperty::Os) || differs(db, user, PlatformProperty::Arch))
}

fn differs(db: &dyn HirDatabase, user: Crate, by: PlatformProperty) -> bool {
    let pair = |key: &str, value: &str| CfgAtom::KeyValue { key: Symbol::intern(key), value: Symbol::intern(value) };
    let own = match by {
        PlatformProperty::Arch => pair("target_arch", "x86_64"),
        PlatformProperty::Os => pair("target_os", "linux"),
        PlatformProperty::Family => CfgAtom::Flag(Symbol::intern("unix")),
    };
    !user.cfg_options(db).check_atom(&own)
}

#[cfg(test)]
mod tests {
    use super::{CONSTANTS, FUNCTIONS, constant_differs, function_differs};
    use crate::project::{self, Input, LoadOptions};
    use hir_def::{ModuleDefId, nameres::crate_def_map};
    use ra_ap_hir as hir;
    use ra_ap_hir_def as hir_def;

    /// Each path exists, and each item is uninterpreted on a platform that differs from std's in every property.
    #[test]
    fn paths_exist() {
        let file = tempfile::Builder::new().suffix(".rs").tempfile().unwrap();
        let of = |target: Option<&str>| {
            let options = LoadOptions { target: target.map(str::to_owned), ..LoadOptions::default() };
            let project = project::load(&Input::from_path(file.path()), &options).unwrap();
            project.with_db(|project| {
                let (db, user) = (project.db(), project.local_crates()[0].into());
                let functions = FUNCTIONS.iter().map(|(path, _)| project.find_std_item(path).expect(path));
                let mut other = functions.filter(|it| function_differs(db, user, *it)).count();
                for krate in project.crates().into_iter().filter(|it| project.is_std(*it)) {
                    for (_, module) in crate_def_map(db, hir::Crate::into(krate)).modules() {
                        let constants = module.scope.declarations().filter_map(|it| match it {
                            ModuleDefId::ConstId(id) => Some(id),
                            _ => None,
                        });
                        other += constants.filter(|it| constant_differs(db, user, *it)).count();
                    }
                }
                other
            })
        };
        assert_eq!(of(None), 0);
        assert_eq!(of(Some("aarch64-pc-windows-msvc")), CONSTANTS.len() + FUNCTIONS.len());
        assert_eq!(of(Some("aarch64-unknown-linux-gnu")), 1);
    }
}
