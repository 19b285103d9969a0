// Where `stringify!` puts blanks: before lifetimes, and in the text of a macro of its own.
macro_rules! own { ($t:ty) => { stringify!(&'a u8 + 'static, Foo<'a, 'b>, &  'a $t, <'x> 'y: + 'z) }; }
macro_rules! ty {
    ($t:ty) => {
        stringify!($t)
    };
}
macro_rules! signs { ($a:expr) => { [stringify!($a >= -1 && !x || a), stringify!(Vec<Vec<u8>>, ..., x), stringify!(|_| -> *mut T { x <<= &&y; }, p::q::<$a>())] }; }
fn main() {
    println!("{:#?}", signs!(7));
    const A: &str = own!(&'q u8);
    println!("{A}");
    const C: &str = stringify!(&'k x + 'l, Foo<'m, 'n>, & 'o);
    println!("{C}");
    println!("{}", ty!(Box<dyn Fn(&'static u8) + 'static>));
    println!("{}", ty!(&'static mut (dyn Send + 'static)));
    println!("{}", stringify!(A + 'a));
    println!("{}", stringify!(A + 'a));
    println!("{}", stringify!(A + 'a));
    println!("{}", stringify!(+ 'a, & 'a T, &'a T, 'a : 'b + 'c, dyn Fn(i32) + 'static));
    println!("{}", stringify!(a + -b, + - x, < 'a, 'b >, 'x: loop {}));
    println!("{}", stringify!(Box<dyn Fn(i32) -> u8 + 'static>));
    println!("{}", stringify!(fn f(x: &'a mut T) -> u8 + 'static));
    println!("{}", stringify!(-> u8 + 'static));
    println!("{}", stringify!(u8 + 'static));
    println!("{}", stringify!(x: & 'a u8 + 'static));
}
