//! The tables of one exploration, and the machine's host.
//!
//! Ids are assigned in order of discovery, so runs that reach the same code assign the same ids (invariant 3).

use super::{
    GlobalKey, InstanceKey, VtableKey, allocator, bodies, builder::Optimisation, glue, known, names, shims, site,
    vtable,
};
use crate::{
    budget,
    guard::{self, Failure},
    harness::{self, Harness, HarnessTarget, Start, TestWithCalls},
    ir::{self, BodyIr, LoweredBody},
    names::{NestedCall, NestedCaller},
    project::StartedPrograms,
    source::SourceMap,
    std_models::{
        api_access,
        harness::{self as harness_std, HelperRole},
        sites,
    },
    types::{TypeCx, names::without_arguments},
};
use hir::AsAssocItem as _;
use hir_def::{AdtId, CallableDefId, DefWithBodyId, FunctionId, StaticId, hir::ExprId};
use hir_ty::{
    InferBodyId,
    db::HirDatabase,
    next_solver::{GenericArgs, TyKind},
};
use indexmap::{IndexMap, IndexSet};
use interp::{
    finding::StackEntry,
    host::{Dictionary, Host, KnownFn, LocationLayout, Programs, SourceLoc},
    ir::{Body, CauseId, Code, CodeFlags, DataId, FRAME_ALIGN, FnId, Global, GlobalId, Site, Trap, Vtable, VtableId},
};
use ra_ap_base_db::Crate;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::{FxBuildHasher, FxHashMap};
use rustc_type_ir::inherent::IntoKind;
use std::{cell::OnceCell, rc::Rc, sync::Arc};

/// The provider of generic IR.
pub trait Bodies {
    /// Lowered body of a definition.
    fn lowered(&self, def: DefWithBodyId) -> Arc<LoweredBody>;
}

/// Code, tables and caches of one exploration. Use them only inside [`hir_ty::attach_db`].
pub struct Program<'db> {
    /// Queries about types.
    pub types: TypeCx<'db>,
    /// Whether code is optimised.
    pub optimisation: Optimisation,
    bodies: &'db dyn Bodies,
    instances: IndexMap<InstanceKey, Option<Rc<Code>>, FxBuildHasher>,
    globals: IndexMap<GlobalKey, Option<Arc<Global>>, FxBuildHasher>,
    vtables: IndexMap<VtableKey, Option<Arc<Vtable>>, FxBuildHasher>,
    data: IndexSet<Arc<[u8]>, FxBuildHasher>,
    causes: IndexSet<Arc<str>, FxBuildHasher>,
    lowered: FxHashMap<DefWithBodyId, Arc<LoweredBody>>,
    traps: FxHashMap<Trap, Option<FnId>>,
    allocator: OnceCell<Option<StaticId>>,
    dictionary: OnceCell<Dictionary>,
    harnesses: FxHashMap<HarnessTarget, Harness>,
    /// The type whose methods two threads call in the futures of tests, and these tests.
    called_in_futures: Option<AdtId>,
    tests_with_calls: FxHashMap<(FunctionId, AdtId), Option<TestWithCalls>>,
    /// The crate of the entry: the program's allocator and words are those that it sees.
    krate: Crate,
    /// The path of the entry's program.
    own: Arc<[u8]>,
    /// The paths of the programs that a run can start, and where they start.
    known: Arc<[Box<[u8]>]>,
    starts: Vec<Start>,
}

