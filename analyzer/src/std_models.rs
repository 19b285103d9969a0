//! The table of native functions of std (decision 5).
//!
//! A function is identified by its canonical path (`core::mem::take`, `std::sys::sync::mutex::futex::Mutex::lock`,
//! `<std::sys::pal::unix::stack_overflow::Handler as core::ops::drop::Drop>::drop`). A function of an `extern` block
//! is identified by its name, wherever it is declared; a method of an integer or pointer by a path like `<u32>::pow`
//! or `<*mut T>::add`. The paths are those of the embedded std for x86_64 Linux, in the versions listed in [`STD`].
//!
//! These functions are the lowest level; everything above them is real source. A program starts at
//! `std::rt::lang_start` (see `instance::intrinsics::entry`) and uses std's own threads, panics and thread-locals.
//!
//! Before code generation uses a function's own body, it tries, in this order: [`model`] (a model replaces the body),
//! [`fast::fast`] (a model replaces the body as long as all values are known), [`redirect`] (another function's body
//! is used), `instance::intrinsics::generated` (the body is handwritten generic IR), and
//! `instance::intrinsics::name_of` (the function is instructions; tried at each call too).

pub mod api_access;
pub mod environment;
pub mod fast;
pub mod harness;
pub mod platform;
pub mod roles;
pub mod runtimes;
pub mod sites;
pub mod test_source;

