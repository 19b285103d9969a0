struct D(&'static str); impl Drop for D { fn drop(&mut self) { println!("drop {}", self.0) } }
enum E { A(D), B(D), C }
fn check(d: &D, ok: bool) -> bool { println!("guard {} {ok}", d.0); ok }
fn f(o: Option<E>, ok: bool) { match o { Some(E::A(d) | E::B(d)) if check(&d, ok) => println!("arm {}", d.0), Some(E::A(_)) => println!("a"), Some(_) => println!("other"), None => println!("none") } println!("end f"); }
fn g(t: (Option<(D, D)>, u8), n: u8) { match t { (Some((a, _) | (a, _)), 1 | 2) if { println!("try {}", a.0); a.0.len() == n as usize } => println!("got {}", a.0), (Some(_), _) => println!("some"), _ => println!("no") } println!("end g"); }
fn h(x: (i32, i32)) -> i32 { match x { (a, _) | (_, a) if { println!("t {a}"); a > 5 } => a, _ => 0 } }
fn k(x: Option<(i32, i32)>) -> i32 { match x { Some((a, _) | (_, a)) if { println!("t {a}"); a > 5 } => a, _ => 0 } }
fn m(x: (Option<(i32, i32)>, Option<(i32, i32)>)) -> i32 { match x { (Some((a, _) | (_, a)), Some((b, _) | (_, b))) if { println!("t {a} {b}"); a > 5 && b > 5 } => a * b, _ => 0 } }
fn n(x: (u8, Option<u8>)) -> u8 { match x { (1 | 2, Some(3 | 4)) | (3 | 4, None) if { println!("n"); false } => 1, _ => 0 } }
fn main() {
    f(Some(E::A(D("a"))), true); f(Some(E::A(D("a2"))), false); f(Some(E::B(D("b"))), true); f(Some(E::B(D("b2"))), false); f(Some(E::C), true); f(None, true);
    g((Some((D("x"), D("yy"))), 1), 1); g((Some((D("x"), D("yy"))), 2), 5); g((None, 1), 1);
    println!("{} {} {}", h((6, 1)), h((1, 7)), h((1, 2)));
    println!("{} {} {}", k(Some((6, 1))), k(Some((1, 7))), k(Some((1, 2))));
    println!("{} {}", m((Some((1, 7)), Some((2, 8)))), m((Some((1, 2)), Some((2, 8)))));
    println!("{} {}", n((1, Some(3))), n((4, None)));
}
