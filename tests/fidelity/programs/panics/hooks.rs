// `set_hook`, `take_hook`, `update` of a hook while panics go on; `resume_unwind` is silent; locations.
use std::panic::{self, catch_unwind, resume_unwind, AssertUnwindSafe, Location};

#[track_caller]
fn caller() -> &'static Location<'static> {
    Location::caller()
}
#[track_caller]
fn fails(why: &str) -> ! {
    panic!("fails: {why}")
}

fn main() {
    let _ = catch_unwind(|| panic!("with the default hook"));
    panic::set_hook(Box::new(|info| {
        let place = info.location().unwrap();
        println!("hook 1: {:?} at {}:{}", info.payload_as_str(), place.line(), place.column());
    }));
    let _ = catch_unwind(|| fails("first"));
    let old = panic::take_hook();
    let _ = catch_unwind(|| panic!("default again"));
    panic::set_hook(Box::new(move |info| {
        print!("wrapped ");
        old(info);
    }));
    let _ = catch_unwind(|| { let v: Vec<u8> = vec![]; v[0] });
    let _ = catch_unwind(|| resume_unwind(Box::new("silent")));
    let _ = catch_unwind(|| panic::panic_any(5));
    let _ = catch_unwind(|| None::<i32>.unwrap());
    let _ = catch_unwind(|| Err::<i32, _>("bad").unwrap());
    let _ = catch_unwind(|| "x".parse::<i32>().expect("a number"));
    let _ = catch_unwind(|| assert_eq!(1 + 1, 3, "sum of {}", "ones"));
    let _ = catch_unwind(|| assert_ne!(2, 2));
    let _ = catch_unwind(|| assert!(1 > 2));
    let _ = catch_unwind(|| unreachable!("really {}", 1));
    let _ = catch_unwind(|| -> () { todo!() });
    let _ = catch_unwind(|| -> () { unimplemented!("later") });
    let _ = catch_unwind(|| "héé".split_at(2).0.len());
    let _ = catch_unwind(|| &"abc"[2..1] == "");
    let _ = catch_unwind(|| [1, 2, 3][..].chunks(std::hint::black_box(0)).count());
    let _ = catch_unwind(|| std::cell::RefCell::new(1).try_borrow_mut().map(|_| ()).unwrap_err());
    let _ = catch_unwind(|| { let cell = std::cell::RefCell::new(1); let _a = cell.borrow_mut(); let _b = cell.borrow(); });
    let _ = catch_unwind(|| std::hint::black_box(i32::MIN) / std::hint::black_box(-1));
    let _ = catch_unwind(|| std::hint::black_box(1u32) << std::hint::black_box(32));
    let _ = catch_unwind(|| char::from_digit(1, 37));
    let _ = catch_unwind(|| Vec::<u8>::with_capacity(usize::MAX));
    let _ = catch_unwind(|| std::time::Duration::from_secs_f64(-1.0));
    let _ = catch_unwind(|| String::from("ab").remove(5));
    let _ = catch_unwind(|| { let mut v = vec![1]; v.insert(9, 1) });
    let _ = catch_unwind(|| vec![1].swap_remove(1));
    let _ = catch_unwind(|| [1, 2].copy_from_slice(&[1]));
    let nested = catch_unwind(AssertUnwindSafe(|| {
        let inner = catch_unwind(|| panic!("inner"));
        println!("{}", inner.is_err());
        resume_unwind(inner.unwrap_err())
    }));
    println!("{:?} {}", nested.unwrap_err().downcast_ref::<&str>(), caller().line());
    println!("{}", std::thread::panicking());
    panic!("the end {}", 1 + 1);
}