impl<'db> Program<'db> {
    /// An empty program that can reach everything that `krate` sees.
    pub fn new(db: &'db dyn HirDatabase, krate: Crate, bodies: &'db dyn Bodies, source: &'db dyn SourceMap) -> Self {
        Program {
            types: TypeCx::new(db, krate, source),
            optimisation: Optimisation::Full,
            bodies,
            instances: IndexMap::default(),
            globals: IndexMap::default(),
            vtables: IndexMap::default(),
            data: IndexSet::default(),
            causes: IndexSet::default(),
            lowered: FxHashMap::default(),
            traps: FxHashMap::default(),
            allocator: OnceCell::new(),
            dictionary: OnceCell::new(),
            harnesses: FxHashMap::default(),
            called_in_futures: None,
            tests_with_calls: FxHashMap::default(),
            krate,
            own: Programs::default().own,
            known: Arc::default(),
            starts: Vec::new(),
        }
    }

    /// Goes on with an entry of this crate, whose allocator must be the same, and with the programs that it can start.
    pub fn set_entry(&mut self, krate: Crate, programs: &StartedPrograms) {
        if krate != self.krate {
            self.dictionary = OnceCell::new();
        }
        self.krate = krate;
        self.own = programs.own.as_bytes().into();
        self.known = programs.known.iter().map(|(path, _)| path.as_bytes().into()).collect();
        self.starts = programs.known.iter().map(|(_, start)| *start).collect();
    }

    /// The crate of the entry.
    pub fn krate(&self) -> Crate {
        self.krate
    }

    /// The function `func`, without generic arguments, as an entry.
    pub fn entry(&mut self, func: FunctionId) -> FnId {
        let args = self.types.erased_args(func, []);
        self.instance(InstanceKey::Fn(func, args.store()))
    }

    /// A process that runs a `main` or a harness in std's runtime.
    pub fn process(&mut self, start: Start) -> FnId {
        self.instance(InstanceKey::Main(start))
    }

    /// The generic IR of a harness.
    pub(crate) fn harness(&mut self, target: HarnessTarget) -> Harness {
        if let Some(known) = self.harnesses.get(&target) {
            return known.clone();
        }
        let harness = harness::build(&mut self.types, target);
        self.harnesses.insert(target, harness.clone());
        harness
    }

    /// Two threads call methods of this type in the futures of tests from now on. The code of such a test is not that of the
    /// test itself.
    pub(crate) fn call_in_futures(&mut self, adt: Option<AdtId>) {
        self.called_in_futures = adt;
    }

    /// The generic IR of a test in which two threads call methods of a type.
    pub(super) fn test_with_calls(&mut self, test: FunctionId, adt: AdtId) -> Option<TestWithCalls> {
        if let Some(known) = self.tests_with_calls.get(&(test, adt)) {
            return known.clone();
        }
        let lowered = self.lowered(test.into());
        let made = harness::with_calls(&mut self.types, &lowered, adt);
        self.tests_with_calls.insert((test, adt), made.clone());
        made
    }

    /// The same of a future in such a test.
    pub(super) fn future_with_calls(&mut self, owner: DefWithBodyId, expr: ExprId) -> Option<Arc<BodyIr>> {
        let DefWithBodyId::FunctionId(test) = owner else { return None };
        let made = self.tests_with_calls.get(&(test, self.called_in_futures?))?.as_ref()?;
        made.futures.iter().find(|(it, _)| *it == expr).map(|(_, body)| body.clone())
    }

    /// Whether a body is one of the helpers of harnesses.
    pub(crate) fn is_helper(&self, owner: DefWithBodyId) -> bool {
        harness::is_helper(self.types.db, owner)
    }

    /// Whether an instance is a function that waits for a lock of lock_api's traits.
    pub(crate) fn is_raw_lock(&self, func: FnId) -> bool {
        matches!(self.key(func), Some(InstanceKey::Fn(func, _)) if sites::is_raw_lock(self.types.db, *func))
    }

    /// The role of an instance among the helpers of harnesses.
    pub(crate) fn helper_role(&self, func: FnId) -> Option<HelperRole> {
        match self.key(func)? {
            InstanceKey::Fn(func, _) => harness_std::role(self.types.db, *func),
            _ => None,
        }
    }

