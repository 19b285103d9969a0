#[derive(Debug, Default, Clone)]
struct Stack<T> {
    items: Vec<T>,
}

impl<T: Clone + std::fmt::Debug> Stack<T> {
    fn new() -> Self {
        Stack { items: Vec::new() }
    }
    fn push(&mut self, t: T) -> &mut Self {
        self.items.push(t);
        self
    }
    fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }
}

fn largest<T: PartialOrd + Copy>(xs: &[T]) -> T {
    let mut m = xs[0];
    for &x in xs {
        if x > m {
            m = x;
        }
    }
    m
}

struct Pair<A, B>(A, B);

impl<A, B> Pair<A, B> {
    fn swap(self) -> Pair<B, A> {
        Pair(self.1, self.0)
    }
}

fn first_n<const N: usize>(v: &[i32]) -> [i32; N] {
    let mut out = [0; N];
    out.copy_from_slice(&v[..N]);
    out
}

fn main() {
    let mut s = Stack::new();
    s.push(1).push(2).push(3);
    println!("{:?} {:?}", s.pop(), s);
    let e: Stack<String> = Stack::default();
    println!("{:?}", e.clone());
    println!("{} {} {}", largest(&[1, 5, 2]), largest(&[0.5, -1.0]), largest(&['a', 'z']));
    let p = Pair(1, "one").swap();
    println!("{} {}", p.0, p.1);
    println!("{:?}", first_n::<2>(&[7, 8, 9]));
    let [a, b, c] = first_n(&[1, 2, 3, 4]);
    println!("{}", a + b + c);
}
