use std::mem::{self, ManuallyDrop};

#[derive(Debug)]
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
impl Default for D {
    fn default() -> D {
        D("default")
    }
}

fn main() {
    let mut a = D("a");
    let old = mem::replace(&mut a, D("a2"));
    println!("old {:?}", old);
    let t = mem::take(&mut a);
    println!("took {:?} left {:?}", t, a);
    let mut b = D("b");
    mem::swap(&mut a, &mut b);
    println!("{:?} {:?}", a, b);
    mem::forget(D("forgotten"));
    let mut m = ManuallyDrop::new(D("manual"));
    println!("{:?}", *m);
    m.0 = "manual changed";
    unsafe { ManuallyDrop::drop(&mut m) };
    let inner = ManuallyDrop::into_inner(ManuallyDrop::new(D("into inner")));
    println!("{:?}", inner);
    let mut o = Some(D("o"));
    let taken = o.take();
    println!("{:?} {:?}", o, taken);
    o.replace(D("o2"));
    let r = o.insert(D("o3"));
    println!("{:?}", r);
    println!("{:?}", o.get_or_insert_with(|| D("no")));
    println!("needs {} {}", mem::needs_drop::<D>(), mem::needs_drop::<i32>());
    unsafe {
        let mut x = ManuallyDrop::new(D("in place"));
        std::ptr::drop_in_place(&mut *x);
    }
    println!("end");
}