    /// The call of a harness that a stack is in, and the call that is made within it.
    pub(crate) fn nested_call(&self, stack: &[StackEntry]) -> Option<NestedCall> {
        let mut called = stack.iter().filter_map(|entry| self.name_of_call(entry.func));
        let (call, of) = (called.next()?, called.next()?);
        let is_waker = |entry: &StackEntry| self.helper_role(entry.func) == Some(HelperRole::Wakes);
        let by = match stack.iter().find_map(|entry| self.method_of_stub(entry.func)) {
            Some(method) => NestedCaller::Method(method),
            None if stack.iter().any(is_waker) => NestedCaller::Waker,
            None => NestedCaller::Callback,
        };
        Some(NestedCall { of, call, by })
    }

    /// The name of the function that an instance of a harness's helper calls. A call that only polls a future has the
    /// name of that future's `poll`.
    pub(crate) fn name_of_call(&self, func: FnId) -> Option<String> {
        let InstanceKey::Fn(called, args) = self.call_of_helper(func)? else { return None };
        if harness_std::role(self.types.db, called) != Some(HelperRole::Passes) {
            return Some(self.types.function_name(called));
        }
        let future = args.as_ref().types().next()?;
        Some(format!("{}::poll", without_arguments(&self.types.type_name(future))))
    }

    /// The method of a trait, such as `Manager::create`, that an instance implements for a stub.
    fn method_of_stub(&self, func: FnId) -> Option<String> {
        let InstanceKey::Fn(func, _) = self.key(func)? else { return None };
        let TypeCx { db, source, .. } = self.types;
        let of = hir::Function::from(*func);
        if !source.has_stub(of.module(db).krate(db).into()) {
            return None;
        }
        let implemented = of.as_assoc_item(db)?.implemented_trait(db)?;
        Some(format!("{}::{}", implemented.name(db).as_str(), of.name(db).as_str()))
    }

    /// The function that an instance of a harness's helper calls.
    pub(crate) fn called_by_helper(&self, func: FnId) -> Option<FunctionId> {
        match self.call_of_helper(func)? {
            InstanceKey::Fn(func, _) => Some(func),
            _ => None,
        }
    }

    fn call_of_helper(&self, func: FnId) -> Option<InstanceKey> {
        let Some(InstanceKey::Fn(_, args)) = self.key(func) else { return None };
        if self.helper_role(func) != Some(HelperRole::Calls) {
            return None;
        }
        let TyKind::FnDef(def, args) = args.as_ref().types().next()?.kind() else { return None };
        match def.0 {
            CallableDefId::FunctionId(func) => Some(InstanceKey::Fn(func, args.store())),
            _ => None,
        }
    }

    /// A stand-in, at its declaration, for the code of the function that an instance of a harness's helper calls; `None` if
    /// it is not the workspace's.
    pub(crate) fn located_call_of_helper(&mut self, helper: FnId) -> Option<FnId> {
        let called = self.called_by_helper(helper)?;
        let krate = hir_def::HasModule::krate(&called, self.types.db);
        let key = self.call_of_helper(helper).filter(|_| self.types.source.is_local(krate))?;
        Some(self.instance(InstanceKey::Located(Box::new(key), called)))
    }

    /// Whether an instance stands for another function.
    pub(crate) fn is_stand_in(&self, func: FnId) -> bool {
        matches!(self.key(func), Some(InstanceKey::Located(..)))
    }

    /// Whether an instance is a harness.
    pub(crate) fn is_harness_frame(&self, func: FnId) -> bool {
        matches!(self.key(func), Some(InstanceKey::Harness(_) | InstanceKey::InTest(..)))
    }

    /// Whether a function is a harness's, or one of their helpers that makes a call.
    pub(crate) fn is_of_harness(&self, func: FnId) -> bool {
        self.is_harness_frame(func) || self.helper_role(func) == Some(HelperRole::Calls)
    }

