#[derive(Debug)]
struct D(i32);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn ok(n: i32) -> Result<D, D> {
    if n > 0 { Ok(D(n)) } else { Err(D(n)) }
}

fn main() {
    let o = Some(D(1));
    println!("{:?}", o.as_ref().map(|d| d.0));
    let p = o.map(|d| D(d.0 + 10));
    println!("mapped {:?}", p);
    let q = p.and_then(|d| if d.0 > 100 { Some(d) } else { None });
    println!("and_then {:?}", q);
    let r = q.or(Some(D(2)));
    println!("or {:?}", r);
    let u = Some(D(3)).unwrap_or(D(4));
    println!("unwrap_or {:?}", u);
    let v = None.unwrap_or_else(|| D(5));
    println!("{:?}", v);
    let f = Some(D(6)).filter(|d| d.0 > 6);
    println!("filter {:?}", f);
    let z = Some(D(7)).zip(None::<D>);
    println!("zip {:?}", z.is_none());
    let x = Some(D(8)).xor(Some(D(9)));
    println!("xor {:?}", x.is_none());
    println!("ok {:?}", ok(20).ok().map(|d| d.0));
    println!("err {:?}", ok(-1).ok().is_none());
    println!("{:?}", ok(21).and(ok(22)));
    println!("{:?}", ok(-3).or(ok(23)));
    println!("{:?}", ok(-4).map_err(|d| d.0 * 2));
    println!("{:?}", ok(24).unwrap_or(D(25)));
    let mut t = Some(D(30));
    if let Some(d) = t.take_if(|d| d.0 == 30) {
        println!("taken {:?}", d);
    }
    let s: Result<Vec<D>, D> = [1, 2, -3, 4].into_iter().map(ok).collect();
    println!("collected {:?}", s);
    let w: Option<Vec<D>> = [Some(D(40)), None, Some(D(41))].into_iter().collect();
    println!("{:?}", w.is_none());
    println!("end");
}
