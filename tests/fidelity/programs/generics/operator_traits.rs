// Every operator that a type can have, by value and by reference.

use std::ops::*;

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct M(i32);

macro_rules! binary {
    ($($tr:ident $fun:ident $assign:ident $assign_fun:ident $op:tt),*) => {$(
        impl $tr for M {
            type Output = M;
            fn $fun(self, other: M) -> M {
                M(self.0 $op other.0)
            }
        }
        impl $tr<&M> for &M {
            type Output = String;
            fn $fun(self, other: &M) -> String {
                format!("{}{}{}", self.0, stringify!($op), other.0)
            }
        }
        impl $assign<i32> for M {
            fn $assign_fun(&mut self, other: i32) {
                self.0 = self.0 $op other;
            }
        }
    )*};
}

binary!(Add add AddAssign add_assign +, Sub sub SubAssign sub_assign -, Mul mul MulAssign mul_assign *,
    Div div DivAssign div_assign /, Rem rem RemAssign rem_assign %, BitAnd bitand BitAndAssign bitand_assign &,
    BitOr bitor BitOrAssign bitor_assign |, BitXor bitxor BitXorAssign bitxor_assign ^,
    Shl shl ShlAssign shl_assign <<, Shr shr ShrAssign shr_assign >>);

impl Neg for M {
    type Output = M;
    fn neg(self) -> M {
        M(-self.0)
    }
}

impl Not for M {
    type Output = bool;
    fn not(self) -> bool {
        self.0 == 0
    }
}

struct Row(Vec<M>);

impl Index<usize> for Row {
    type Output = M;
    fn index(&self, at: usize) -> &M {
        &self.0[at % self.0.len()]
    }
}

impl IndexMut<usize> for Row {
    fn index_mut(&mut self, at: usize) -> &mut M {
        let len = self.0.len();
        &mut self.0[at % len]
    }
}

impl Deref for Row {
    type Target = [M];
    fn deref(&self) -> &[M] {
        &self.0
    }
}

fn main() {
    let (a, b) = (M(29), M(3));
    println!("{:?}", [a + b, a - b, a * b, a / b, a % b, a & b, a | b, a ^ b, a << b, a >> b]);
    println!("{} {} {} {}", &a + &b, &a % &b, &a << &b, &a ^ &b);
    let mut c = a;
    c += 1;
    c -= 2;
    c *= 3;
    c /= 4;
    c %= 16;
    c |= 8;
    c &= 12;
    c ^= 5;
    c <<= 3;
    c >>= 1;
    println!("{c:?} {:?} {} {}", -c, !c, !M(0));
    let mut row = Row(vec![a, b]);
    row[3] += 4;
    println!("{:?} {:?} {} {:?}", row[0], row[5], row.len(), row.iter().max_by(|x, y| x.partial_cmp(y).unwrap()));
    println!("{} {}", a > b, a == M(29));
}