    /// The program's `#[global_allocator]`, if it has one.
    pub(super) fn allocator(&self) -> Option<StaticId> {
        let TypeCx { db, source, .. } = self.types;
        *self.allocator.get_or_init(|| allocator::find(db, source, self.krate))
    }

    /// The body, and the location in it, of a site of an instance.
    pub fn source_site(&self, func: FnId, site: Site) -> Option<(DefWithBodyId, ir::Site)> {
        let key = self.key(func)?;
        match (key, self.closure_of(key)) {
            (InstanceKey::Located(_, at), _) => Some(((*at).into(), ir::Site::None)),
            (_, Some((owner, expr))) => Some((owner, ir::Site::Expr(expr))),
            _ => Some((names::owner(key)?, site::decode(site)?)),
        }
    }

    /// The body from which code was generated, or the body at which generated code is located.
    pub fn body_of(&self, func: FnId) -> Option<DefWithBodyId> {
        let key = self.key(func)?;
        self.closure_of(key).map(|(owner, _)| owner).or_else(|| names::owner(key))
    }

    /// The closure or async body at which generated code is located: polling a completed future panics there, and a
    /// closure's captures are dropped there.
    pub(super) fn closure_of(&self, key: &InstanceKey) -> Option<(DefWithBodyId, ExprId)> {
        let (InstanceKey::CoroutinePoll(ty) | InstanceKey::DropCaptures(ty)) = key else { return None };
        let body = match ty.as_ref().kind() {
            TyKind::Closure(id, _) => id.0.loc(self.types.db),
            TyKind::Coroutine(id, _) => id.0.loc(self.types.db),
            TyKind::CoroutineClosure(id, _) => id.0.loc(self.types.db),
            _ => return None,
        };
        let InferBodyId::DefWithBodyId(owner) = body.owner else { return None };
        Some((owner, body.expr))
    }

    /// Generic IR of a definition.
    pub fn lowered(&mut self, def: DefWithBodyId) -> Arc<LoweredBody> {
        let bodies = self.bodies;
        self.lowered.entry(def).or_insert_with(|| bodies.lowered(def)).clone()
    }

    /// The definitions whose generic IR was requested, in unspecified order.
    pub fn bodies(&self) -> Vec<DefWithBodyId> {
        self.lowered.keys().copied().collect()
    }

    /// Whether the program's dictionary was requested.
    pub fn has_dictionary(&self) -> bool {
        self.dictionary.get().is_some()
    }

    /// The number of an instance.
    pub fn instance(&mut self, key: InstanceKey) -> FnId {
        let entry = self.instances.entry(key);
        let index = entry.index();
        entry.or_insert(None);
        FnId(index as u32)
    }

    /// The instance with this number.
    pub fn key(&self, func: FnId) -> Option<&InstanceKey> {
        self.instances.get_index(func.0 as usize).map(|(key, _)| key)
    }

    /// Number of instances discovered.
    pub fn instance_count(&self) -> usize {
        self.instances.len()
    }

