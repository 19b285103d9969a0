// Constants that are computed: loops, tables, generic and associated ones, inline `const` blocks.

const fn primes<const N: usize>() -> [u32; N] {
    let (mut found, mut count, mut n) = ([0; N], 0, 2);
    while count < N {
        let mut at = 0;
        let is_prime = loop {
            if at == count || found[at] * found[at] > n {
                break true;
            }
            if n % found[at] == 0 {
                break false;
            }
            at += 1;
        };
        if is_prime {
            found[count] = n;
            count += 1;
        }
        n += 1;
    }
    found
}

const fn parsed(text: &str) -> Option<u32> {
    let (bytes, mut at, mut value) = (text.as_bytes(), 0, 0u32);
    while at < bytes.len() {
        value = match bytes[at] {
            digit @ b'0'..=b'9' => match value.checked_mul(10) {
                Some(tens) => tens + (digit - b'0') as u32,
                None => return None,
            },
            _ => return None,
        };
        at += 1;
    }
    Some(value)
}

static PRIMES: [u32; 12] = primes();
const LIMIT: u32 = parsed("4096").unwrap();
const NAMES: &[&str] = &["zero", "one", concat!("t", "wo")];

struct Matrix<const R: usize, const C: usize>([[i32; C]; R]);

impl<const R: usize, const C: usize> Matrix<R, C> {
    const CELLS: usize = R * C;
    const IDENTITY: Self = {
        let mut cells = [[0; C]; R];
        let mut at = 0;
        while at < R && at < C {
            cells[at][at] = 1;
            at += 1;
        }
        Matrix(cells)
    };

    const fn flipped(&self) -> Matrix<C, R> {
        let (mut cells, mut row) = ([[0; R]; C], 0);
        while row < R {
            let mut column = 0;
            while column < C {
                cells[column][row] = self.0[row][column];
                column += 1;
            }
            row += 1;
        }
        Matrix(cells)
    }
}

fn zeroes<T: Copy>(zero: T) -> [T; 3] {
    let size = const { if size_of::<T>() > 4 { "large" } else { "small" } };
    print!("{size} ");
    [zero; const { 1 + 2 }]
}

fn main() {
    println!("{PRIMES:?} {LIMIT} {:?}", parsed("12x"));
    println!("{} {}", NAMES[2], NAMES.len());
    println!("{} {:?}", Matrix::<2, 3>::CELLS, Matrix::<2, 3>::IDENTITY.0);
    const FLIPPED: Matrix<3, 2> = Matrix([[1, 2, 3], [4, 5, 6]]).flipped();
    println!("{:?} {:?}", FLIPPED.0, FLIPPED.flipped().0);
    println!("{:?} {:?}", zeroes(0u64), zeroes('x'));
    const { assert!(LIMIT.is_power_of_two()) };
    println!("{}", const { i16::MAX as i32 + u8::MAX as i32 });
}
