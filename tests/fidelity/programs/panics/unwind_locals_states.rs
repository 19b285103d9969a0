use std::panic::catch_unwind;

struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn boom(at: u32, here: u32) {
    if at == here {
        panic!("at {here}");
    }
}

fn states(at: u32) -> usize {
    boom(at, 0);
    let a = D("a");
    boom(at, 1);
    let b = if at % 2 == 0 { Some(D("b")) } else { None };
    boom(at, 2);
    let c;
    let moved = a;
    boom(at, 3);
    {
        let _inner = D("inner");
        boom(at, 4);
    }
    c = D("c");
    let mut d = D("d1");
    boom(at, 5);
    d = D("d2");
    let t = (D("t0"), D("t1"));
    drop(t.0);
    boom(at, 6);
    match b {
        Some(x) => {
            println!("x {}", x.0);
            boom(at, 8);
        }
        None => boom(at, 7),
    }
    let n = D("temp").0.len() + {
        boom(at, 9);
        moved.0.len()
    };
    n + c.0.len() + d.0.len()
}

fn main() {
    std::panic::set_hook(Box::new(|i| println!("panic {}", i.payload_as_str().unwrap())));
    for at in 0..=10 {
        println!("== {at}");
        let r = catch_unwind(|| states(at));
        println!("{:?}", r.ok());
    }
}
