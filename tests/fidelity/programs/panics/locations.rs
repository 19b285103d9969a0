use std::panic::Location;
#[track_caller] fn here() -> &'static Location<'static> { Location::caller() }
struct S; impl S { #[track_caller] fn m(&self) -> u32 { here().line() } }
trait T { #[track_caller] fn t(&self) -> u32; #[track_caller] fn d(&self) -> u32 { here().line() } }
impl T for S { fn t(&self) -> u32 { Location::caller().line() } }
impl std::ops::Add for S { type Output = u32; #[track_caller] fn add(self, _: S) -> u32 { Location::caller().column() } }
impl std::ops::Index<u8> for S { type Output = u32; #[track_caller] fn index(&self, _: u8) -> &u32 { Box::leak(Box::new(Location::caller().column())) } }
impl std::ops::Deref for S { type Target = u32; #[track_caller] fn deref(&self) -> &u32 { Box::leak(Box::new(Location::caller().column())) } }
macro_rules! m { () => { here() } }
fn plain() -> &'static Location<'static> { Location::caller() }
fn main() {
    println!("{}", here());
    println!("{}", m!());
    println!("{} {}", S.m(), S.t());
    println!("{}", S
        .m());
    let d: &dyn T = &S; println!("{} {}", d.t(), d.d());
    println!("{} {} {}", S + S, S[0], *S);
    println!("{}", plain());
    let f: fn() -> &'static Location<'static> = here; println!("{}", f().line() > 0);
    println!("{:?}", [1].map(|_| here().line()));
    let o: Vec<_> = (0..1).map(|_| Location::caller().column()).collect(); println!("{o:?}");
    let c = || here().column(); println!("{}", c());
    println!("{}", Some(1).map(|_| here().line()).unwrap());
    println!("{}", (|| -> u32 {
        here().line()
    })());
    let l = here(); println!("{} {} {}", l.file(), l.line(), l.column());
    None::<u8>.unwrap_or_else(|| panic!("deep {}", here().line()));
}