use crate::{
    crate_models::{self, CrateModels},
    types::TypeCx,
};
use hir_def::{
    AdtId, FunctionId, HasModule, ItemContainerId, Lookup, ModuleDefId, ModuleId, TraitId,
    nameres::crate_def_map,
    signatures::{EnumSignature, FunctionSignature, StructSignature, TraitSignature, UnionSignature},
};
use hir_ty::{
    db::HirDatabase,
    next_solver::{GenericArgs, Ty, TyKind},
};
use interp::ir::{ModelId, WaitName};
use ra_ap_base_db::Crate;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand::name::Name;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// How a function is implemented instead of by its body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Native {
    /// A model of the machine, by name. It takes the function's parameters and writes its result, all in memory
    /// layout. Its only constants are the offsets of the fields of a `Duration`.
    Model(&'static str),
    /// The result is this integer. Zero also represents "done", "no", "null" and `None`.
    Int(u64),
    /// A fast body: a model of the machine with the same result and the same accesses as the real body. [`fast`]
    /// computes its constants.
    Fast(&'static str),
    /// Instructions, by their name in `intrinsics::emit`.
    Inline(&'static str),
    /// The body of another function of std with the same signature.
    Redirect(&'static str),
    /// A body in generic IR from `intrinsics::generated`.
    Generated(Generated),
}

/// Handwritten bodies in generic IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generated {
    /// Makes a value for a harness.
    Make(harness::View),
    /// One of a harness's calls.
    Call(harness::CallKind),
    /// `std::panicking::rust_panic`: takes the box out of the payload and starts unwinding with it.
    RustPanic,
}

use Native::{Fast, Inline, Int, Redirect};

/// Does nothing; the result is all zero bytes.
const NOTHING: Native = Int(0);

/// The result is the bytes of the argument.
const SAME: Native = Inline("same_bytes");

/// Models whose last parameter is a duration.
const TIMED: &[&str] = &["condvar_wait_timeout", "futex_wait", "park_timeout", "sleep_duration"];

const fn native(name: &'static str) -> Native {
    Native::Model(name)
}

/// The models for the standard library.
pub static STD: CrateModels = CrateModels {
    name: "std",
    versions: "~1.95",
    functions: FUNCTIONS,
    waits: roles::WAITS,
    sites: sites::FUNCTIONS,
    objects: api_access::OBJECTS,
    implementations: "",
};

/// Functions with a path, by area.
const FUNCTIONS: &[(&str, Native)] = &[
    // --- compiler intrinsics
    ("core::marker::FnPtr::addr", Inline("transmute")),
    // --- functions that are casts: collections call them often
    ("core::cell::UnsafeCell::get", SAME),
    ("core::cell::UnsafeCell::raw_get", SAME),
    ("core::mem::maybe_uninit::MaybeUninit::as_mut_ptr", SAME),
    ("core::mem::maybe_uninit::MaybeUninit::as_ptr", SAME),
    ("<*const T>::add", Inline("arith_offset")),
    ("<*const T>::cast", SAME),
    ("<*const T>::cast_mut", SAME),
    ("<*mut T>::add", Inline("arith_offset")),
    ("<*mut T>::cast", SAME),
    ("<*mut T>::cast_const", SAME),
    ("core::ptr::non_null::NonNull::add", Inline("arith_offset")),
    ("core::ptr::non_null::NonNull::as_ptr", SAME),
    ("core::ptr::non_null::NonNull::cast", SAME),
    ("core::ptr::non_null::NonNull::new_unchecked", SAME),
    ("core::ptr::unique::Unique::as_non_null_ptr", SAME),
    ("core::ptr::unique::Unique::as_ptr", SAME),
    ("core::ptr::unique::Unique::cast", SAME),
    // --- atomics: orderings are values here, const generics in the intrinsics
    ("core::sync::atomic::atomic_load", Inline("atomic::atomic_load")),
    ("core::sync::atomic::atomic_store", Inline("atomic::atomic_store")),
    ("core::sync::atomic::atomic_swap", Inline("atomic::atomic_swap")),
    ("core::sync::atomic::atomic_add", Inline("atomic::atomic_add")),
    ("core::sync::atomic::atomic_sub", Inline("atomic::atomic_sub")),
    ("core::sync::atomic::atomic_and", Inline("atomic::atomic_and")),
    ("core::sync::atomic::atomic_nand", Inline("atomic::atomic_nand")),
    ("core::sync::atomic::atomic_or", Inline("atomic::atomic_or")),
    ("core::sync::atomic::atomic_xor", Inline("atomic::atomic_xor")),
    ("core::sync::atomic::atomic_max", Inline("atomic::atomic_max")),
    ("core::sync::atomic::atomic_min", Inline("atomic::atomic_min")),
    ("core::sync::atomic::atomic_umax", Inline("atomic::atomic_umax")),
    ("core::sync::atomic::atomic_umin", Inline("atomic::atomic_umin")),
    ("core::sync::atomic::atomic_compare_exchange", Inline("atomic::atomic_compare_exchange")),
    ("core::sync::atomic::atomic_compare_exchange_weak", Inline("atomic::atomic_compare_exchange_weak")),
    ("core::sync::atomic::fence", Inline("atomic::fence")),
    ("core::sync::atomic::compiler_fence", Inline("atomic::compiler_fence")),
    ("core::hint::spin_loop", native("yield_now")),
    // --- locks: the machine holds their state, by the address of the object
    ("std::sys::sync::mutex::futex::Mutex::lock", native("mutex_lock")),
    ("std::sys::sync::mutex::futex::Mutex::try_lock", native("mutex_try_lock")),
    ("std::sys::sync::mutex::futex::Mutex::unlock", native("mutex_unlock")),
    ("std::sys::sync::rwlock::futex::RwLock::read", native("rwlock_read")),
    ("std::sys::sync::rwlock::futex::RwLock::try_read", native("rwlock_try_read")),
    ("std::sys::sync::rwlock::futex::RwLock::read_unlock", native("rwlock_read_unlock")),
    ("std::sys::sync::rwlock::futex::RwLock::write", native("rwlock_write")),
    ("std::sys::sync::rwlock::futex::RwLock::try_write", native("rwlock_try_write")),
    ("std::sys::sync::rwlock::futex::RwLock::write_unlock", native("rwlock_write_unlock")),
    ("std::sys::sync::rwlock::futex::RwLock::downgrade", native("rwlock_downgrade")),
    ("std::sys::sync::condvar::futex::Condvar::wait", native("condvar_wait")),
    ("std::sys::sync::condvar::futex::Condvar::wait_timeout", native("condvar_wait_timeout")),
    ("std::sys::sync::condvar::futex::Condvar::notify_one", native("condvar_notify_one")),
    ("std::sys::sync::condvar::futex::Condvar::notify_all", native("condvar_notify_all")),
    ("std::sys::sync::thread_parking::futex::Parker::park", native("park")),
    ("std::sys::sync::thread_parking::futex::Parker::park_timeout", native("park_timeout")),
    ("std::sys::sync::thread_parking::futex::Parker::unpark", native("unpark")),
    // `Once` is real source that uses these.
    ("std::sys::pal::unix::futex::futex_wait", native("futex_wait")),
    ("std::sys::pal::unix::futex::futex_wake", native("futex_wake")),
    ("std::sys::pal::unix::futex::futex_wake_all", native("futex_wake_all")),
    // --- threads: `Thread::new` and its start function are real source that uses `pthread_create`
    ("std::sys::thread::unix::yield_now", native("yield_now")),
    ("std::sys::thread::unix::sleep", native("sleep_duration")),
    ("std::sys::thread::unix::min_stack_size", Int(16 * 1024)),
    ("std::sys::thread::unix::set_name", native("thread_set_name")),
    // `None`: panic messages then show std's own thread id.
    ("std::sys::thread::unix::current_os_id", NOTHING),
    ("std::sys::thread::unix::cgroups::quota", Int(u64::MAX)),
    // --- thread-locals: the machine calls `destructors::run` at the end of a thread
    ("std::sys::thread_local::guard::key::enable", NOTHING),
    (
        "std::sys::thread_local::destructors::linux_like::register",
        Redirect("std::sys::thread_local::destructors::list::register"),
    ),
    // --- start and end of a process
    ("std::sys::pal::unix::init", NOTHING),
    ("std::sys::pal::unix::cleanup", NOTHING),
    ("std::sys::pal::unix::stack_overflow::Handler::new", NOTHING),
    ("<std::sys::pal::unix::stack_overflow::Handler as core::ops::drop::Drop>::drop", NOTHING),
    ("std::sys::exit::unique_thread_exit", NOTHING),
    ("std::sys::io::error::unix::errno", native("errno")),
    ("std::sys::io::error::unix::set_errno", native("set_errno")),
    // --- panics: everything except the unwinder is real source
    // `Some(BacktraceStyle::Off)`, as without `RUST_BACKTRACE`.
    ("std::panic::get_backtrace_style", Int(2)),
    ("std::panicking::rust_panic", Native::Generated(Generated::RustPanic)),
    ("std::__harness::make", Native::Generated(Generated::Make(harness::View::Inside))),
    ("std::__harness::make_public", Native::Generated(Generated::Make(harness::View::Outside))),
    ("std::__harness::threads::call_shared", Native::Generated(Generated::Call(harness::CallKind::Shared))),
    ("std::__harness::threads::call_again", Native::Generated(Generated::Call(harness::CallKind::Again))),
    ("std::__harness::threads::call_with", Native::Generated(Generated::Call(harness::CallKind::WithOther))),
    ("std::__harness::threads::call_owned", Native::Generated(Generated::Call(harness::CallKind::Owned))),
    ("std::__harness::threads::call_free", Native::Generated(Generated::Call(harness::CallKind::Free))),
    ("std::__harness::threads::end", Native::Generated(Generated::Call(harness::CallKind::Last))),
    // --- the intrinsic that it calls also returns `false`
    ("core::ub_checks::check_language_ub", NOTHING),
    // --- fast bodies
    ("<core::ops::range::Range as core::iter::traits::iterator::Iterator>::next", Fast("range_next")),
    ("<core::slice::iter::Iter as core::iter::traits::iterator::Iterator>::next", Fast("slice_next")),
    ("<core::slice::iter::IterMut as core::iter::traits::iterator::Iterator>::next", Fast("slice_next")),
    ("<core::hash::sip::Hasher as core::hash::Hasher>::write", Fast("sip_write")),
    ("<core::hash::sip::Hasher as core::hash::Hasher>::finish", Fast("sip_finish")),
    ("<u8>::_fmt_inner", Fast("decimal")),
    ("<u16>::_fmt_inner", Fast("decimal")),
    ("<u32>::_fmt_inner", Fast("decimal")),
    ("<u64>::_fmt_inner", Fast("decimal")),
    ("<usize>::_fmt_inner", Fast("decimal")),
    // Called at each lock and unlock.
    ("std::panicking::panicking", Fast("panicking")),
    ("std::thread::functions::panicking", Fast("panicking")),
    ("std::panicking::panic_count::increase", Fast("panic_begins")),
    ("core::str::validations::run_utf8_validation", Fast("utf8")),
    ("core::slice::memchr::memchr", Fast("memchr")),
    ("core::slice::memchr::memrchr", Fast("memrchr")),
    // --- environment
    ("std::sys::random::linux::hashmap_random_keys", native("random")),
    // `None`: the number of bytes to read is only a hint.
    ("std::fs::buffer_capacity_required", NOTHING),
];

/// Functions of `extern` blocks.
const FOREIGN: &[(&str, Native)] = &[
    // --- symbols that rustc defines
    ("__rust_alloc", native("alloc")),
    ("__rust_alloc_zeroed", native("alloc_zeroed")),
    ("__rust_dealloc", native("dealloc")),
    ("__rust_realloc", native("realloc")),
    ("__rust_no_alloc_shim_is_unstable_v2", NOTHING),
    ("__rust_alloc_error_handler", Redirect("std::alloc::rust_oom")),
    ("panic_impl", Redirect("std::panicking::panic_handler")),
    // Called by the generated `rust_panic` with the box from the payload.
    ("__rust_start_panic", native("rust_panic")),
    ("__rust_panic_cleanup", native("panic_cleanup")),
    // --- the C heap (`std::alloc::System`) and jemalloc's: the machine knows sizes, and alignments always suffice
    ("malloc", native("alloc")),
    ("calloc", native("calloc")),
    ("mallocx", native("alloc_zeroed")),
    ("rallocx", Inline("libc::realloc")),
    ("sdallocx", native("free")),
    ("dallocx", native("free")),
    ("free", native("free")),
    ("realloc", Inline("libc::realloc")),
    ("posix_memalign", Inline("libc::posix_memalign")),
    // --- mimalloc's
    ("mi_malloc", native("alloc")),
    ("mi_zalloc", native("alloc_zeroed")),
    ("mi_malloc_aligned", native("alloc")),
    ("mi_zalloc_aligned", native("alloc_zeroed")),
    ("mi_realloc_aligned", Inline("libc::realloc")),
    ("mi_free", native("free")),
    // --- AWS-LC's start, which leaves nothing that the program sees
    ("CRYPTO_library_init", NOTHING),
    ("FIPS_mode", NOTHING),
    // --- threads
    ("pthread_attr_init", native("pthread_attr_init")),
    ("pthread_attr_destroy", NOTHING),
    ("pthread_attr_setstacksize", native("pthread_attr_setstacksize")),
    ("pthread_getattr_np", Int(2)), // "No such file", as without `/proc`
    ("pthread_create", native("pthread_create")),
    ("pthread_join", native("thread_join")),
    ("pthread_detach", native("thread_detach")),
    ("pthread_self", native("thread_id")),
    // "Not supported": `available_parallelism` then calls `sysconf`.
    ("sched_getaffinity", Int(u64::MAX)),
    ("sysconf", native("sysconf")),
    // --- channels, used by our implementation of the flavours
    ("tsvd_channel_send", native("channel_send")),
    ("tsvd_channel_receive", native("channel_receive")),
    ("tsvd_channel_discard", native("channel_discard")),
    ("tsvd_channel_disconnect", native("channel_disconnect")),
    ("tsvd_channel_len", native("channel_len")),
    // --- process
    ("exit", native("exit")),
    ("_exit", native("exit_now")),
    ("abort", native("abort")),
    // --- no stream is a terminal
    ("isatty", NOTHING),
    // --- environment
    ("tsvd_argc", native("argc")),
    ("tsvd_argv", native("argv")),
    ("tsvd_environ", native("environ")),
    ("tsvd_makes_up", native("makes_up")),
    ("tsvd_number", native("number")),
    ("tsvd_chosen", native("chosen")),
    ("tsvd_chosen_call", native("chosen_call")),
    ("tsvd_call_ended", native("call_ended")),
    ("tsvd_half_way", native("half_way")),
    ("tsvd_has_option", native("has_option")),
    ("tsvd_text", native("text")),
    ("tsvd_name", native("name")),
    ("tsvd_main_panicked", native("main_panicked")),
    ("getenv", native("getenv")),
    ("setenv", native("setenv")),
    ("unsetenv", native("unsetenv")),
    ("strerror_r", Redirect("libc::errors::strerror_r")),
    ("clock_gettime", native("clock_gettime")),
    ("inotify_init", native("inotify_init")),
    ("inotify_init1", native("inotify_init1")),
    ("inotify_add_watch", native("inotify_add_watch")),
    ("inotify_rm_watch", native("inotify_rm_watch")),
    ("getpwuid_r", native("no_such_entry")),
    ("getpwnam_r", native("no_such_entry")),
    ("getgrgid_r", native("no_such_entry")),
    ("getgrnam_r", native("no_such_entry")),
    ("localtime_r", native("localtime_r")),
    ("gmtime_r", native("localtime_r")),
    ("tzset", NOTHING),
    ("strlen", Inline("libc::strlen")),
    ("memcmp", Inline("compare_bytes")),
    ("memchr", native("c_memchr")),
    ("abs", Inline("libc::abs")),
    ("labs", Inline("libc::abs")),
    ("llabs", Inline("libc::abs")),
    // --- libm
    ("acos", Inline("libm::acos")),
    ("acosf", Inline("libm::acos")),
    ("asin", Inline("libm::asin")),
    ("asinf", Inline("libm::asin")),
    ("atan", Inline("libm::atan")),
    ("atanf", Inline("libm::atan")),
    ("atan2", Inline("libm::atan2")),
    ("atan2f", Inline("libm::atan2")),
    ("cbrt", Inline("libm::cbrt")),
    ("cbrtf", Inline("libm::cbrt")),
    ("ceil", Inline("libm::ceil")),
    ("ceilf", Inline("libm::ceil")),
    ("copysign", Inline("libm::copysign")),
    ("copysignf", Inline("libm::copysign")),
    ("cos", Inline("libm::cos")),
    ("cosf", Inline("libm::cos")),
    ("cosh", Inline("libm::cosh")),
    ("coshf", Inline("libm::cosh")),
    ("exp", Inline("libm::exp")),
    ("expf", Inline("libm::exp")),
    ("exp2", Inline("libm::exp2")),
    ("exp2f", Inline("libm::exp2")),
    ("expm1", Inline("libm::expm1")),
    ("expm1f", Inline("libm::expm1")),
    ("fabs", Inline("libm::fabs")),
    ("fabsf", Inline("libm::fabs")),
    ("floor", Inline("libm::floor")),
    ("floorf", Inline("libm::floor")),
    ("fma", Inline("libm::fma")),
    ("fmaf", Inline("libm::fma")),
    ("hypot", Inline("libm::hypot")),
    ("hypotf", Inline("libm::hypot")),
    ("log", Inline("libm::log")),
    ("logf", Inline("libm::log")),
    ("log10", Inline("libm::log10")),
    ("log10f", Inline("libm::log10")),
    ("log1p", Inline("libm::log1p")),
    ("log1pf", Inline("libm::log1p")),
    ("log2", Inline("libm::log2")),
    ("log2f", Inline("libm::log2")),
    ("pow", Inline("libm::pow")),
    ("powf", Inline("libm::pow")),
    ("round", Inline("libm::round")),
    ("roundf", Inline("libm::round")),
    ("sin", Inline("libm::sin")),
    ("sinf", Inline("libm::sin")),
    ("sinh", Inline("libm::sinh")),
    ("sinhf", Inline("libm::sinh")),
    ("sqrt", Inline("libm::sqrt")),
    ("sqrtf", Inline("libm::sqrt")),
    ("tan", Inline("libm::tan")),
    ("tanf", Inline("libm::tan")),
    ("tanh", Inline("libm::tanh")),
    ("tanhf", Inline("libm::tanh")),
    ("trunc", Inline("libm::trunc")),
    ("truncf", Inline("libm::trunc")),
];

/// Supported inline assembly: the complete template, and the function that implements it for its single operand, a
/// pointer.
const ASSEMBLY: &[(&str, &str)] = &[("lock not qword ptr [{0}]", "core::core_arch::arch::x86_64::__lock_not")];

/// The function that implements the inline assembly with this template.
pub fn assembly(db: &dyn HirDatabase, krate: Crate, template: &str) -> Option<FunctionId> {
    let (_, path) = ASSEMBLY.iter().find(|(known, _)| *known == template)?;
    function(db, krate, path)
}

/// The function that makes a system call of its number and six arguments.
pub fn system_call(db: &dyn HirDatabase, krate: Crate) -> Option<FunctionId> {
    function(db, krate, "core::core_arch::system_calls::__system_call")
}

/// The table entry of `func`. It is looked up for each instance of a function.
#[salsa::tracked(returns(copy))]
pub fn lookup(db: &dyn HirDatabase, func: FunctionId) -> Option<&'static Native> {
    let signature = FunctionSignature::of(db, func);
    let name = signature.name.as_str();
    if let ItemContainerId::ExternBlockId(_) = func.lookup(db).container {
        let tables = FOREIGN.iter().chain(environment::FOREIGN);
        return tables.into_iter().find(|(foreign, _)| *foreign == name).map(|(_, native)| native);
    }
    crate_models::row(db, func, |models| models.functions)
}

/// The name for reports of a wait in a function of std, where it is clearer than the name of the primitive.
pub fn waits_for(db: &dyn HirDatabase, func: FunctionId) -> Option<WaitName> {
    crate_models::row(db, func, |models| models.waits).copied()
}

/// The model that replaces a function's body, and its constants: offsets in `Duration` for models that take one.
pub fn model<'db>(cx: &mut TypeCx<'db>, func: FunctionId, args: GenericArgs<'db>) -> Option<(ModelId, Box<[u64]>)> {
    let Native::Model(name) = lookup(cx.db, func)? else { return None };
    let consts = match *name {
        timed if TIMED.contains(&timed) => duration_offsets(cx, func, args).unwrap_or_default(),
        filling if environment::FILLING.contains(&filling) => environment::filled(cx, func, args),
        _ => Box::default(),
    };
    Some((interp::models::find(name)?, consts))
}

