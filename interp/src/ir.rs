//! The machine IR: linear code over the byte slots of a frame.
//!
//! One [`Code`] is the code of one *instance*: a function, closure body, drop glue or shim whose types are all
//! concrete. Types do not enter this crate, only sizes, offsets, scalar kinds and tables of functions. Operands are
//! [`Slot`]s, byte offsets into the frame: an aggregate is a range of bytes in memory layout, a scalar its
//! little-endian bytes.
//!
//! Any instruction may panic. Where unwinding continues depends on the position in the code ([`Code::unwind`]); it is
//! no instruction (see architecture, "The machine in short").

mod ops;

pub use ops::{BinOp, MathOp, Ordering, RmwOp, Scalar, Trap, UnOp};

use std::sync::Arc;

/// Byte offset of an operand in its frame.
pub type Slot = u32;
/// Index of an instruction in [`Code::instrs`].
pub type Pc = u32;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);
    )*};
}

ids! {
    /// A function instance; the host hands out its [`Code`] on demand.
    FnId;
    /// A static, a const or a promoted expression: memory with an initialiser, one for each run (and thread, for
    /// `#[thread_local]`).
    GlobalId;
    /// An immutable blob of bytes (string and byte literals).
    DataId;
    /// A vtable: size, alignment, drop glue and methods of one type as one trait.
    VtableId;
    /// A site, local to its [`Code`]. Only the host can resolve it to a location (invariant 9: the IR is
    /// position-independent).
    Site;
    /// Why a value is unknown; the host has the text.
    CauseId;
    /// A native model (decision 5); an index into the table of `models`.
    ModelId;
}

impl Site {
    /// The site of generated code.
    pub const NONE: Site = Site(u32::MAX);
}

/// An instruction. `dst` is always the slot of the result; sizes are in bytes.
///
/// Detectors see accesses through pointers (`Load`, `Store`, `CopyMem`, `Move*`, atomics) and the `Local*`
/// instructions, but not plain slot operands, which code generation uses only for locals whose address is never taken.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "each variant's text says what its fields are")]
pub enum Instr {
    // --- values and slots
    /// `dst = bits`, truncated to `size` (1, 2, 4, 8 or 16). The host extends the sign: the upper half of a 16-byte
    /// constant is `high`.
    Const {
        dst: Slot,
        size: u8,
        bits: u64,
        high: u64,
    },
    /// Copies between slots of this frame; they may overlap.
    Copy {
        dst: Slot,
        src: Slot,
        size: u32,
    },
    /// Fills a slot with zero bytes.
    Zero {
        dst: Slot,
        size: u32,
    },
    /// Like `Copy` from a local whose address is taken: a read that detectors see.
    LocalRead {
        dst: Slot,
        src: Slot,
        size: u32,
    },
    /// Like `Copy` to a local whose address is taken: a write that detectors see.
    LocalWrite {
        dst: Slot,
        src: Slot,
        size: u32,
    },
    /// `dst: *T = &slot`.
    AddrOf {
        dst: Slot,
        slot: Slot,
    },
    /// The storage of a local is reused (loop bodies): detectors forget it.
    StorageDead {
        slot: Slot,
        size: u32,
    },
    /// An uninterpreted value of origin `Unknown(cause)`.
    Unknown {
        dst: Slot,
        size: u32,
        cause: CauseId,
    },
    /// Unsupported code that may have jumped anywhere: everything after it depends on it.
    Omitted {
        cause: CauseId,
    },

