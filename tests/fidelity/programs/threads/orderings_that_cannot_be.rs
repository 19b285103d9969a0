use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::panic::catch_unwind;
fn main() {
    let a = AtomicUsize::new(3);
    for o in [Ordering::Relaxed, Ordering::Release, Ordering::Acquire, Ordering::AcqRel, Ordering::SeqCst] {
        println!("{o:?} load {:?}", catch_unwind(|| a.load(o)).map_err(|e| e.downcast_ref::<&str>().map(|s| s.to_string())));
        println!("{o:?} store {:?}", catch_unwind(|| a.store(4, o)).map_err(|e| e.downcast_ref::<&str>().map(|s| s.to_string())));
        println!("{o:?} swap {:?}", catch_unwind(|| a.swap(5, o)).map_err(|e| e.downcast_ref::<&str>().map(|s| s.to_string())));
        println!("{o:?} cas {:?}", catch_unwind(|| a.compare_exchange(5, 6, o, o)).map_err(|e| e.downcast_ref::<&str>().map(|s| s.to_string())));
        println!("{o:?} fence {:?}", catch_unwind(|| fence(o)).map_err(|e| e.downcast_ref::<&str>().map(|s| s.to_string())));
    }
}
