use std::panic::catch_unwind;
#[derive(Debug, PartialEq)] struct P { x: i32 }
macro_rules! m { ($e:expr) => { assert!($e) }; ($a:expr, $b:expr) => { assert!($a == $b) } }
macro_rules! s { ($($t:tt)*) => { stringify!($($t)*) } } macro_rules! se { ($e:expr) => { stringify!($e) } } macro_rules! st { ($t:ty) => { stringify!($t) } } macro_rules! si { ($i:ident) => { concat!("id_", stringify!($i)) } } macro_rules! sp { ($p:pat) => { stringify!($p) } } macro_rules! sb { ($b:block) => { stringify!($b) } }
macro_rules! enm { ($n:ident { $($v:ident = $x:expr),* $(,)? }) => { #[derive(Debug, Clone, Copy)] enum $n { $($v = $x),* } impl $n { fn name(self) -> &'static str { match self { $($n::$v => stringify!($v)),* } } } } }
enm!(Col { Red = 1, Green = 2 + 2, });
macro_rules! dbgm { ($($e:expr),* $(,)?) => { $(println!("{} = {:?}", stringify!($e), $e);)* } }
fn main() {
    let (v, x) = (vec![1, 2], 3);
    println!("{}|{}|{}", stringify!(a+b), stringify!(Vec<u8>), stringify!( fn f ( x : i32 ) -> u8 { x  as u8 } )); println!("{}|{}|{}|{}", s!(a . b), se!(1+2 * 3), se!((1 + 2)*3), st!(Option< Vec<u8>>)); println!("{} {} {}", si!(foo), sp!(Some( x ) | None), sb!({ 1 ; 2 })); println!("{} {:?}", Col::Green.name(), Col::Red);
    dbgm!(v.len(), x * 2, &v[..1], !true, v.iter().map(|x| x + 1).collect::<Vec<_>>(), if x > 2 { "y" } else { "n" }, -x, "s", P { x: 1 }, x as u8, (1, 2), [0; 2], v == [1], x & 1 == 1);
    let t: Vec<Box<dyn Fn() + std::panic::UnwindSafe + std::panic::RefUnwindSafe>> = vec![Box::new(|| assert!(1 + 1 == 3)), Box::new(|| assert!(!true, "neg {}", v.len())), Box::new(|| assert_eq!(1, 2)), Box::new(|| assert_eq!(P { x: 1 }, P { x: 2 }, "msg {}", v.len())), Box::new(|| assert_ne!("a", "a")), Box::new(|| m!(vec![1].is_empty())), Box::new(|| debug_assert!(false && true)), Box::new(|| unreachable!("got {}", v.len())), Box::new(|| todo!()), Box::new(|| assert!(matches!(Some(3), None | Some(1..=2)))), Box::new(|| assert!("abc".chars().all(|c| c.is_ascii_digit()), )), Box::new(|| panic!()), Box::new(|| assert!([1u8, 2].iter().any(|&b| b > 5) || "x".len() as u32 == 0))];
    for f in &t { println!("{}", catch_unwind(f).unwrap_err().downcast_ref::<String>().map(|s| s.as_str()).unwrap_or("static")); }
    let r: Result<i32, String> = Err("bad".into()); r.expect("wanted");
}
