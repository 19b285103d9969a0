//! Scalars, operators, traps and orderings.

/// Kind of a scalar operand. `bool` is `U8`, `char` is `U32`, thin pointers are `U64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are Rust's own")]
pub enum Scalar {
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F32,
    F64,
}

impl Scalar {
    /// Size in bytes.
    pub fn size(self) -> u32 {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
            Scalar::I128 | Scalar::U128 => 16,
        }
    }

    /// Whether this is one of the `I*` kinds.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::I128)
    }

    /// Whether this is `F32` or `F64`.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }
}

/// Binary operators on two scalars of one kind. Comparisons yield a `U8` of 0 or 1. `Shl` and `Shr` take their right
/// operand as `U32` (code generation converts it) and mask it. Integer arithmetic wraps; `Div` and `Rem` trap on zero
/// and on overflow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the operators'")]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Three-way comparison: an `I8` of -1, 0 or 1 (`Ordering`'s representation).
    Cmp,
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// Bitwise complement.
    Not,
    /// `!` of a `bool`: 0 becomes 1 and 1 becomes 0.
    NotBool,
    /// Wrapping negation; of a float, flips the sign.
    Neg,
    /// `count_ones`; the result is a `U32`, as for the next three.
    Ctpop,
    /// `leading_zeros`.
    Ctlz,
    /// `trailing_zeros`.
    Cttz,
    /// `swap_bytes`, same kind.
    Bswap,
    /// `reverse_bits`, same kind.
    Bitreverse,
    /// Float functions, same kind. `Round` rounds half away from zero, `RoundEven` half to even.
    Sqrt,
    #[expect(missing_docs, reason = "as named")]
    Floor,
    #[expect(missing_docs, reason = "as named")]
    Ceil,
    #[expect(missing_docs, reason = "as named")]
    Trunc,
    #[expect(missing_docs, reason = "as named")]
    Round,
    #[expect(missing_docs, reason = "as named")]
    RoundEven,
    #[expect(missing_docs, reason = "as named")]
    Fabs,
}

/// Other arithmetic on two or three scalars of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of std's intrinsics")]
pub enum MathOp {
    SaturatingAdd,
    SaturatingSub,
    RotateLeft,
    RotateRight,
    MinNum,
    MaxNum,
    CopySign,
    Powi,
    Pow,
    Fma,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Exp2,
    ExpM1,
    Ln,
    Log10,
    Log2,
    Ln1p,
    Cbrt,
    Hypot,
}

impl MathOp {
    /// Size of an operand: rotations and integer powers take a `u32` or `i32` on the right, whatever the kind.
    pub fn operand_size(self, ty: Scalar, index: usize) -> u32 {
        match self {
            MathOp::Powi | MathOp::RotateLeft | MathOp::RotateRight if index == 1 => 4,
            _ => ty.size(),
        }
    }
}

/// Why compiled code panics implicitly. The host returns the panic function for each ([`crate::host::Host::trap_fn`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of std's panic functions")]
pub enum Trap {
    AddOverflow,
    SubOverflow,
    MulOverflow,
    DivOverflow,
    RemOverflow,
    NegOverflow,
    ShlOverflow,
    ShrOverflow,
    DivByZero,
    RemByZero,
    /// `panic_bounds_check(index, len)`: takes two `usize`.
    Bounds,
    /// A coroutine polled after it returned.
    ResumedAfterReturn,
    /// A coroutine polled after it panicked.
    ResumedAfterPanic,
    /// Unwinding out of an `extern "C"` function or out of a cleanup; aborts.
    CannotUnwind,
    /// A panic in a destructor while unwinding; aborts.
    PanicInCleanup,
}

/// Memory orderings of `std::sync::atomic`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are std's own")]
pub enum Ordering {
    Relaxed,
    Release,
    Acquire,
    AcqRel,
    SeqCst,
}

/// Read-modify-write operators; `Min` and `Max` are signed, `UMin` and `UMax` are not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are those of std's intrinsics")]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Min,
    Max,
    UMin,
    UMax,
}
