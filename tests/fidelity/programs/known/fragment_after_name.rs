//! An expression fragment behind a name is no list of arguments: rust-analyzer takes `!div $n`, whose `$n` is `4096 / 2`, for the expression
//! `!div(4096 / 2)`, and with it another rule of the macro. rand 0.8 makes impls for arrays so.

macro_rules! arrays {
    ($n:expr,) => {};
    ($n:expr, $N:ident) => { println!("{}", $n); };
    ($n:expr, $N:ident, $($NN:ident,)*) => { arrays!($n, $N); arrays!($n - 1, $($NN,)*); };
    (!div $n:expr,) => {};
    (!div $n:expr, $N:ident, $($NN:ident,)*) => { arrays!($n, $N); arrays!(!div $n / 2, $($NN,)*); };
}
fn main() { arrays!(!div 4096, N,N,N,N,N,N,N,); }
