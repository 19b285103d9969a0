// Declarative macros: recursion, nested repetition, hygiene, token munching, counting, items, callbacks, literals.
macro_rules! count { () => { 0 }; ($x:tt $($rest:tt)*) => { 1 + count!($($rest)*) }; }
macro_rules! map { ($($k:expr => $v:expr),* $(,)?) => {{ let mut m = ::std::collections::BTreeMap::new(); $(m.insert($k, $v);)* m }}; }
macro_rules! matrix { ($([$($x:expr),* $(,)?]),* $(,)?) => { [$([$($x),*]),*] }; }
macro_rules! enumeration {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($variant:ident $(= $value:literal)? $(($($ty:ty),+))?),+ $(,)? }) => {
        $(#[$meta])* $vis enum $name { $($variant $(($($ty),+))? $(= $value)?),+ }
        impl $name { const NAMES: &'static [&'static str] = &[$(stringify!($variant)),+]; const COUNT: usize = <[&str]>::len(Self::NAMES); }
    };
}
enumeration! { #[derive(Debug, Clone, PartialEq)] pub enum Shape { Dot, Line(u8), Box(u8, String) } }
enumeration! { #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)] enum Level { Low = 1, Mid = 5, High } }
macro_rules! calc {
    (@ops [$($done:tt)*]) => { $($done)* };
    (@ops [$($done:tt)*] plus $($rest:tt)*) => { calc!(@ops [$($done)* +] $($rest)*) };
    (@ops [$($done:tt)*] times $($rest:tt)*) => { calc!(@ops [$($done)* *] $($rest)*) };
    (@ops [$($done:tt)*] ($($inner:tt)*) $($rest:tt)*) => { calc!(@ops [$($done)* (calc!(@ops [] $($inner)*))] $($rest)*) };
    (@ops [$($done:tt)*] $x:literal $($rest:tt)*) => { calc!(@ops [$($done)* $x] $($rest)*) };
    ($($all:tt)+) => { calc!(@ops [] $($all)+) };
}
macro_rules! swap { ($a:ident, $b:ident) => { let tmp = $a; let $a = $b; let $b = tmp; }; }
macro_rules! my_max { ($x:expr) => { $x }; ($x:expr, $($rest:expr),+) => {{ let a = $x; let b = my_max!($($rest),+); if a > b { a } else { b } }}; }
macro_rules! apply { ($m:ident, $($args:tt)*) => { $m!($($args)*) }; }
macro_rules! functions { ($($name:ident($($arg:ident : $ty:ty),*) -> $ret:ty $body:block)*) => { $(fn $name($($arg: $ty),*) -> $ret $body)* }; }
functions! { add(a: i32, b: i32) -> i32 { a + b } greet(name: &str) -> String { format!("hi {name}") } unit() -> () { } }
macro_rules! impls { ($tr:ident for $($ty:ty),+ ; $method:ident => $e:expr) => { $(impl $tr for $ty { fn $method(&self) -> String { let f: fn(&$ty) -> String = $e; f(self) } })+ }; }
trait Show { fn show(&self) -> String; }
impls!(Show for u8, bool, Vec<i8>, (i32, char); show => |x| format!("<{x:?}>"));
macro_rules! kind { ($x:literal) => { "literal" }; ($x:ident) => { "ident" }; ($x:ty) => { "type" }; ($x:expr) => { "expr" }; ($($x:tt)*) => { "tokens" }; }
macro_rules! pat { ($v:expr, $($p:pat => $e:expr),+) => { match $v { $($p => $e),+ } }; }
macro_rules! lifetimes { ($lt:lifetime, $body:block) => { $lt: loop { $body; break $lt } }; }
macro_rules! nested { ($($outer:ident { $($inner:ident),* })*) => { vec![$((stringify!($outer), vec![$(concat!(stringify!($outer), ".", stringify!($inner))),*])),*] }; }
macro_rules! optional { ($a:expr $(, default = $d:expr)? $(; $($more:expr),*)?) => { ($a, [$($d,)? 0][0], [$($($more,)*)? -1].len()) }; }
macro_rules! make_macro { ($name:ident, $value:expr) => { macro_rules! $name { ($x:expr) => { $x * $value }; } }; }
make_macro!(triple, 3);
mod inner { #[macro_export] macro_rules! exported { () => { $crate::inner::helper() }; } pub fn helper() -> &'static str { "helped" } }
fn main() {
    println!("{} {:?} {:?}", count!(a b (c d) [e] 5), map! { "x" => 1, "y" => 2, }, matrix!([1, 2], [3, 4]));
    println!("{:?} {} {:?} {:?}", Shape::NAMES, Shape::COUNT, [Shape::Dot, Shape::Line(2), Shape::Box(1, "b".into())], (Level::NAMES, Level::High as u8, Level::Low < Level::Mid));
    println!("{} {}", calc!(1 plus 2 times 3), calc!((1 plus 2) times (3 plus (4 times 5))));
    let (a, b, tmp) = (1, 2, 3); swap!(a, b); println!("{a} {b} {tmp} {}", my_max!(3, 9, 4));
    println!("{} {} {:?} {}", add(1, 2), greet("x"), unit(), apply!(count, a b c));
    println!("{} {} {} {}", 5u8.show(), true.show(), vec![1i8].show(), (1, 'c').show());
    println!("{} {} {} {} {}", kind!(5), kind!(x), kind!(Vec<u8>), kind!(1 + 2), kind!(=> <=));
    println!("{} {}", pat!(Some(5), Some(1 | 2) => "low", Some(5..) => "high", _ => "none"), pat!("s", "a" | "b" => 1, _ => 2));
    lifetimes!('here, { if a == 2 { println!("leaving"); break 'here } println!("stays") });
    println!("{:?} {:?} {:?}", nested!(x { a, b } y { }), optional!(1), optional!(1, default = 7; 2, 3));
    println!("{} {} {}", triple!(4 + 1), exported!(), line!() > 0);
    println!("{}", stringify!(a + b => { c :: d } 'x' "y" #[z]));
    assert!(matches!(Level::Mid, Level::Mid | Level::High if a == 2), "with {}", "text"); debug_assert_eq!(add(2, 2), 4);
    println!("{}", { macro_rules! local { ($($x:expr),*) => { [$($x.to_string()),*].join("-") }; } local!(1, "b", 'c', 2.5) });
}
