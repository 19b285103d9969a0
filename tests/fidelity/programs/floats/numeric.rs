// Newton, Simpson and statistics: plain arithmetic must be bit-exact.
fn newton(x: f64) -> f64 {
    let mut g = x / 2.0;
    for _ in 0..20 {
        g = 0.5 * (g + x / g);
    }
    g
}

fn simpson(f: impl Fn(f64) -> f64, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let mut s = f(a) + f(b);
    for i in 1..n {
        s += f(a + i as f64 * h) * if i % 2 == 0 { 2.0 } else { 4.0 };
    }
    s * h / 3.0
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
struct C {
    re: f64,
    im: f64,
}
impl std::ops::Mul for C {
    type Output = C;
    fn mul(self, o: C) -> C {
        C { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}
impl std::ops::Add for C {
    type Output = C;
    fn add(self, o: C) -> C {
        C { re: self.re + o.re, im: self.im + o.im }
    }
}

fn escape(c: C) -> u32 {
    let mut z = C::default();
    for i in 0..30 {
        if z.re * z.re + z.im * z.im > 4.0 {
            return i;
        }
        z = z * z + c;
    }
    30
}

fn main() {
    println!("{:?} {:?}", newton(2.0), newton(1e6));
    println!("{:?}", simpson(|x| x * x * x - x, 0.0, 2.0, 50));
    for y in -4..=4 {
        let row: String = (-10..=5)
            .map(|x| match escape(C { re: x as f64 / 5.0, im: y as f64 / 4.0 }) {
                30 => '#',
                n if n > 5 => '+',
                _ => '.',
            })
            .collect();
        println!("{row}");
    }
    let data = [2.5, 3.75, 8.125, -1.0, 6.6];
    let mean = data.iter().sum::<f64>() / data.len() as f64;
    let var = data.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (data.len() - 1) as f64;
    println!("{mean:?} {var:?} {:.4}", var.sqrt());
    let mut x = 1u64 as f32;
    for _ in 0..10 {
        x = x / 3.0 + 0.1;
    }
    println!("{x:?} {:?}", x as f64);
}
