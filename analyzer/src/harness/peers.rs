//! Values that calls take as arguments of the object's type, as `a.transfer(&b)` beside `b.transfer(&a)` does.

use super::{
    builder::{Favoured, HarnessBuilder, Reason},
    function::{Method, Object, SelfKind},
    surface,
};
use crate::ir::{LocalId, Rvalue};
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// The object of a call, and another value of its type.
#[derive(Clone)]
pub(super) struct Peers<'db> {
    ty: Ty<'db>,
    /// The type `Arc<ty>`, if they are in one.
    arc: Option<Ty<'db>>,
    objects: [Object<'db>; 2],
    /// How many arguments of the current call they were.
    used: usize,
    /// How many there must be.
    needed: usize,
}

impl<'db> Peers<'db> {
    /// For calls of `object`.
    pub(super) fn new(object: Object<'db>, other: Object<'db>, arc: Option<Ty<'db>>) -> Peers<'db> {
        Peers { ty: object.ty, arc, objects: [object, other], used: 0, needed: 0 }
    }

    /// The one that is the next argument: the other one first, unless the call has no receiver.
    fn next(&mut self) -> Object<'db> {
        let index = (self.used + usize::from(self.needed == 1)) % self.objects.len();
        self.used += 1;
        self.objects[index]
    }
}

impl<'db> HarnessBuilder<'_, 'db> {
    /// Whether functions take a value beside the receiver, or two without one.
    pub(super) fn takes_others(&mut self, ty: Ty<'db>) -> bool {
        self.methods_with_others(ty).iter().any(|method| method.takes != SelfKind::Exclusive)
    }

    /// The functions of a type and of its module that take a value beside the receiver, or two without one.
    pub(super) fn methods_with_others(&mut self, ty: Ty<'db>) -> Vec<Method<'db>> {
        // `a.link(&b)` may be `fn link<B>(&self, other: &Node<B>)`.
        let own = ty.as_adt().and_then(|(_, args)| args.types().next()).map(|ty| Favoured { ty, only: None });
        let favoured = self.favoured;
        self.favoured = favoured.or(own);
        let mut methods = self.uncalled_methods(ty);
        self.favoured = favoured;
        if let Some((adt, _)) = ty.as_adt() {
            let functions = surface::functions_of_module(self.cx.db, hir_def::HasModule::module(&adt, self.cx.db));
            methods.extend(functions.into_iter().filter_map(|func| self.free_function(func).ok()));
        }
        let arc = self.arc_of(ty);
        methods.retain(|method| {
            let is_one = |it: &&Ty<'db>| match it.kind() {
                TyKind::Ref(_, inner, mutability) => mutability.is_not() && (inner == ty || Some(inner) == arc),
                _ => Some(**it) == arc,
            };
            let count = method.parameters().iter().filter(is_one).count();
            count >= needed(method)
        });
        methods
    }

    /// A call of this function begins.
    pub(super) fn begin_with_peers(&mut self, method: &Method<'db>) {
        if let Some(peers) = &mut self.peers {
            (peers.used, peers.needed) = (0, needed(method));
        }
    }

    /// Whether the call takes the values as arguments, if there are any.
    pub(super) fn has_used_peers(&self) -> bool {
        self.peers.as_ref().is_none_or(|peers| peers.used >= peers.needed)
    }

    /// One of the values, or a reference to it, if that has the wanted type.
    pub(super) fn peer(&mut self, wanted: Ty<'db>) -> Option<Result<LocalId, Reason>> {
        let peers = self.peers.as_mut()?;
        let (ty, arc) = (peers.ty, peers.arc);
        let is_handle = Some(wanted) == arc;
        let (is_value, is_arc) = match wanted.kind() {
            TyKind::Ref(_, inner, mutability) if mutability.is_not() => (inner == ty, Some(inner) == arc),
            _ => (false, is_handle),
        };
        if !is_value && !is_arc {
            return None;
        }
        let object = peers.next();
        if is_handle {
            return Some(self.call_helper("again", [ty], vec![object.owner.into()], wanted));
        }
        let local = if is_arc { object.owner } else { object.shared.unwrap_or(object.owner) };
        Some(Ok(self.assign(wanted, Rvalue::Use(local.into()))))
    }
}

/// How many arguments of its type a call must take.
fn needed(method: &Method<'_>) -> usize {
    if method.takes == SelfKind::Nothing { 2 } else { 1 }
}
