// A panic that would leave an `extern "C"` function aborts; `extern "C-unwind"` lets it through.
struct Loud(&'static str);
impl Drop for Loud { fn drop(&mut self) { println!("drop {}", self.0) } }
extern "C-unwind" fn through() { let _l = Loud("through"); panic!("goes through") }
extern "C" fn stops() { let _l = Loud("stops"); panic!("stops here") }
fn main() {
    println!("{}", std::panic::catch_unwind(|| through()).is_err());
    let _main = Loud("main's");
    println!("{}", std::panic::catch_unwind(|| stops()).is_err());
}
