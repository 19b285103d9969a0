use std::rc::Rc;
use std::sync::Arc;

struct D(String);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
fn d(s: &str) -> D {
    D(s.to_string())
}

trait T {
    fn hi(&self);
}
impl T for D {
    fn hi(&self) {
        println!("hi {}", self.0);
    }
}

fn main() {
    let b: Box<dyn T> = Box::new(d("boxed dyn"));
    b.hi();
    drop(b);
    let r = Rc::new(d("rc"));
    let r2 = Rc::clone(&r);
    println!("count {}", Rc::strong_count(&r));
    drop(r);
    println!("still {}", r2.0);
    drop(r2);
    let a: Arc<dyn T> = Arc::new(d("arc"));
    let w = Arc::downgrade(&a);
    println!("up {}", w.upgrade().is_some());
    drop(a);
    println!("up {}", w.upgrade().is_some());
    let v: Vec<Box<dyn T>> = vec![Box::new(d("v0")), Box::new(d("v1"))];
    let _rcs: Rc<[D]> = Rc::from(vec![d("s0"), d("s1")]);
    let unwrapped = Rc::try_unwrap(Rc::new(d("unwrapped"))).ok().unwrap();
    println!("{} {}", v.len(), unwrapped.0);
    let leaked: &'static D = Box::leak(Box::new(d("leaked")));
    println!("{}", leaked.0);
    let raw = Box::into_raw(Box::new(d("raw")));
    let back = unsafe { Box::from_raw(raw) };
    println!("{}", back.0);
    let f: Box<dyn FnOnce() -> usize> = {
        let c = d("captured");
        Box::new(move || c.0.len())
    };
    println!("{}", f());
}
