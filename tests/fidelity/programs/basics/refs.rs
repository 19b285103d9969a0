fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.len() >= b.len() { a } else { b }
}

fn bump(x: &mut i32) {
    *x += 1;
}

fn min_max(v: &mut [i32]) -> (&mut i32, &mut [i32]) {
    let (a, b) = v.split_first_mut().unwrap();
    (a, b)
}

struct Holder<'a> {
    part: &'a mut Vec<i32>,
}

impl<'a> Holder<'a> {
    fn add(&mut self, x: i32) {
        self.part.push(x);
    }
}

fn main() {
    let mut x = 1;
    bump(&mut x);
    {
        let r = &mut x;
        *r *= 10;
        bump(r);
    }
    println!("{x}");
    println!("{}", longest("ab", "abc"));
    let mut v = vec![1, 2, 3];
    {
        let (a, rest) = min_max(&mut v);
        *a = 100;
        rest[1] = 300;
        std::mem::swap(a, &mut rest[0]);
    }
    println!("{:?}", v);
    let mut h = Holder { part: &mut v };
    h.add(4);
    h.part[0] = -1;
    println!("{:?}", v);
    let rr = &&&5;
    println!("{} {}", ***rr + 1, rr);
    let b = Box::new(7);
    let c = *b + 1;
    println!("{b} {c}");
    let mut bx = Box::new([1, 2]);
    bx[0] += 5;
    println!("{:?}", *bx);
    let mut o = Some(3);
    if let Some(n) = &mut o {
        *n += 1;
    }
    if let Some(ref mut n) = o {
        *n *= 2;
    }
    println!("{:?} {:?}", o, o.as_ref().map(|n| n + 1));
}