/// Offsets of seconds and nanoseconds in the function's last parameter, a `Duration` or `Option<Duration>`.
fn duration_offsets<'db>(cx: &mut TypeCx<'db>, func: FunctionId, args: GenericArgs<'db>) -> Option<Box<[u64]>> {
    let interner = cx.interner;
    let sig = cx.db.callable_item_signature(func.into()).instantiate(interner, args).skip_norm_wip();
    let last = *interner.instantiate_bound_regions_with_erased(sig).inputs().last()?;
    let (_, of) = last.as_adt()?;
    let duration = of.types().next().unwrap_or(last);
    let duration = cx.normalize(duration);
    let layout = cx.layout(duration).ok()?;
    Some([layout.field(0, 0).ok()?, layout.field(0, 1).ok()?].into())
}

/// The function whose body replaces a function's body.
pub fn redirect(cx: &TypeCx<'_>, func: FunctionId) -> Option<FunctionId> {
    match lookup(cx.db, func)? {
        Native::Redirect(path) => function(cx.db, cx.krate, path),
        _ => None,
    }
}

/// The canonical path of a function, see the module's documentation. `None` for a function in another function's
/// body, and for a method of a type other than struct, enum, union, integer or pointer.
pub fn path(db: &dyn HirDatabase, func: FunctionId) -> Option<String> {
    let owner = match func.lookup(db).container {
        ItemContainerId::ImplId(id) => {
            let of = type_path(db, db.impl_self_ty(id).instantiate_identity().skip_norm_wip())?;
            match db.impl_trait(id) {
                Some(trait_) => {
                    let trait_ = trait_.instantiate_identity().skip_norm_wip().def_id.0;
                    format!("<{of} as {}>", trait_path(db, trait_)?)
                }
                None => of,
            }
        }
        ItemContainerId::TraitId(id) => trait_path(db, id)?,
        ItemContainerId::ModuleId(_) | ItemContainerId::ExternBlockId(_) => module_path(db, func.module(db))?,
    };
    Some(format!("{owner}::{}", FunctionSignature::of(db, func).name.as_str()))
}