    // --- arithmetic
    Bin {
        op: BinOp,
        ty: Scalar,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// Like `Bin` with a constant right operand (sign-extended to the kind's width).
    BinImm {
        op: BinOp,
        ty: Scalar,
        dst: Slot,
        a: Slot,
        imm: i64,
    },
    /// `Add`, `Sub`, `Mul`, `Shl`, `Shr` (right operand of kind `rhs`), trapping on overflow as in debug builds.
    Checked {
        op: BinOp,
        ty: Scalar,
        rhs: Scalar,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// Like `Checked` with a constant right operand.
    CheckedImm {
        op: BinOp,
        ty: Scalar,
        dst: Slot,
        a: Slot,
        imm: i64,
    },
    /// `*_with_overflow`: the wrapped value, and a `U8` flag.
    Overflowing {
        op: BinOp,
        ty: Scalar,
        dst: Slot,
        flag: Slot,
        a: Slot,
        b: Slot,
    },
    Un {
        op: UnOp,
        ty: Scalar,
        dst: Slot,
        a: Slot,
    },
    /// Negation that traps on overflow.
    CheckedNeg {
        ty: Scalar,
        dst: Slot,
        a: Slot,
    },
    /// `as` between scalars: truncate, extend by the source's sign, saturate from floats.
    Cast {
        from: Scalar,
        to: Scalar,
        dst: Slot,
        a: Slot,
    },
    Math {
        op: MathOp,
        ty: Scalar,
        dst: Slot,
        args: Box<[Slot]>,
    },

    // --- memory
    /// `dst = *(ptr + offset)`.
    Load {
        dst: Slot,
        ptr: Slot,
        offset: u32,
        size: u32,
        volatile: bool,
    },
    /// `*(ptr + offset) = src`.
    Store {
        ptr: Slot,
        offset: u32,
        src: Slot,
        size: u32,
        volatile: bool,
    },
    /// `*(dst + dst_offset) = *(src + src_offset)`, both through pointers; may overlap.
    CopyMem {
        dst: Slot,
        dst_offset: u32,
        src: Slot,
        src_offset: u32,
        size: u32,
    },
    /// `dst = ptr + offset` (wrapping).
    PtrAdd {
        dst: Slot,
        ptr: Slot,
        offset: i64,
    },
    /// `dst = ptr + index * stride` (wrapping, index is an `I64`/`U64`).
    PtrIndex {
        dst: Slot,
        ptr: Slot,
        index: Slot,
        stride: u64,
    },
    /// Traps unless `index < len`, both `U64`.
    Bounds {
        index: Slot,
        len: Slot,
    },
    /// `memmove` of `count * stride` bytes, count a `U64` slot.
    MoveBytes {
        dst: Slot,
        src: Slot,
        count: Slot,
        stride: u64,
        overlapping: bool,
    },
    /// `memset` of `count * stride` bytes to the `U8` in `value`.
    SetBytes {
        dst: Slot,
        value: Slot,
        count: Slot,
        stride: u64,
    },
    /// `dst: i32 = memcmp(a, b, len)`.
    CompareBytes {
        dst: Slot,
        a: Slot,
        b: Slot,
        len: Slot,
    },
    /// Address of a static, const or promoted expression; runs its initialiser first.
    GlobalAddr {
        dst: Slot,
        global: GlobalId,
    },
    DataAddr {
        dst: Slot,
        data: DataId,
    },
    FnAddr {
        dst: Slot,
        func: FnId,
    },
    VtableAddr {
        dst: Slot,
        vtable: VtableId,
    },

    // --- atomics
    AtomicLoad {
        dst: Slot,
        ptr: Slot,
        size: u8,
        order: Ordering,
    },
    AtomicStore {
        ptr: Slot,
        src: Slot,
        size: u8,
        order: Ordering,
    },
    /// `dst` is the old value.
    AtomicRmw {
        op: RmwOp,
        dst: Slot,
        ptr: Slot,
        src: Slot,
        size: u8,
        order: Ordering,
    },
    /// `dst` is the old value, `ok` a `U8`.
    AtomicCas {
        dst: Slot,
        ok: Slot,
        ptr: Slot,
        old: Slot,
        new: Slot,
        size: u8,
        success: Ordering,
        failure: Ordering,
        weak: bool,
    },
    Fence {
        order: Ordering,
    },
    /// An `.await` is about to poll: counted as a synchronisation site.
    Await,

    // --- control
    Jump {
        to: Pc,
    },
    /// A branch on a `U8`.
    Branch {
        cond: Slot,
        yes: Pc,
        no: Pc,
    },
    Switch {
        src: Slot,
        size: u8,
        table: Box<[(u128, Pc)]>,
        default: Pc,
    },
    /// Arguments are copied from the given slots into the callee's parameters, whose sizes the callee knows; on return
    /// its result is copied to `dst`.
    Call {
        func: FnId,
        args: Box<[Slot]>,
        dst: Slot,
    },
    /// Through a function pointer.
    CallPtr {
        ptr: Slot,
        args: Box<[Slot]>,
        dst: Slot,
    },
    /// Through entry `index` of a vtable. Entry 0 is the drop glue; if it is null, there is nothing to drop and the
    /// call is skipped. Methods start at 3.
    CallVirtual {
        vtable: Slot,
        index: u32,
        args: Box<[Slot]>,
        dst: Slot,
    },
    Return,
    /// Starts an inlined call. Only the machine generates these; see [`crate::opt`].
    Enter {
        scope: u32,
    },
    /// Ends an inlined call.
    Leave {
        scope: u32,
    },
    /// The end of a cleanup: continues unwinding in the caller.
    Unwind,
    /// Calls the panic function of `trap` with the given arguments.
    Panic {
        trap: Trap,
        args: Box<[Slot]>,
    },
    /// Undefined behaviour in the program if reached: ends the run with a message.
    Unreachable,
    /// `intrinsics::abort`.
    Abort,
    /// `intrinsics::catch_unwind`: calls `*func(data)`; if that unwinds, `*handler(data, exception)`; `dst` is an
    /// `I32`, 1 if it unwound.
    CatchUnwind {
        func: Slot,
        data: Slot,
        handler: Slot,
        dst: Slot,
    },
    /// `&'static Location` of the innermost caller that is not `#[track_caller]`.
    CallerLocation {
        dst: Slot,
    },
    /// `&'static Location` of this instruction's own site, for `line!()` and similar.
    Here {
        dst: Slot,
    },

    // --- coroutines (async bodies)
    /// Resumes the coroutine object at `*obj`, whose handle word (a `U64`: 0 not started, 1 returned, 2 panicked, else
    /// the machine's) is at `handle_offset`. The body gets the object's address and `arg` (a `U64`). When it returns,
    /// its result is copied to `out` and the `U8` `done` is 1; when it suspends, `done` is 0.
    Resume {
        obj: Slot,
        handle_offset: u32,
        body: FnId,
        arg: Slot,
        out: Slot,
        done: Slot,
    },
    /// In a coroutine's body: suspends. On the next resume `arg` gets the new argument and execution continues at
    /// `resume`, or at `drop` if the object is dropped while suspended.
    Suspend {
        arg: Slot,
        resume: Pc,
        drop: Pc,
    },
    /// Drops a coroutine object. If it returned or panicked, does nothing; if it is suspended, runs the drop path of
    /// its frame; if it was never started, calls `captures` (drop glue of the captures) with its address.
    DropCoroutine {
        obj: Slot,
        handle_offset: u32,
        captures: Option<FnId>,
    },
}

/// A range of instructions, and where unwinding out of it continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnwindRange {
    /// First instruction.
    pub start: Pc,
    /// One past the last instruction.
    pub end: Pc,
    /// The cleanup code.
    pub target: Pc,
    /// Whether a panic that starts here, while this frame is already in cleanup, aborts.
    pub in_cleanup: bool,
}

/// Facts about a function's origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CodeFlags {
    /// The body is std's: its atomics are no scheduling points (decision 10), and its accesses are attributed to the
    /// nearest frame outside (decision 14).
    pub is_std: bool,
    /// The body is in the workspace.
    pub is_local: bool,
    /// A std function of the concurrency API (`Mutex::lock`, `AtomicU32::load`, `thread::spawn`): a synchronisation
    /// inside is a scheduling point if the nearest frame outside std calls it.
    pub is_sync_api: bool,
    /// A method of an atomic, or a function that it calls: an atomic inside belongs to the caller, not to std's
    /// internals.
    pub is_atomic_api: bool,
    /// It reads the number of owners of an `Arc`, or becomes an owner if there are any.
    pub counts_owners: bool,
    /// It removes an owner of an `Arc`: a scheduling point once a run has counted owners. Like a method with [`api`] it
    /// is never optimised away.
    ///
    /// [`api`]: CodeFlags::api
    pub drops_owner: bool,
    /// `#[track_caller]`.
    pub track_caller: bool,
    /// Unwinding out of it aborts (`extern "C"`).
    pub no_unwind: bool,
    /// Body of a coroutine: it may `Suspend`, its frame lives outside the thread's stack.
    pub is_coroutine: bool,
    /// Generated: drop glue, shims.
    pub is_shim: bool,
    /// The source of the body has type errors, so a failure that follows in a run may follow from them.
    pub is_mistyped: bool,
    /// A method of an object that threads may not share unordered. A call from code outside std is an event: the frame
    /// of such a function is never optimised away.
    pub api: Option<ApiAccess>,
    /// The name of a wait in it, if std implements the wait by lower-level means.
    pub waits_for: Option<WaitName>,
}

