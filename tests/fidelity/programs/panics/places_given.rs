use std::panic::Location;
#[track_caller] fn here() -> String { let l = Location::caller(); format!("{}:{}", l.line(), l.column()) }
#[track_caller] fn through() -> String { here() } fn not() -> String { here() }
struct S; impl S { #[track_caller] fn m(&self) -> String { here() } #[track_caller] fn by(self) -> (S, String) { let h = here(); (self, h) } }
trait T { #[track_caller] fn t(&self) -> String { here() } fn u(&self) -> String; } impl T for S { #[track_caller] fn u(&self) -> String { here() } } impl T for u8 { #[track_caller] fn t(&self) -> String { format!("u8 {}", here()) } fn u(&self) -> String { here() } }
impl std::ops::Add for S { type Output = String; #[track_caller] fn add(self, _: S) -> String { here() } } impl std::ops::Index<u8> for S { type Output = u8; #[track_caller] fn index(&self, i: u8) -> &u8 { println!("  index {}", here()); &7 } } impl std::ops::Deref for S { type Target = str; #[track_caller] fn deref(&self) -> &str { println!("  deref {}", here()); "derefd" } } impl std::ops::Neg for S { type Output = String; #[track_caller] fn neg(self) -> String { here() } } impl Drop for S { #[track_caller] fn drop(&mut self) { } } impl From<S> for String { #[track_caller] fn from(_: S) -> String { here() } } struct E(String); impl From<u8> for E { #[track_caller] fn from(_: u8) -> E { E(here()) } }
fn q() -> Result<(), E> { let r: Result<(), u8> = Err(1);
    r?; Ok(()) }
macro_rules! mac { () => { here() }; ($e:expr) => { ($e, here()) } }
pub fn apply<R>(f: impl FnOnce() -> R) -> R { f() }
#[track_caller] fn genr<T>(_: T) -> impl Fn() -> String { let l = Location::caller(); move || format!("{}", l.line()) }
#[track_caller] const fn cst() -> u32 { Location::caller().line() } const L: u32 = cst();
fn pan(f: impl FnOnce() + std::panic::UnwindSafe) { let _ = std::panic::catch_unwind(f); }
#[track_caller]
    pub(crate) fn fail(o: Option<u8>) -> u8 { o.expect("fail") }
fn main() {
    println!("{} {} {}", here(), through(), not()); println!("{} {:?}", S.m(), S
        .by()
        .1); println!("{} {} {} {}", S.t(), S.u(), 5u8.t(), 5u8.u()); let d: &dyn T = &S; println!("{} {}", d.t(), d.u()); let d: Box<dyn T> = Box::new(1u8); println!("{}", d.t());
    println!("{} {}", S + S, -S); let _ = S[1]; println!("{}", S.len()); let s: &str = &S; println!("{s} {}", *S == *"x"); println!("{}", String::from(S)); let x: String = S.into(); println!("{x}"); println!("{}", q().unwrap_err().0);
    println!("{} {:?}", mac!(), mac!(here())); println!("{} {} {}", apply(here), apply(|| here()), (here as fn() -> String)()); let f: &dyn Fn() -> String = &here; println!("{} {}", f(), genr(5)()); println!("{L} {}", const { cst() }); println!("{:?}", [1, 2].map(|_| here())); println!("{:?}", Some(1).map_or_else(here, |_| here())); println!("{:?}", None::<u8>.map_or_else(here, |_| here())); println!("{:?}", None.unwrap_or_else(here)); println!("{:?}", std::iter::repeat_with(here).take(1).collect::<Vec<_>>());
    std::panic::set_hook(Box::new(|i| { let l = i.location().unwrap(); println!("  panic {}:{} {}", l.line(), l.column(), if l.file().contains("library") { "std" } else { "here" }) }));
    pan(|| { fail(None); }); pan(|| { [1, 2][..].iter().map(|x| x / (x - x)).count(); }); pan(|| { None::<u8>.unwrap(); }); pan(|| { Vec::<u8>::new().remove(0); }); pan(|| { let v = vec![1]; let _ = v[3]; }); pan(|| { let v = [1, 2]; let i = v.len(); let _ = &v[..]
        [i]; }); pan(|| { "abc"[5..].len(); }); pan(|| { std::cell::RefCell::new(1).try_borrow_mut().map(|_| ()).unwrap(); let c = std::cell::RefCell::new(1); let _a = c.borrow_mut(); c.borrow(); }); pan(|| { Some(1).filter(|_| false).expect("x"); }); pan(|| { i32::from_str_radix("x", 99); }); pan(|| { u8::try_from(300).unwrap(); }); pan(|| assert_eq!(1,
        2)); pan(|| { let _: u8 = [1u8, 255].iter().sum(); }); pan(|| { let mut it = [1].iter(); it.next(); it.next().unwrap(); }); pan(|| { std::thread::spawn(|| 1).join().map(|_| Err::<(), _>(1)).unwrap().unwrap(); }); pan(|| std::panic::panic_any(1)); pan(|| std::panic::resume_unwind(Box::new(1))); pan(|| unreachable!()); pan(|| { std::collections::HashMap::<u8, u8>::new()[&1]; }); pan(|| { let m = std::collections::BTreeMap::<u8, u8>::new(); m[&2]; }); pan(|| { std::collections::VecDeque::<u8>::new()[0]; }); pan(|| { String::from("é").remove(1); }); pan(|| { [3, 1].sort_by(|_, _| panic!()); }); pan(|| { Option::<Result<u8, u8>>::Some(Err(1)).transpose().unwrap(); }); pan(|| { [0u8; 4].copy_from_slice(&[1]); }); pan(|| { std::rc::Rc::<[u8]>::from(vec![1])[1]; });
    pan(|| { [None::<u8>].into_iter().map(Option::unwrap).count(); });
    pan(|| { [None::<u8>].map(Option::unwrap); });
    pan(|| { Some(None::<u8>).map(Option::unwrap); });
    let f: fn(Option<u8>) -> u8 = fail; pan(move || { f(None); });
    let u: &(dyn Fn(Option<u8>) -> u8 + std::panic::RefUnwindSafe) = &fail; pan(move || { u(None); });
    let mut n = fail; let m: &mut dyn FnMut(Option<u8>) -> u8 = &mut n; pan(std::panic::AssertUnwindSafe(move || { m(None); }));
    let o: Box<dyn FnOnce(Option<u8>) -> u8 + std::panic::UnwindSafe> = Box::new(fail); pan(move || { o(None); });
    println!("{}", (S::m as fn(&S) -> String)(&S)); println!("{}", (<u8 as T>::t as fn(&u8) -> String)(&5)); println!("{}", [5u8].iter().map(T::u).next().unwrap()); println!("{:?}", [S].iter().map(T::u).collect::<String>()); println!("{:?}", Some(S).map(<String as From<S>>::from));
}
