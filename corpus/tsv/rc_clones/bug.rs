use std::rc::Rc;
use std::thread;

struct Handle(Rc<str>);

unsafe impl Send for Handle {}

impl Handle {
    fn again(&self) -> Handle {
        Handle(self.0.clone()) //~ thread-safety-violation
    }

    fn len(self) -> usize {
        let Handle(text) = self;
        text.len()
    }
}

// Two threads clone the same `Rc`, whose count is not atomic.
fn main() {
    let handle = Handle(Rc::from("shared"));
    thread::scope(|scope| {
        let (left, right) = (Lent(&handle), Lent(&handle));
        scope.spawn(move || left.len());
        scope.spawn(move || right.len());
    });
    println!("{}", handle.len());
}

struct Lent<'a>(&'a Handle);

unsafe impl Send for Lent<'_> {}

impl Lent<'_> {
    fn len(self) -> bool {
        std::mem::forget(self.0.again());
        true
    }
}
