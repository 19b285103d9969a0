struct D(&'static str, i32);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {} {}", self.0, self.1);
    }
}

struct Src(i32);
impl Src {
    fn next(&mut self) -> Option<D> {
        if self.0 == 0 {
            None
        } else {
            self.0 -= 1;
            Some(D("item", self.0))
        }
    }
    fn temp(&mut self) -> D {
        self.0 -= 1;
        D("temp", self.0)
    }
}

impl D {
    fn positive(&self) -> Option<i32> {
        if self.1 > 0 { Some(self.1) } else { None }
    }
}

fn main() {
    let mut s = Src(2);
    while let Some(d) = s.next() {
        println!("got {}", d.1);
    }
    let mut s = Src(3);
    while let Some(n) = s.temp().positive() {
        println!("n {n}");
        if n == 100 {
            break;
        }
    }
    println!("-- wildcard");
    let mut s = Src(2);
    while let Some(_) = s.next() {
        println!("body");
    }
    println!("-- break");
    let mut s = Src(5);
    while let Some(n) = s.temp().positive() {
        let _l = D("local", n);
        if n == 3 {
            println!("breaking");
            break;
        }
        if n % 2 == 0 {
            continue;
        }
        println!("never");
    }
    println!("end");
}