    /// The models of the fast bodies reached so far, in order of discovery.
    pub fn fast_bodies(&self) -> Vec<&'static str> {
        let codes = self.instances.values().flatten();
        let models = codes.filter_map(|code| match &code.body {
            Body::Fast { model, .. } => interp::models::name(*model),
            _ => None,
        });
        models.collect()
    }

    /// The number of a global.
    pub fn global_id(&mut self, key: GlobalKey) -> GlobalId {
        let entry = self.globals.entry(key);
        let index = entry.index();
        entry.or_insert(None);
        GlobalId(index as u32)
    }

    /// The static with this number, if it is one.
    pub fn static_of(&self, global: GlobalId) -> Option<StaticId> {
        match self.globals.get_index(global.0 as usize)?.0 {
            GlobalKey::Static(id) => Some(*id),
            _ => None,
        }
    }

    /// The path of the type whose method a function is.
    pub fn method_owner(&self, func: FnId) -> Option<String> {
        match self.key(func)? {
            InstanceKey::Fn(func, _) | InstanceKey::Real(func, _) => api_access::owner_path(self.types.db, *func),
            InstanceKey::Closure(DefWithBodyId::FunctionId(func), ..) => api_access::owner_path(self.types.db, *func),
            _ => None,
        }
    }

    /// The number of a vtable.
    pub fn vtable_id(&mut self, key: VtableKey) -> VtableId {
        let entry = self.vtables.entry(key);
        let index = entry.index();
        entry.or_insert(None);
        VtableId(index as u32)
    }

    /// The number of a literal.
    pub fn data_id(&mut self, bytes: &[u8]) -> DataId {
        if let Some(index) = self.data.get_index_of(bytes) {
            return DataId(index as u32);
        }
        DataId(self.data.insert_full(bytes.into()).0 as u32)
    }

    /// The number of a cause.
    pub fn cause_id(&mut self, text: &str) -> CauseId {
        if let Some(index) = self.causes.get_index_of(text) {
            return CauseId(index as u32);
        }
        CauseId(self.causes.insert_full(text.into()).0 as u32)
    }

    /// Causes of uninterpreted values so far, in order of discovery.
    pub fn causes(&self) -> impl Iterator<Item = &Arc<str>> {
        self.causes.iter()
    }

    fn generate(&mut self, key: &InstanceKey) -> Code {
        match key {
            InstanceKey::Fn(func, args) | InstanceKey::Real(func, args) => {
                bodies::function(self, key, *func, args.as_ref())
            }
            InstanceKey::Native(func) => bodies::native(self, key, *func),
            InstanceKey::Closure(owner, expr, args) | InstanceKey::CoroutineBody(owner, expr, args) => {
                bodies::closure(self, key, *owner, *expr, args.as_ref())
            }
            InstanceKey::ConstInit(id, args) => bodies::initialiser(self, key, (*id).into(), args.as_ref()),
            InstanceKey::StaticInit(id) => {
                let args = GenericArgs::empty(self.types.interner);
                bodies::initialiser(self, key, (*id).into(), args)
            }
            InstanceKey::Promoted(parent, _) => bodies::promoted(self, key, parent),
            InstanceKey::BuiltinDerive(imp, method, args) => bodies::derive(self, key, *imp, *method, args.as_ref()),
            InstanceKey::Harness(target) => bodies::harness(self, key, *target),
            InstanceKey::InTest(func, adt) => bodies::in_test(self, key, *func, *adt),
            InstanceKey::DropGlue(ty) => glue::drop_glue(self, key, ty.as_ref()),
            _ => shims::shim(self, key),
        }
    }

    /// Code with the parameters of `key` whose effect is unknown.
    pub(super) fn unknown_code(&mut self, key: &InstanceKey, cause: &str) -> Code {
        let cause = self.cause_id(cause);
        Code {
            name: names::instance(self, key),
            body: Body::Unknown { cause },
            frame_size: 0,
            frame_align: FRAME_ALIGN,
            params: Box::new([]),
            ret: (0, 0),
            instrs: Box::new([]),
            sites: Box::new([]),
            unwind: Box::new([]),
            flags: CodeFlags::default(),
        }
    }
}