/// The effect of a method on its object (TSVD, SOSP'19: read and write APIs; decision 15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ApiAccess {
    /// Index of the object's type: methods of different types never conflict, even if their objects share an address.
    pub family: u16,
    /// Whether the first argument points to a handle whose first word is the object's address, as `&Rc<T>` does.
    /// Otherwise the argument is that address.
    pub through_handle: bool,
    /// Whether it is in the write set of its object.
    pub write: bool,
}

/// Names of waits that std implements by lower-level means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WaitName {
    /// For the others at a barrier.
    Barrier,
    /// For an initialisation that is under way.
    Once,
    /// For an initialisation, started or not.
    Initialised,
    /// For the threads of a scope.
    Scope,
}

/// What a function does: IR, or a native body with facts about its types.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "each variant's text says what its fields are")]
pub enum Body {
    /// Interpreted.
    Ir,
    /// Native. `consts` are sizes, alignments, offsets and function numbers, as the model's declaration says.
    Model { model: ModelId, consts: Box<[u64]> },
    /// Like `real`, but native if the model can do it: same result, same accesses.
    Fast { model: ModelId, consts: Box<[u64]>, real: FnId },
    /// Not understood: a call returns an uninterpreted result and may synchronise (decision 10).
    Unknown { cause: CauseId },
}

