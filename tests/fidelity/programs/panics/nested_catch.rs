use std::panic::{self, catch_unwind, resume_unwind};

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        let r = catch_unwind(|| {
            println!("catch inside drop of a panic");
        });
        println!("drop {} {} {}", self.0, std::thread::panicking(), r.is_ok());
    }
}

fn level(n: u32) -> Result<u32, String> {
    let r = catch_unwind(move || {
        let _d = D("level");
        if n == 0 {
            panic!("bottom");
        }
        level(n - 1).unwrap_or_else(|e| panic!("{n}<{e}"))
    });
    r.map_err(|e| match e.downcast::<String>() {
        Ok(s) => *s,
        Err(e) => e.downcast_ref::<&str>().unwrap().to_string(),
    })
}

fn main() {
    println!("{:?}", level(2));
    let outer = catch_unwind(|| {
        let inner = catch_unwind(|| {
            let _d = D("inner");
            panic!("one");
        });
        println!("inner {}", inner.is_err());
        resume_unwind(inner.unwrap_err());
    });
    println!("{:?}", outer.unwrap_err().downcast_ref::<&str>());
    panic::set_hook(Box::new(|info| {
        let m = info.payload_as_str().unwrap_or("?");
        println!("hook: {m} at line {}", info.location().unwrap().line());
    }));
    let _ = catch_unwind(|| panic!("with hook"));
    let _ = panic::take_hook();
    let r = catch_unwind(|| {
        let v: Vec<i32> = Vec::new();
        v[0]
    });
    println!("{}", r.unwrap_err().downcast_ref::<String>().unwrap());
}
