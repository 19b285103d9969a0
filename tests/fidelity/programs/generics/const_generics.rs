#[derive(Debug, Clone, Copy, PartialEq)]
struct Matrix<const R: usize, const C: usize>([[i32; C]; R]);

impl<const R: usize, const C: usize> Matrix<R, C> {
    const CELLS: usize = R * C;
    fn transpose(&self) -> Matrix<C, R> {
        let mut m = [[0; R]; C];
        for r in 0..R {
            for c in 0..C {
                m[c][r] = self.0[r][c];
            }
        }
        Matrix(m)
    }
    fn mul<const K: usize>(&self, o: &Matrix<C, K>) -> Matrix<R, K> {
        let mut m = [[0; K]; R];
        for (r, row) in m.iter_mut().enumerate() {
            for (k, cell) in row.iter_mut().enumerate() {
                *cell = (0..C).map(|c| self.0[r][c] * o.0[c][k]).sum();
            }
        }
        Matrix(m)
    }
}
impl<const N: usize> Matrix<N, N> {
    fn identity() -> Self {
        let mut m = [[0; N]; N];
        for i in 0..N {
            m[i][i] = 1;
        }
        Matrix(m)
    }
}

struct Ring<T, const N: usize> {
    buf: [Option<T>; N],
    at: usize,
}
impl<T, const N: usize> Ring<T, N> {
    fn new() -> Self {
        Ring { buf: [const { None }; N], at: 0 }
    }
    fn push(&mut self, t: T) -> Option<T> {
        let old = self.buf[self.at].replace(t);
        self.at = (self.at + 1) % N;
        old
    }
}

struct Flag<const B: bool, const C: char>;
impl<const C: char> Flag<true, C> {
    fn show(&self) -> String {
        format!("on {C}")
    }
}
impl<const C: char> Flag<false, C> {
    fn show(&self) -> String {
        format!("off {C}")
    }
}

fn first<T: Copy + Default, const N: usize>(v: &[T]) -> [T; N] {
    std::array::from_fn(|i| v.get(i).copied().unwrap_or_default())
}
fn len<T, const N: usize>(_: &[T; N]) -> usize {
    N
}
const fn fib(n: usize) -> usize {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}
trait Size {
    const N: usize;
}
impl<T, const K: usize> Size for [T; K] {
    const N: usize = K * std::mem::size_of::<T>();
}
struct Buf<const N: usize = 4>([u8; N]);

fn main() {
    let m = Matrix([[1, 2, 3], [4, 5, 6]]);
    println!("{:?} {}", m.transpose(), Matrix::<2, 3>::CELLS);
    println!("{:?}", m.mul(&m.transpose()));
    println!("{}", m.mul(&Matrix::identity()) == m);
    let mut r = Ring::<String, 2>::new();
    println!("{:?} {:?} {:?}", r.push("a".into()), r.push("b".into()), r.push("c".into()));
    println!("{} {}", Flag::<true, 'x'>.show(), Flag::<false, 'y'>.show());
    println!("{:?} {:?}", first::<_, 4>(&[1, 2]), { let a: [char; 1] = first(&['q', 'r']); a });
    println!("{} {}", len(&[0u8; fib(7)]), len(&["a"; { 1 + 2 }]));
    println!("{} {}", <[u32; 5] as Size>::N, <[[u16; 2]; 3]>::N);
    println!("{} {}", Buf([1, 2, 3, 4]).0.len(), Buf::<1>([9]).0[0]);
    println!("{:?}", [[1, 2], [3, 4]].map(|[a, b]| a * b));
}
