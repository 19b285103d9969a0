use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local!(static AT: Cell<(u32, u32)> = const { Cell::new((0, 0)) });

fn show<T>(f: impl FnOnce() -> T) {
    let e = catch_unwind(AssertUnwindSafe(f)).err().unwrap();
    let m = e.downcast_ref::<String>().cloned().or_else(|| e.downcast_ref::<&str>().map(|s| s.to_string()));
    println!("{}:{} {}", AT.get().0, AT.get().1, m.unwrap());
}

fn id<T>(t: T) -> T {
    t
}

fn main() {
    std::panic::set_hook(Box::new(|i| {
        let l = i.location().unwrap();
        // Places inside std are not this program's business.
        AT.set(if l.file().ends_with("messages.rs") { (l.line(), l.column()) } else { (0, 0) });
    }));
    show(|| id(i32::MAX) + id(1));
    show(|| id(0u8) - id(1));
    show(|| id(i64::MIN) * id(2));
    show(|| id(1) / id(0));
    show(|| id(1) % id(0));
    show(|| id(i32::MIN) / id(-1));
    show(|| id(i32::MIN) % id(-1));
    show(|| -id(i8::MIN));
    show(|| id(1u32) << id(32));
    show(|| id(1i8) >> id(8));
    show(|| id(10i32).pow(10));
    show(|| id(i32::MIN).abs());
    show(|| id([1, 2, 3])[id(5)]);
    show(|| id(&[1, 2, 3][..])[id(2)..id(1)].len());
    show(|| id(vec![1, 2])[..id(4)].len());
    show(|| id(vec![1, 2])[id(3)..].len());
    show(|| id("héllo")[..id(2)].len());
    show(|| id("abc")[id(2)..id(9)].len());
    show(|| id(None::<i32>).unwrap());
    show(|| id(None::<i32>).expect("a value"));
    show(|| id(Err::<i32, _>("bad")).unwrap());
    show(|| id(Err::<i32, _>(vec![1])).expect("no error"));
    show(|| id(Ok::<_, i32>(3)).unwrap_err());
    show(|| unreachable!());
    show(|| unreachable!("state {}", 3));
    show(|| todo!());
    show(|| unimplemented!("later"));
    show(|| panic!());
    show(|| assert!(id(1) == 2));
    show(|| assert!(id(1) == 2, "with {}", "message"));
    show(|| assert_eq!(id(1), 2));
    show(|| assert_eq!(id("a"), "b", "strings {}", 7));
    show(|| assert_ne!(id(vec![1]), vec![1]));
    show(|| debug_assert!(id(false)));
    show(|| Vec::<i32>::new().remove(id(0)));
    show(|| vec![1].swap_remove(id(1)));
    show(|| vec![1].insert(id(3), 1));
    show(|| vec![1].split_off(id(2)));
    show(|| vec![1, 2, 3].drain(id(2)..id(5)).count());
    show(|| [1, 2].copy_from_slice(id(&[1][..])));
    show(|| [1, 2][..].split_at(id(3)).0.len());
    show(|| [1, 2].chunks(id(0)).count());
    show(|| (0..10).step_by(id(0)).count());
    show(|| { let c = RefCell::new(1); let _a = c.borrow_mut(); *c.borrow() });
    show(|| { let c = RefCell::new(1); let _a = c.borrow(); *c.borrow_mut() = 2; });
    show(|| String::from("é").remove(id(1)));
    show(|| String::from("abc").insert(id(4), 'x'));
    show(|| std::collections::HashMap::<i32, i32>::new()[&id(1)]);
    show(|| std::collections::BTreeMap::<&str, i32>::new()["k"]);
    show(|| std::collections::VecDeque::<i32>::new()[id(1)]);
    show(|| char::from_digit(1, id(40)));
    show(|| id(5i32).clamp(id(3), id(2)));
    show(|| id(0u32).ilog2());
    show(|| "x".parse::<i32>().unwrap());
    show(|| "1.x".parse::<f64>().unwrap());
    show(|| [1, 2, 3].iter().copied().map(|x| x * id(100u8)).sum::<u8>());
    show(|| [200u8, 100].iter().sum::<u8>());
    show(|| id(usize::MAX) + id(1));
}
