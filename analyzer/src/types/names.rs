//! Names of definitions, as in source code.

use super::TypeCx;
use hir_def::{
    ConstId, DefWithBodyId, FunctionId, HasModule, ItemContainerId, Lookup, ModuleId,
    signatures::{ConstSignature, FunctionSignature, StaticSignature, TraitSignature},
};
use ra_ap_hir_def as hir_def;

impl<'db> TypeCx<'db> {
    /// Name of a definition with a body.
    pub fn body_name(&self, owner: DefWithBodyId) -> String {
        match owner {
            DefWithBodyId::FunctionId(id) => self.function_name(id),
            DefWithBodyId::ConstId(id) => self.constant_name(id),
            DefWithBodyId::StaticId(id) => StaticSignature::of(self.db, id).name.as_str().to_owned(),
            DefWithBodyId::VariantId(_) => "discriminant".to_owned(),
        }
    }

    /// Name of a const, with its type or trait.
    pub fn constant_name(&self, id: ConstId) -> String {
        let own = ConstSignature::of(self.db, id).name.as_ref().map_or("_", |name| name.as_str()).to_owned();
        match self.container_name(id.lookup(self.db).container) {
            Some(outer) => format!("{outer}::{own}"),
            None => own,
        }
    }

    /// `Type::method`, `Trait::method` or `function` in the workspace; the full path elsewhere.
    pub fn function_name(&self, func: FunctionId) -> String {
        let own = FunctionSignature::of(self.db, func).name.as_str().to_owned();
        let named = match self.container_name(func.lookup(self.db).container) {
            Some(outer) => format!("{outer}::{own}"),
            None => own,
        };
        let module = func.module(self.db);
        if self.source.is_local(module.krate(self.db)) {
            return named;
        }
        format!("{}::{named}", self.module_path(module))
    }

    /// Path of a module, starting at its crate.
    pub fn module_path(&self, module: ModuleId) -> String {
        let mut parts = Vec::new();
        let mut at = Some(module);
        while let Some(module) = at {
            if let Some(name) = module.name(self.db) {
                parts.push(name.as_str().to_owned());
            }
            at = module.containing_module(self.db);
        }
        let krate = module.krate(self.db).extra_data(self.db).display_name.as_ref().map(ToString::to_string);
        parts.push(krate.unwrap_or_else(|| "?".to_owned()));
        parts.reverse();
        parts.join("::")
    }

    fn container_name(&self, container: ItemContainerId) -> Option<String> {
        match container {
            ItemContainerId::ImplId(id) => {
                let ty = self.db.impl_self_ty(id).instantiate_identity().skip_norm_wip();
                Some(without_arguments(&self.type_name(ty)))
            }
            ItemContainerId::TraitId(id) => Some(TraitSignature::of(self.db, id).name.as_str().to_owned()),
            ItemContainerId::ModuleId(_) | ItemContainerId::ExternBlockId(_) => None,
        }
    }
}

/// A type's name without its generic arguments.
pub fn without_arguments(name: &str) -> String {
    match name.find('<') {
        Some(at) if at > 0 => name[..at].to_owned(),
        _ => name.to_owned(),
    }
}