/// Whether a trait is `Send` or `Sync`.
pub fn is_thread_safety(db: &dyn HirDatabase, id: TraitId) -> bool {
    matches!(trait_path(db, id).as_deref(), Some("core::marker::Send" | "core::marker::Sync"))
}

/// Whether a type is that of futures which are never ready.
pub(crate) fn is_never_ready(db: &dyn HirDatabase, ty: Ty<'_>) -> bool {
    let path = type_path(db, ty);
    matches!(path.as_deref(), Some("core::future::pending::Pending" | "futures_util::future::pending::Pending"))
}

fn trait_path(db: &dyn HirDatabase, id: TraitId) -> Option<String> {
    Some(format!("{}::{}", module_path(db, id.module(db))?, TraitSignature::of(db, id).name.as_str()))
}

fn type_path(db: &dyn HirDatabase, ty: Ty<'_>) -> Option<String> {
    match ty.kind() {
        TyKind::Uint(it) => return Some(format!("<{}>", it.name_str())),
        TyKind::Int(it) => return Some(format!("<{}>", it.name_str())),
        // Pointers to slices have their own methods.
        TyKind::RawPtr(to, mutability) if matches!(to.kind(), TyKind::Param(_)) => {
            return Some(format!("<*{} T>", mutability.ptr_str()));
        }
        _ => {}
    }
    adt_path(db, ty.as_adt()?.0)
}

