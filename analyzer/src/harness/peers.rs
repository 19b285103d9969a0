//! Values that calls take as arguments of the object's type, as `a.transfer(&b)` beside `b.transfer(&a)` does, and
//! arguments that the object itself makes, as in `db.restore(&db.savepoint())`.

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

/// The object of a call, which makes arguments of the call too.
#[derive(Clone)]
pub(super) struct OwnMaker<'db> {
    object: Object<'db>,
    /// The type `Arc<ty>`, if it is in one.
    arc: Option<Ty<'db>>,
    /// Whether it has made what is being made.
    was_used: bool,
    /// Values that it made, and that the call borrows.
    borrowed: Vec<LocalId>,
}

impl<'db> OwnMaker<'db> {
    /// For calls of `object`.
    pub(super) fn new(object: Object<'db>, arc: Option<Ty<'db>>) -> OwnMaker<'db> {
        OwnMaker { object, arc, was_used: false, borrowed: Vec::new() }
    }

    /// Forgets the values that are no longer among the first `locals`.
    pub(super) fn forget_after(&mut self, locals: usize) {
        self.borrowed.retain(|local| (local.0 as usize) < locals);
    }
}

impl<'db> HarnessBuilder<'_, 'db> {
    /// The object of the call, or a reference to it, if that has the wanted type, to make another value.
    pub(super) fn own_maker(&mut self, wanted: Ty<'db>) -> Option<Result<LocalId, Reason>> {
        let OwnMaker { object, arc, .. } = *self.maker.as_ref()?;
        let is_handle = Some(wanted) == arc;
        let local = match wanted.kind() {
            _ if is_handle => self.call_helper("again", [object.ty], vec![object.owner.into()], wanted),
            TyKind::Ref(_, inner, mutability) if mutability.is_not() && Some(inner) == arc => Ok(object.owner),
            TyKind::Ref(_, inner, mutability) if mutability.is_not() && inner == object.ty => {
                Ok(object.shared.unwrap_or(object.owner))
            }
            _ => return None,
        };
        if let Some(maker) = &mut self.maker {
            maker.was_used = true;
        }
        Some(local.map(|local| if is_handle { local } else { self.assign(wanted, Rvalue::Use(local.into())) }))
    }

    /// Makes a value that a call borrows: one that the object made is dropped after the call.
    pub(super) fn make_borrowed(&mut self, ty: Ty<'db>, label: &str, depth: u32) -> Result<LocalId, Reason> {
        let Some(before) = self.maker.as_mut().map(|maker| std::mem::take(&mut maker.was_used)) else {
            return self.make(ty, label, depth);
        };
        let made = self.make(ty, label, depth);
        if let Some(maker) = &mut self.maker {
            maker.was_used &= made.is_ok();
            maker.borrowed.extend(made.as_ref().ok().filter(|_| maker.was_used));
            // What is made of it may have to be dropped too.
            maker.was_used |= before;
        }
        made
    }

    /// Drops the values that the object made and that its call has borrowed.
    pub(super) fn drop_borrowed(&mut self) {
        let borrowed = self.maker.as_mut().map(|maker| std::mem::take(&mut maker.borrowed));
        // A value may borrow from one that was made before.
        for local in borrowed.into_iter().flatten().rev() {
            self.drop(local);
        }
    }

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
