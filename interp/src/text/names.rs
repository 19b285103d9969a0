//! Names of the IR's enumerations, one table for printing and parsing.

use crate::host::KnownFn;
use crate::ir::{BinOp, MathOp, Ordering, RmwOp, Scalar, Trap, UnOp, WaitName};

/// An enumeration whose values have names.
pub(super) trait Named: Copy + PartialEq + 'static {
    /// Its name in messages.
    const WHAT: &'static str;
    /// All values.
    const ALL: &'static [(Self, &'static str)];

    /// The name of this value.
    fn text(self) -> &'static str {
        Self::ALL.iter().find(|entry| entry.0 == self).map_or("?", |entry| entry.1)
    }

    /// The value with this name.
    fn from_text(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|entry| entry.1 == text).map(|entry| entry.0)
    }
}

macro_rules! named {
    ($($ty:ident $what:literal { $($variant:ident = $text:literal,)* })*) => {$(
        impl Named for $ty {
            const WHAT: &'static str = $what;
            const ALL: &'static [($ty, &'static str)] = {
                // A variant without a name here does not compile.
                const _: fn($ty) = |value| match value {
                    $($ty::$variant => {})*
                };
                &[$(($ty::$variant, $text),)*]
            };
        }
    )*};
}

named! {
    Scalar "a scalar kind" {
        I8 = "i8",
        I16 = "i16",
        I32 = "i32",
        I64 = "i64",
        I128 = "i128",
        U8 = "u8",
        U16 = "u16",
        U32 = "u32",
        U64 = "u64",
        U128 = "u128",
        F32 = "f32",
        F64 = "f64",
    }
    BinOp "a binary operator" {
        Add = "add",
        Sub = "sub",
        Mul = "mul",
        Div = "div",
        Rem = "rem",
        And = "and",
        Or = "or",
        Xor = "xor",
        Shl = "shl",
        Shr = "shr",
        Eq = "eq",
        Ne = "ne",
        Lt = "lt",
        Le = "le",
        Gt = "gt",
        Ge = "ge",
        Cmp = "cmp",
    }
    UnOp "a unary operator" {
        Not = "not",
        NotBool = "not_bool",
        Neg = "neg",
        Ctpop = "ctpop",
        Ctlz = "ctlz",
        Cttz = "cttz",
        Bswap = "bswap",
        Bitreverse = "bitreverse",
        Sqrt = "sqrt",
        Floor = "floor",
        Ceil = "ceil",
        Trunc = "trunc",
        Round = "round",
        RoundEven = "round_even",
        Fabs = "fabs",
    }
    MathOp "a function" {
        SaturatingAdd = "saturating_add",
        SaturatingSub = "saturating_sub",
        RotateLeft = "rotate_left",
        RotateRight = "rotate_right",
        MinNum = "min_num",
        MaxNum = "max_num",
        CopySign = "copy_sign",
        Powi = "powi",
        Pow = "pow",
        Fma = "fma",
        Sin = "sin",
        Cos = "cos",
        Tan = "tan",
        Asin = "asin",
        Acos = "acos",
        Atan = "atan",
        Atan2 = "atan2",
        Sinh = "sinh",
        Cosh = "cosh",
        Tanh = "tanh",
        Asinh = "asinh",
        Acosh = "acosh",
        Atanh = "atanh",
        Exp = "exp",
        Exp2 = "exp2",
        ExpM1 = "exp_m1",
        Ln = "ln",
        Log10 = "log10",
        Log2 = "log2",
        Ln1p = "ln1p",
        Cbrt = "cbrt",
        Hypot = "hypot",
    }
    Trap "a trap" {
        AddOverflow = "add_overflow",
        SubOverflow = "sub_overflow",
        MulOverflow = "mul_overflow",
        DivOverflow = "div_overflow",
        RemOverflow = "rem_overflow",
        NegOverflow = "neg_overflow",
        ShlOverflow = "shl_overflow",
        ShrOverflow = "shr_overflow",
        DivByZero = "div_by_zero",
        RemByZero = "rem_by_zero",
        Bounds = "bounds",
        ResumedAfterReturn = "resumed_after_return",
        ResumedAfterPanic = "resumed_after_panic",
        CannotUnwind = "cannot_unwind",
        PanicInCleanup = "panic_in_cleanup",
    }
    Ordering "a memory ordering" {
        Relaxed = "relaxed",
        Release = "release",
        Acquire = "acquire",
        AcqRel = "acq_rel",
        SeqCst = "seq_cst",
    }
    RmwOp "a read-modify-write operator" {
        Xchg = "xchg",
        Add = "add",
        Sub = "sub",
        And = "and",
        Nand = "nand",
        Or = "or",
        Xor = "xor",
        Min = "min",
        Max = "max",
        UMin = "umin",
        UMax = "umax",
    }
    WaitName "what is waited for" {
        Barrier = "barrier",
        Once = "once",
        Initialised = "initialised",
        Scope = "scope",
    }
    KnownFn "a known function" {
        RunThreadLocalDestructors = "run_thread_local_destructors",
    }
}
