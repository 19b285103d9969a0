//! Matrices over a generic field: arithmetic, determinant, inverse, LU, power.
use std::fmt::{self, Debug, Display};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, Neg, Sub};

trait Field:
    Copy + PartialEq + Debug + Display + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self> + AddAssign + Sum
{
    const ZERO: Self;
    const ONE: Self;
}
impl Field for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Ratio {
    n: i64,
    d: i64,
}
fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
impl Ratio {
    fn new(n: i64, d: i64) -> Ratio {
        assert_ne!(d, 0, "zero denominator");
        let g = gcd(n, d) * d.signum();
        Ratio { n: n / g, d: d / g }
    }
}
impl From<i64> for Ratio {
    fn from(n: i64) -> Ratio {
        Ratio { n, d: 1 }
    }
}
impl Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.d == 1 { self.n.to_string() } else { format!("{}/{}", self.n, self.d) };
        f.pad(&s)
    }
}
impl Debug for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
macro_rules! ratio_op {
    ($($t:ident::$f:ident($a:ident, $b:ident) => $e:expr;)*) => {
        $(impl $t for Ratio {
            type Output = Ratio;
            fn $f(self, o: Ratio) -> Ratio { let ($a, $b) = (self, o); $e }
        })*
    };
}
ratio_op! {
    Add::add(a, b) => Ratio::new(a.n * b.d + b.n * a.d, a.d * b.d);
    Sub::sub(a, b) => a + -b;
    Mul::mul(a, b) => Ratio::new(a.n * b.n, a.d * b.d);
    Div::div(a, b) => Ratio::new(a.n * b.d, a.d * b.n);
}
impl Neg for Ratio {
    type Output = Ratio;
    fn neg(self) -> Ratio {
        Ratio { n: -self.n, d: self.d }
    }
}
impl AddAssign for Ratio {
    fn add_assign(&mut self, o: Ratio) {
        *self = *self + o;
    }
}
impl Sum for Ratio {
    fn sum<I: Iterator<Item = Ratio>>(it: I) -> Ratio {
        it.fold(Ratio::ZERO, |a, b| a + b)
    }
}
impl Field for Ratio {
    const ZERO: Ratio = Ratio { n: 0, d: 1 };
    const ONE: Ratio = Ratio { n: 1, d: 1 };
}

#[derive(Clone, PartialEq, Debug)]
struct Matrix<T> {
    rows: usize,
    cols: usize,
    data: Vec<T>,
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;
    fn index(&self, (r, c): (usize, usize)) -> &T {
        &self.data[r * self.cols + c]
    }
}
impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut T {
        &mut self.data[r * self.cols + c]
    }
}
impl<T: Display> Display for Matrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = f.precision();
        for row in self.data.chunks(self.cols) {
            f.write_str("[")?;
            for (i, x) in row.iter().enumerate() {
                let sep = if i == 0 { "" } else { " " };
                match p {
                    Some(p) => write!(f, "{sep}{x:>7.p$}")?,
                    None => write!(f, "{sep}{x:>6}")?,
                }
            }
            writeln!(f, "]")?;
        }
        Ok(())
    }
}

#[derive(Debug, PartialEq)]
enum MatrixError {
    Shape((usize, usize), (usize, usize)),
    Singular { column: usize },
}

