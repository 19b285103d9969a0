// Macros by example: repetitions, fragments, hygiene, callbacks, items.
macro_rules! count { () => {0usize}; ($h:tt $($t:tt)*) => {1usize + count!($($t)*)}; }
macro_rules! rev { ([] $($r:tt)*) => { [$($r),*] }; ([$h:tt $($t:tt)*] $($r:tt)*) => { rev!([$($t)*] $h $($r)*) }; }
macro_rules! hm { ($($k:expr => $v:expr),* $(,)?) => {{ let mut m = std::collections::BTreeMap::new(); $(m.insert($k, $v);)* m }}; }
macro_rules! en { ($(#[$m:meta])* $v:vis enum $n:ident { $($var:ident $(($($t:ty),*))? $(= $d:expr)?),* $(,)? }) => { $(#[$m])* $v enum $n { $($var $(($($t),*))? $(= $d)?),* } impl $n { pub const NAMES: &'static [&'static str] = &[$(stringify!($var)),*]; } }; }
en! { #[derive(Debug, Clone, Copy, PartialEq)] pub enum Col { Red = 3, Green, Blue = 10 } }
en! { #[derive(Debug)] enum Sh { Circle(f64), Rect(f64, f64), Unit } }
macro_rules! imp { ($tr:ident for $($t:ty => $e:expr),+) => { $(impl $tr for $t { fn name(&self) -> String { format!("{}:{}", $e, stringify!($t)) } })+ }; }
trait Nm {
    fn name(&self) -> String;
}
imp!(Nm for i32 => "int", &str => "str", Vec<(u8, [i32; 2])> => "vec", Option<&'static str> => "opt");
macro_rules! hyg {
    ($e:expr) => {{
        let x = 10;
        $e + x
    }};
}
macro_rules! defx {
    ($n:ident) => {
        let $n = 42;
    };
}
macro_rules! cb { ($m:ident ! $($a:tt)*) => { $m!($($a)* , 9) }; }
macro_rules! sum { ($($e:expr),*) => { 0 $(+ $e)* }; }
macro_rules! ops { ($a:tt $op:tt $b:tt) => { $a $op $b }; }
macro_rules! blk { ($b:block $l:lifetime) => { $l: loop { let v = $b; if v > 3 { break $l v } } }; }
macro_rules! pat {
    ($p:pat => $e:expr, $v:expr) => {
        match $v {
            $p => $e,
            _ => -1,
        }
    };
}
macro_rules! lit { ($l:literal) => { concat!("<", $l, ">") }; ($i:ident) => { concat!("id ", stringify!($i)) }; ($($t:tt)*) => { stringify!($($t)*) }; }
macro_rules! nested { ($($n:ident: [$($e:expr),*]);*) => { $(let $n = vec![$($e * 2),*];)* }; }
macro_rules! mk {
    ($n:ident) => {
        macro_rules! $n {
            ($d:expr) => {
                $d * 2 + 1
            };
        }
    };
}
macro_rules! fns { ($($v:vis fn $n:ident($($a:ident: $t:ty),*) -> $r:ty $b:block)*) => { $($v fn $n($($a: $t),*) -> $r $b)* }; }
fns! { pub fn add(a: i32, b: i32) -> i32 { a + b } pub(crate) fn neg(a: i32) -> i32 { -a } fn unit() -> () {} }
macro_rules! kw { (struct $n:ident { $($f:ident: $t:ty = $d:expr),* }) => { #[derive(Debug)] struct $n { $($f: $t),* } impl Default for $n { fn default() -> Self { $n { $($f: $d),* } } } }; }
kw!(
    struct Cfg { a: i32 = 1 + 2, b: String = "x".repeat(3), c: Option<Box<i32>> = None }
);
macro_rules! opt { ($a:expr $(, b = $b:expr)? $(; $($c:ident),+)?) => { { let mut s = format!("{}", $a); $(s += &format!(" b{}", $b);)? $($(s += concat!(" ", stringify!($c));)+)? s } }; }
macro_rules! maxm { ($x:expr) => ($x); ($x:expr, $($r:expr),+) => {{ let a = $x; let b = maxm!($($r),+); if a > b { a } else { b } }}; }
macro_rules! ty {
    ($t:ty) => {
        <$t>::default()
    };
}
macro_rules! pth {
    ($p:path) => {
        $p(3)
    };
}
macro_rules! stm { ($($s:stmt;)*) => { $($s;)* }; }
macro_rules! itm { ($($i:item)*) => { $($i)* }; }
itm! { const K: u8 = 7; static ST: &str = "st"; fn kk() -> u8 { K * 2 } mod inner { pub fn f() -> &'static str { module_path!() } } }
macro_rules! sep { ($($a:ident),+ ; $($b:ident)=>+ ) => { concat!($(stringify!($a), "-",)+ $(stringify!($b), "+",)+) }; }
macro_rules! matr { ($([$($e:expr),*]),*) => { [$([$($e),*]),*] }; }
macro_rules! lamb { (|$($p:pat_param),*| $b:expr) => { |$($p),*| $b }; }
macro_rules! genr { ($n:ident<$($l:lifetime,)? $t:ident $(: $b:path)?> ) => { struct $n<$($l,)? $t $(: $b)?>($(&$l)? $t); }; }
genr!(G1<'a, T: Clone>);
genr!(G2<T>);
macro_rules! wh { ($e:expr; $($x:tt)+) => { { let mut n = 0; while n < $e { n $($x)+; } n } }; }
mod m {
    #[macro_export]
    macro_rules! crated {
        () => {
            $crate::m::hid()
        };
    }
    pub fn hid() -> i32 {
        77
    }
}
macro_rules! callback_lines { ($($x:expr),*) => { [$(($x, line!())),*] }; }
fn main() {
    println!("{} {:?}", count!(a b (c d) [e] 1.5 -), rev!([1 2 3 4]));
    println!("{:?}", hm! { "a" => 1, "b" => hyg!(2), });
    println!("{:?} {:?} {} {}", Col::NAMES, Col::Green, Col::Green as u8, Col::Blue as i32);
    println!("{:?} {:?} {:?} {:?}", Sh::NAMES, Sh::Circle(1.0), Sh::Rect(1., 2.5), Sh::Unit);
    println!("{} {} {} {}", 1.name(), "x".name(), vec![(1u8, [1, 2])].name(), Some("k").name());
    let x = 1;
    println!("{}", hyg!(x * 3));
    defx!(x);
    println!("{x}");
    println!("{} {}", cb!(sum! 1, 2), sum!());
    println!("{} {} {}", ops!(3 + 4), ops!(3 << 2), ops!((1 + 1) == 2));
    let mut c = 0;
    println!("{}", blk!({ c += 2; c } 'q));
    println!(
        "{} {} {}",
        pat!(Some(1..=5) | None => 4, Some(3)),
        pat!((a, 3) => a, (2, 3)),
        pat!([_, rest @ ..] => rest.len() as i32, &[1, 2, 3][..])
    );
    println!("{} {} {} {} {}", lit!(5), lit!("s"), lit!(foo), lit!(a + b), lit!(-1));
    nested!(p: [1, 2]; q: [3 + 4]);
    println!("{p:?} {q:?}");
    mk!(dbl);
    println!("{}", dbl!(3 + 1));
    println!("{} {} {:?}", add(1, 2), neg(3), unit());
    println!("{:?}", Cfg::default());
    println!("{} | {} | {}", opt!(1), opt!(2, b = 3 + 1), opt!("z", b = 'c'; u, v));
    println!("{} {:?} {:?}", maxm!(3, 9, 4), ty!(Vec<i32>), pth!(Option::<i32>::Some));
    stm! { let a = 3; let b = a * 2; println!("{a} {b}"); }
    println!("{} {} {} {}", K, ST, kk(), inner::f());
    println!("{}", sep!(a, b, c; d => e));
    println!("{:?}", matr!([1, 2], [3, 4]));
    println!("{}", lamb!(|a, (b, c)| a + b * c)(1, (2, 3)));
    let _ = (G1(&3), G2("x"));
    println!("{}", wh!(10; += 3));
    println!("{}", crated!());
    println!("{:?}", callback_lines!(1, 2, 3).map(|(a, l)| (a, l > 0)));
    println!(
        "{} | {} | {} | {}",
        stringify!(Vec<i32>),
        stringify!(a + b * c),
        stringify!(
            fn f(x: &'a mut T) -> Box<dyn Fn(i32) -> u8 + 'static> {
                x.y?.z[1]
            }
        ),
        stringify!(#[a] $x :: < > .. ..= => -> !x &&y)
    );
    println!(
        "{}",
        stringify!({
            let x = "a\n";
            'a';
            b'\'';
            r#"q"#;
            1u8;
            1_000.5e3;
            r#type
        })
    );
    macro_rules! local { ($($x:ident = $v:expr),*) => { $(let $x = $v;)* println!("{}", concat!($(stringify!($x), "={",  stringify!($x), "} "),*)); } }
    local!(aa = 1, bb = "two");
}
