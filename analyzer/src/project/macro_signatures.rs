//! The signatures of the macros of a library, which are all that a program needs of it.
//!
//! The other code of a published library, and the crates that only it needs, such as `syn`, are not part of the project.

use super::{build_output, macros, read};
use crate::workarounds::source_depth;
use ra_ap_base_db::CrateBuilderId;
use ra_ap_project_model::{CargoWorkspace, Package};
use ra_ap_span::Edition;
use ra_ap_syntax::{
    AstNode as _, SourceFile,
    ast::{self, HasAttrs as _, HasModuleItem as _},
};
use std::collections::BTreeMap;

/// The crates of published libraries of macros, with roots that define nothing but their macros.
pub(super) fn of_published(
    cargo: &CargoWorkspace,
    crates: impl Iterator<Item = CrateBuilderId>,
    package_of: impl Fn(CrateBuilderId) -> Option<Package>,
) -> BTreeMap<CrateBuilderId, String> {
    let published = |krate| package_of(krate).filter(|it| build_output::is_published(&cargo[*it]));
    crates.filter_map(|krate| Some((krate, of_package(cargo, published(krate)?)?))).collect()
}

/// The macros that the library of a package defines, without bodies. `None` if there may be others.
pub(super) fn of_package(cargo: &CargoWorkspace, package: Package) -> Option<String> {
    let root = cargo[package].targets.iter().map(|it| &cargo[*it]).find(|it| it.kind.is_proc_macro())?;
    let text = read::read_text(root.root.as_ref(), read::MAX_SOURCE).ok()?;
    match source_depth::too_deep(&text, Edition::CURRENT) {
        None => of_text(&text),
        Some(_) => None,
    }
}

fn of_text(text: &str) -> Option<String> {
    let mut signatures = String::new();
    for item in SourceFile::parse(text, Edition::CURRENT).tree().items() {
        match item {
            // It may define macros.
            ast::Item::MacroCall(_) => return None,
            ast::Item::Fn(function) if function.attrs().any(|it| macros::kind_and_name(&it).is_some()) => {
                let body = function.body().map(|it| it.syntax().text_range());
                let range = function.syntax().text_range();
                let end = body.map_or(range.end(), |it| it.start());
                signatures += &text[usize::from(range.start())..usize::from(end)];
                signatures += "{}\n";
            }
            _ => {}
        }
    }
    Some(signatures)
}

#[cfg(test)]
mod tests {
    use super::of_text;

    #[test]
    fn signatures_without_bodies() {
        let text = "#![no_std]\nmod parts;\n/// Doc.\n#[cfg(feature = \"a\")]\n#[proc_macro_derive(A, attributes(a))]\n\
                    pub fn a(item: TokenStream) -> TokenStream { parts::a(item) }\nfn b() {}";
        let signatures = of_text(text).expect("it has no macro calls");
        assert!(signatures.contains("#[cfg(feature = \"a\")]\n#[proc_macro_derive(A, attributes(a))]\npub fn a("));
        assert!(!signatures.contains("parts") && !signatures.contains("fn b"));
    }

    #[test]
    fn macros_that_macros_define() {
        assert_eq!(of_text("decl_derive!([Fail] => derive);"), None);
    }
}