/// The path of a type's definition, without arguments.
pub(crate) fn adt_path(db: &dyn HirDatabase, adt: AdtId) -> Option<String> {
    let name = match adt {
        AdtId::StructId(id) => StructSignature::of(db, id).name.clone(),
        AdtId::UnionId(id) => UnionSignature::of(db, id).name.clone(),
        AdtId::EnumId(id) => EnumSignature::of(db, id).name.clone(),
    };
    Some(format!("{}::{}", module_path(db, adt.module(db))?, name.as_str()))
}

fn module_path(db: &dyn HirDatabase, module: ModuleId) -> Option<String> {
    let mut segments = Vec::new();
    let mut next = Some(module);
    while let Some(module) = next {
        if module.is_block_module(db) {
            return None;
        }
        segments.extend(module.name(db).map(|name| name.as_str().to_owned()));
        next = module.containing_module(db);
    }
    segments.push(crate_name(db, module.krate(db))?);
    segments.reverse();
    Some(segments.join("::"))
}

fn crate_name(db: &dyn HirDatabase, krate: Crate) -> Option<String> {
    Some(krate.extra_data(db).display_name.as_ref()?.crate_name().to_string())
}

/// The free function with this path, in a crate visible from `krate`.
pub fn function(db: &dyn HirDatabase, krate: Crate, path: &str) -> Option<FunctionId> {
    let (modules, name) = path.rsplit_once("::")?;
    let mut modules = modules.split("::");
    let first = modules.next()?;
    let krate = krate
        .transitive_deps(db)
        .into_iter()
        .find(|&dep| dep.data(db).origin.is_lang() && crate_name(db, dep).as_deref() == Some(first))?;
    let mut module: ModuleId = crate_def_map(db, krate).root_module_id();
    for name in modules {
        module = *module.def_map(db)[module].children.get(&Name::new_root(name))?;
    }
    match module.def_map(db)[module].scope.get(&Name::new_root(name)).values?.def {
        ModuleDefId::FunctionId(id) => Some(id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{self, Input, LoadOptions};

    #[test]
    fn models_exist() {
        let of_crates = crate_models::ALL.iter().flat_map(|models| models.functions);
        for (name, native) in of_crates.chain(FOREIGN).chain(environment::FOREIGN) {
            if let Native::Model(model) | Fast(model) = native {
                assert!(interp::models::find(model).is_some(), "{name}: no model `{model}`");
            }
        }
    }

    #[test]
    fn paths_exist() {
        let file = std::env::temp_dir().join(format!("tsvd-std-models-{}.rs", std::process::id()));
        std::fs::write(&file, "fn main() {}").unwrap();
        let project = project::load(&Input::from_path(&file), &LoadOptions::default()).unwrap();
        std::fs::remove_file(&file).unwrap();
        let wrong: Vec<String> = project.with_db(|project| {
            let (db, krate) = (project.db(), project.local_crates()[0].into());
            let known = |&&(path, native): &&(&str, Native)| {
                let found = project.find_std_item(path);
                found.is_some_and(|func| lookup(db, func).copied() == Some(native))
            };
            let absent = FUNCTIONS.iter().filter(|entry| !known(entry)).map(|(path, _)| (*path).to_owned());
            let targets = FUNCTIONS.iter().chain(FOREIGN).filter_map(|(_, native)| match native {
                Redirect(target) => Some(*target),
                _ => None,
            });
            let waits = roles::WAITS.iter().filter(|(path, wait)| {
                let found = project.find_std_item(path);
                found.and_then(|func| waits_for(db, func)) != Some(*wait)
            });
            let absent = absent.chain(waits.map(|(path, _)| (*path).to_owned()));
            let lost = targets.filter(|target| function(db, krate, target).is_none()).map(str::to_owned);
            absent.chain(lost).collect()
        });
        assert_eq!(wrong, Vec::<String>::new());
    }

    /// A fast body that does not support a layout falls back to the real body, which no other test would notice.
    #[test]
    fn fast_bodies_are_used() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fast_bodies/each.rs");
        let project = project::load(&Input::from_path(file), &LoadOptions::default()).unwrap();
        let used = project.with_db(|project| {
            let mut program = crate::explore::Prepared::new(project, &project.binaries()[0]);
            program.interpret(&crate::explore::Options::default(), &mut Vec::new());
            program.fast_bodies()
        });
        let unused: Vec<_> = FUNCTIONS
            .iter()
            .filter_map(|(path, native)| match native {
                Fast(model) if used.iter().filter(|it| *it == model).count() == 0 => Some(*path),
                _ => None,
            })
            .collect();
        assert_eq!(unused, Vec::<&str>::new());
        assert!(used.contains(&"decimal"), "{used:?}");
    }
}
