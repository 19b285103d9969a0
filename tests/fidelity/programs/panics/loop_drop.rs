struct D(u32);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {} {}", self.0, std::thread::panicking());
    }
}

fn process(d: D, acc: &mut Vec<D>) -> u32 {
    let keep = D(d.0 * 10);
    if d.0 == 3 {
        let total: u32 = acc.iter().map(|x| x.0).sum();
        panic!("total was {total}");
    }
    acc.push(keep);
    d.0
}

fn main() {
    let mut acc = Vec::with_capacity(4);
    let items: Vec<D> = (1..=5).map(D).collect();
    for d in items {
        let n = process(d, &mut acc);
        println!("processed {n}");
    }
}
