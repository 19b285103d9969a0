//! `u8::MIN == value`, with an impl that core does not know of, after core was asked the same question.

enum Value {
    Null,
    N(u64, bool),
    S(String),
}
impl Value {
    fn as_u64(&self) -> Option<u64> {
        match self {
            Value::N(n, true) => Some(*n),
            _ => None,
        }
    }
}
fn eq_u64(v: &Value, other: u64) -> bool {
    v.as_u64() == Some(other)
}
struct W(u8);
macro_rules! imps { ($($ty:ty)*) => { $(
        impl PartialEq<$ty> for Value { fn eq(&self, other: &$ty) -> bool { eq_u64(self, *other as _) } }
        impl PartialEq<Value> for $ty { fn eq(&self, other: &Value) -> bool { eq_u64(other, *self as _) } }
)* } }
imps!(u8 u16 u32 u64 usize);
macro_rules! ok { ($($n:expr)*) => { $( let value = Value::N($n as u64, true); if !(value == $n) { println!("A {}", stringify!($n)); } if !($n == value) { println!("B {}", stringify!($n)); } )* } }
fn once() {
    ok!(u8::MIN u8::MAX u16::MIN u16::MAX u32::MIN u32::MAX u64::MIN u64::MAX);
}
fn main() {
    println!("{}", 1);
    for i in 0..100 {
        once();
    }
    println!("done");
    let _ = (Value::Null, Value::S(String::new()), W(3).0);
}