impl<T: Field> Matrix<T> {
    fn from_rows<const R: usize, const C: usize>(rows: [[T; C]; R]) -> Self {
        Matrix { rows: R, cols: C, data: rows.concat() }
    }
    fn identity(n: usize) -> Self {
        let mut m = Matrix { rows: n, cols: n, data: vec![T::ZERO; n * n] };
        (0..n).for_each(|i| m[(i, i)] = T::ONE);
        m
    }
    fn transpose(&self) -> Self {
        let data = (0..self.cols).flat_map(|c| (0..self.rows).map(move |r| self[(r, c)])).collect();
        Matrix { rows: self.cols, cols: self.rows, data }
    }
    fn mul(&self, o: &Self) -> Result<Self, MatrixError> {
        if self.cols != o.rows {
            return Err(MatrixError::Shape((self.rows, self.cols), (o.rows, o.cols)));
        }
        let mut m = Matrix { rows: self.rows, cols: o.cols, data: Vec::with_capacity(self.rows * o.cols) };
        for r in 0..self.rows {
            for c in 0..o.cols {
                m.data.push((0..self.cols).map(|k| self[(r, k)] * o[(k, c)]).sum());
            }
        }
        Ok(m)
    }
    fn pow(&self, mut e: u32) -> Self {
        let (mut base, mut acc) = (self.clone(), Self::identity(self.rows));
        while e > 0 {
            if e % 2 == 1 {
                acc = acc.mul(&base).unwrap();
            }
            base = base.mul(&base).unwrap();
            e /= 2;
        }
        acc
    }
    fn swap_rows(&mut self, a: usize, b: usize) {
        if a != b {
            let (lo, hi) = (a.min(b), a.max(b));
            let (x, y) = self.data.split_at_mut(hi * self.cols);
            x[lo * self.cols..][..self.cols].swap_with_slice(&mut y[..self.cols]);
        }
    }
    fn det(&self) -> T {
        let mut m = self.clone();
        let mut d = T::ONE;
        for i in 0..m.rows {
            let Some(p) = (i..m.rows).find(|&r| m[(r, i)] != T::ZERO) else { return T::ZERO };
            if p != i {
                m.swap_rows(p, i);
                d = -d;
            }
            d = d * m[(i, i)];
            for r in i + 1..m.rows {
                let k = m[(r, i)] / m[(i, i)];
                for c in i..m.cols {
                    let x = k * m[(i, c)];
                    m[(r, c)] += -x;
                }
            }
        }
        d
    }
    fn inverse(&self) -> Result<Self, MatrixError> {
        let n = self.rows;
        let (mut a, mut inv) = (self.clone(), Self::identity(n));
        for i in 0..n {
            let p = (i..n).find(|&r| a[(r, i)] != T::ZERO).ok_or(MatrixError::Singular { column: i })?;
            a.swap_rows(p, i);
            inv.swap_rows(p, i);
            let k = T::ONE / a[(i, i)];
            for m in [&mut a, &mut inv] {
                m.data[i * n..(i + 1) * n].iter_mut().for_each(|x| *x = *x * k);
            }
            for r in (0..n).filter(|&r| r != i) {
                let k = a[(r, i)];
                for m in [&mut a, &mut inv] {
                    for c in 0..n {
                        let x = m[(i, c)];
                        m[(r, c)] = m[(r, c)] - k * x;
                    }
                }
            }
        }
        Ok(inv)
    }
    fn map<U>(&self, f: impl Fn(T) -> U) -> Matrix<U> {
        Matrix { rows: self.rows, cols: self.cols, data: self.data.iter().copied().map(f).collect() }
    }
}

fn main() {
    let m = ratios([[2, 1, 0], [1, 3, -1], [0, -1, 4]]);
    print!("{m}");
    println!("det {}", m.det());
    let inv = m.inverse().unwrap();
    print!("{inv}");
    println!("{}", m.mul(&inv).unwrap() == Matrix::identity(3));
    print!("{}", m.pow(5));
    let f = m.map(|r| r.n as f64 / r.d as f64);
    print!("{:.3}", f.inverse().unwrap());
    println!("{:?}", f.det());
    println!("{:?}", Matrix::from_rows([[1.0, 2.0], [2.0, 4.0]]).inverse());
    println!("{:?}", f.mul(&Matrix::from_rows([[1.0, 2.0]])));
    print!("{}", Matrix::from_rows([[1.5, 2.0, 3.0]]).transpose());
    let fib = ratios([[1, 1], [1, 0]]).pow(50);
    println!("{} {:?}", fib[(0, 1)], Ratio::new(6, -8));
    println!("{}", ratios([[0, 2], [3, 0]]).det());
    let zero = Ratio::ONE / Ratio::ZERO;
    println!("{zero}");
}

fn ratios<const R: usize, const C: usize>(rows: [[i64; C]; R]) -> Matrix<Ratio> {
    Matrix::from_rows(rows.map(|row| row.map(Ratio::from)))
}
