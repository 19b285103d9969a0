use std::collections::BTreeMap;

macro_rules! map {
    () => { BTreeMap::new() };
    ($($k:expr => $v:expr),+ $(,)?) => {{
        let mut m = BTreeMap::new();
        $( m.insert($k, $v); )+
        m
    }};
}
macro_rules! count {
    () => { 0usize };
    ($head:tt $($tail:tt)*) => { 1usize + count!($($tail)*) };
}
macro_rules! max {
    ($x:expr) => { $x };
    ($x:expr, $($rest:expr),+) => {{ let a = $x; let b = max!($($rest),+); if a > b { a } else { b } }};
}
macro_rules! enum_str {
    ($(#[$m:meta])* $v:vis enum $name:ident { $($var:ident $(= $val:literal)?),* $(,)? }) => {
        $(#[$m])* $v enum $name { $($var $(= $val)?),* }
        impl $name {
            const ALL: &'static [$name] = &[$($name::$var),*];
            fn name(&self) -> &'static str {
                match self { $($name::$var => stringify!($var)),* }
            }
        }
    };
}
enum_str! {
    #[derive(Debug, Clone, Copy)]
    pub enum Fruit { Apple = 3, Pear, Fig = 10 }
}
macro_rules! getters {
    ($t:ident { $($f:ident : $ty:ty),* }) => {
        #[derive(Default)]
        struct $t { $($f: $ty),* }
        impl $t { $( fn $f(&self) -> &$ty { &self.$f } )* }
    };
}
getters!(Cfg { host: String, port: u16 });
macro_rules! calc {
    (eval $e:expr) => { println!("{} = {}", stringify!($e), $e) };
    (eval $e:expr, $(eval $es:expr),+) => {{ calc!(eval $e); calc!($(eval $es),+) }};
}
macro_rules! swap {
    ($a:ident, $b:ident) => { let tmp = $a; $a = $b; $b = tmp; };
}
macro_rules! my_vec {
    ($e:expr; $n:expr) => { std::iter::repeat_n($e, $n).collect::<Vec<_>>() };
    ($($e:expr),*) => { <[_]>::into_vec(Box::new([$($e),*])) };
}
macro_rules! matrix {
    ($([$($x:expr),*]),*) => { [$([$($x * 2),*]),*] };
}
macro_rules! fns {
    ($($name:ident => $body:block),*) => { $(fn $name() -> i32 $body)* };
}
fns!(one => { 1 }, two => { one() + one() });
macro_rules! ty_name {
    ($t:ty) => { std::any::type_name::<$t>() };
}
macro_rules! op {
    ($a:literal plus $b:literal) => { $a + $b };
    ($a:literal minus $b:literal) => { $a - $b };
    ($($t:tt)*) => { compile_error!("bad") };
}
macro_rules! hygiene {
    ($e:expr) => {{ let x = 10; $e + x }};
}
macro_rules! nested {
    ($($outer:ident: [$($inner:expr),*]);*) => { vec![$((stringify!($outer), vec![$($inner),*])),*] };
}
macro_rules! lifetimes {
    ($l:lifetime, $n:expr) => { $l: loop { break $l $n; } };
}
macro_rules! pat {
    ($v:expr, $p:pat $(if $g:expr)?) => { match $v { $p $(if $g)? => true, _ => false } };
}
macro_rules! with_block {
    (|$x:ident| $b:block) => { |$x: i32| -> i32 { $b } };
}

fn main() {
    let m = map! { "b" => 2, "a" => 1, };
    println!("{:?} {:?}", m, { let e: BTreeMap<u8, u8> = map!(); e });
    println!("{} {}", count!(a b (c d) [e]), count!());
    println!("{} {}", max!(3, 9, 4), max!(1));
    for f in Fruit::ALL {
        print!("{}={} ", f.name(), *f as u8);
    }
    println!();
    let c = Cfg { host: "h".into(), port: 80 };
    println!("{} {}", c.host(), c.port());
    calc!(eval 1 + 2 * 3, eval (4 - 1) * one());
    let (mut p, mut q) = (1, 2);
    swap!(p, q);
    println!("{p} {q}");
    println!("{:?} {:?}", my_vec!["x", "y"], matrix!([1, 2], [3, 4]));
    println!("{} {}", two(), ty_name!(Option<(u8, &str)>));
    println!("{} {}", op!(3 plus 4), op!(3 minus 4));
    let x = 1;
    println!("{}", hygiene!(x * 2));
    println!("{:?}", nested!(a: [1, 2]; b: []; c: [3]));
    println!("{}", lifetimes!('outer, 5));
    println!("{} {}", pat!(Some(3), Some(n) if n > 2), pat!('x', 'a'..='f'));
    println!("{}", with_block!(|n| { n * n })(7));
    println!("{} {}", line!(), stringify!(a + b  *c));
    println!("{}", concat!("x", 1, "y"));
    assert!(matches!(c.port, 1..=99), "port {}", c.port);
    println!("{}", { macro_rules! local { () => { "local" } } local!() });
}
