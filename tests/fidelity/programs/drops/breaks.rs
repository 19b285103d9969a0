struct D(&'static str, i32);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {} {}", self.0, self.1);
    }
}
impl D {
    fn v(&self) -> i32 {
        self.1
    }
}

fn ret(n: i32) -> i32 {
    let _a = D("a", n);
    for i in 0..3 {
        let _b = D("b", i);
        {
            let _c = D("c", i);
            if i == n {
                return D("ret temp", i).v();
            }
            println!("past {i}");
        }
    }
    let _e = D("e", n);
    -1
}

fn question(s: &str) -> Result<i32, std::num::ParseIntError> {
    let _q = D("q", 0);
    let n: i32 = s.parse()?;
    let _r = D("r", n);
    Ok(n + s.parse::<i32>()?)
}

fn opt(v: &[i32]) -> Option<i32> {
    let _o = D("o", v.len() as i32);
    let x = v.get(1)?;
    let _p = D("p", *x);
    Some(*x)
}

fn main() {
    println!("{}", ret(1));
    println!("{}", ret(7));
    println!("{:?}", question("5"));
    println!("{:?}", question("x").is_err());
    println!("{:?} {:?}", opt(&[1, 2]), opt(&[]));
    let r = 'outer: loop {
        let _o = D("outer", 0);
        let mut i = 0;
        loop {
            let _i = D("inner", i);
            i += 1;
            if i == 1 {
                continue;
            }
            if i == 2 {
                println!("second round");
            }
            break 'outer D("broken out", i);
        }
    };
    println!("{}", r.v());
    let b = 'blk: {
        let _x = D("x", 1);
        let _y = D("y", 2);
        if r.v() == 3 {
            break 'blk D("break tmp", 3).v();
        }
        0
    };
    println!("{b}");
}