/// Minimum alignment of a frame's address.
pub const FRAME_ALIGN: u32 = 16;
/// Maximum alignment of a frame's address.
pub const MAX_FRAME_ALIGN: u32 = 1 << 16;

/// The code of one instance.
#[derive(Clone, PartialEq, Debug)]
pub struct Code {
    /// The item's path as a person would write it.
    pub name: Arc<str>,
    /// What it does.
    pub body: Body,
    /// Bytes of the frame, a multiple of 16; parameters and locals live in it.
    pub frame_size: u32,
    /// Alignment of the frame's address: a power of two, at least [`FRAME_ALIGN`].
    pub frame_align: u32,
    /// Slot and size of each parameter.
    pub params: Box<[(Slot, u32)]>,
    /// Slot and size of the result.
    pub ret: (Slot, u32),
    /// The instructions; the last one does not fall through.
    pub instrs: Box<[Instr]>,
    /// The site of each instruction.
    pub sites: Box<[Site]>,
    /// Where unwinding continues; innermost range first. Outside of all ranges: in the caller.
    pub unwind: Box<[UnwindRange]>,
    /// Its origin.
    pub flags: CodeFlags,
}

/// A static, const or promoted expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// The item's path (`CACHE`, `Ledger::EMPTY`), for reports.
    pub name: Arc<str>,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes; 0 if size and alignment are unknown.
    pub align: u32,
    /// No parameters; returns the initial value. Its frame is never freed, because the value may borrow from it.
    pub init: FnId,
    /// One per thread (`#[thread_local]`).
    pub thread_local: bool,
    /// A `static` (as opposed to a const or promoted expression): reports may name it.
    pub is_static: bool,
    /// The cause of an unknown value if the initialiser panics or faults; if `None`, that ends the run.
    pub lost: Option<CauseId>,
}

/// A vtable.
#[derive(Clone, PartialEq, Debug)]
pub struct Vtable {
    /// The type's name, for reports.
    pub name: Arc<str>,
    /// Size of the type.
    pub size: u64,
    /// Alignment of the type.
    pub align: u64,
    /// Drop glue, if there is anything to drop.
    pub drop: Option<FnId>,
    /// Entries from index 3 on; `None` for methods that cannot be called on this type.
    pub methods: Box<[Option<FnId>]>,
}
