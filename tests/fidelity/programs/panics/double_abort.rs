struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

struct Bomb;
impl Drop for Bomb {
    fn drop(&mut self) {
        println!("second panic");
        panic!("while unwinding");
    }
}

fn main() {
    let _d = D("not reached");
    let _b = Bomb;
    let _e = D("reached");
    panic!("first");
}