impl Host for Program<'_> {
    fn code(&mut self, func: FnId) -> Rc<Code> {
        let Some((key, code)) = self.instances.get_index(func.0 as usize) else {
            return Rc::new(Code {
                name: "?".into(),
                body: Body::Unknown { cause: self.cause_id("unknown function") },
                frame_size: 0,
                frame_align: FRAME_ALIGN,
                params: Box::new([]),
                ret: (0, 0),
                instrs: Box::new([]),
                sites: Box::new([]),
                unwind: Box::new([]),
                flags: CodeFlags::default(),
            });
        };
        if let Some(code) = code {
            return code.clone();
        }
        let key = key.clone();
        let db = self.types.db;
        let code = guard::bounded(db, names::owner(&key), || self.generate(&key));
        let code = Rc::new(code.unwrap_or_else(|failure| {
            let cause = match failure {
                Failure::Panicked => "rust-analyzer panicked",
                Failure::Stopped(stop) => stop.text(),
            };
            self.unknown_code(&key, cause)
        }));
        self.instances[func.0 as usize] = Some(code.clone());
        code
    }

    fn global(&mut self, global: GlobalId) -> Arc<Global> {
        let (key, made) = self.globals.get_index(global.0 as usize).expect("the id was handed out by this table");
        if let Some(made) = made {
            return made.clone();
        }
        let key = key.clone();
        let db = self.types.db;
        let made = guard::caught(db, || bodies::global(self, &key));
        let made = Arc::new(made.unwrap_or_else(|| {
            let init = self.instance(bodies::initialiser_key(&key));
            Global { name: "?".into(), size: 0, align: 1, init, thread_local: false, is_static: false, lost: None }
        }));
        self.globals[global.0 as usize] = Some(made.clone());
        made
    }

    fn data(&mut self, data: DataId) -> Arc<[u8]> {
        self.data.get_index(data.0 as usize).expect("the id was handed out by this table").clone()
    }

    fn vtable(&mut self, id: VtableId) -> Arc<Vtable> {
        let (key, made) = self.vtables.get_index(id.0 as usize).expect("the id was handed out by this table");
        if let Some(made) = made {
            return made.clone();
        }
        let key = key.clone();
        let db = self.types.db;
        let made = guard::caught(db, || vtable::vtable(self, &key));
        let made = Arc::new(made.unwrap_or_else(|| Vtable {
            name: "?".into(),
            size: 0,
            align: 1,
            drop: None,
            methods: Box::new([]),
        }));
        self.vtables[id.0 as usize] = Some(made.clone());
        made
    }

    fn trap_fn(&mut self, trap: Trap) -> Option<FnId> {
        if let Some(known) = self.traps.get(&trap) {
            return *known;
        }
        let func = known::trap(self, trap).map(|func| self.entry(func));
        self.traps.insert(trap, func);
        func
    }

    fn known_fn(&mut self, known: KnownFn) -> Option<FnId> {
        known::function(self, known).map(|func| self.entry(func))
    }

    fn locate(&mut self, func: FnId, site: Site) -> Option<SourceLoc> {
        // Calls in drop glue are located in the function in which rustc puts the glue.
        let (owner, site) = match (self.key(func)?, self.types.interner.lang_items().DropInPlace) {
            (InstanceKey::DropGlue(_), Some(drop)) => (drop.into(), ir::Site::None),
            _ => self.source_site(func, site)?,
        };
        let source = self.types.source;
        guard::caught(self.types.db, || source.locate(owner, site)).flatten()
    }

    fn location_layout(&mut self) -> LocationLayout {
        guard::caught(self.types.db, || known::location_layout(self)).flatten().unwrap_or(LocationLayout {
            size: 24,
            file: 0,
            line: 16,
            column: 20,
        })
    }

    fn cancelled(&mut self) -> bool {
        // Unwinds to stop the analysis.
        budget::unwind_if_edited(self.types.db);
        budget::is_out_of_memory()
    }

    fn dictionary(&mut self) -> Dictionary {
        self.dictionary.get_or_init(|| self.types.source.dictionary(self.krate)).clone()
    }

    fn programs(&mut self) -> Programs {
        Programs { own: self.own.clone(), known: self.known.clone() }
    }

    fn program(&mut self, index: usize) -> Option<FnId> {
        let start = *self.starts.get(index)?;
        Some(self.process(start))
    }

    fn cause(&mut self, cause: CauseId) -> Arc<str> {
        self.causes.get_index(cause.0 as usize).cloned().unwrap_or_else(|| "?".into())
    }
}
