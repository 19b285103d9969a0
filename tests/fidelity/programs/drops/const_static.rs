use std::sync::Mutex;

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

const C: D = D("const");
static S: D = D("static");
static M: Mutex<Option<D>> = Mutex::new(None);
const REF: &D = &D("const ref");

fn main() {
    println!("1");
    C;
    println!("2");
    let _x = C;
    println!("3 {}", C.0);
    println!("4 {}", S.0);
    let r = &C;
    println!("5 {} {}", r.0, REF.0);
    *M.lock().unwrap() = Some(D("in mutex"));
    *M.lock().unwrap() = Some(D("in mutex 2"));
    let old = M.lock().unwrap().replace(D("in mutex 3"));
    println!("6 {}", old.is_some());
    let arr = [const { D("inline const") }; 2];
    println!("7 {}", arr.len());
    let _z = [C, C];
    println!("end");
}
