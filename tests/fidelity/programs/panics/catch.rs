use std::panic;

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

#[derive(Debug, PartialEq)]
struct Custom(i32);

fn main() {
    let r = panic::catch_unwind(|| {
        let _d = D("in catch");
        5
    });
    println!("{:?}", r.is_ok());
    let r = panic::catch_unwind(|| {
        let _d = D("unwound");
        panic!("static message");
    });
    let e = r.unwrap_err();
    println!("{:?} {:?}", e.downcast_ref::<&str>(), e.downcast_ref::<String>());
    let n = 3;
    let e = panic::catch_unwind(|| -> i32 { panic!("formatted {n}") }).unwrap_err();
    println!("{:?} {:?}", e.downcast_ref::<&str>(), e.downcast_ref::<String>());
    let e = panic::catch_unwind(|| panic::panic_any(Custom(7))).unwrap_err();
    println!("{:?}", e.downcast::<Custom>().unwrap());
    let e = panic::catch_unwind(|| {
        let _d = D("resumed");
        panic::resume_unwind(Box::new(42u8));
    })
    .unwrap_err();
    println!("{:?} {}", e.downcast_ref::<u8>(), e.is::<i32>());
    println!("end");
}
