#[derive(Debug)]
enum MyError {
    Bad { code: i32, why: String },
}

fn f(n: i32) -> Result<i32, MyError> {
    if n > 1 { Err(MyError::Bad { code: n, why: "too \"big\"".into() }) } else { Ok(n) }
}

struct D;
impl Drop for D {
    fn drop(&mut self) {
        println!("dropped while panicking: {}", std::thread::panicking());
    }
}

fn main() {
    let _d = D;
    println!("{}", f(1).expect("one is fine"));
    println!("{}", f(2).expect("two should be fine"));
}
