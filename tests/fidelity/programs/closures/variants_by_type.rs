// What closures capture, and variants, constants and functions that are named by way of a type.

#[derive(Debug, Clone)]
enum E {
    A,
    B(u8),
}
type T = E;

impl E {
    fn all(&self, q: String) {
        let unit = || {
            let e = Self::A;
            println!("{e:?} {q} {self:?}");
        };
        unit();
        let tuple = || {
            let e = Self::B(3);
            println!("{e:?} {q}");
        };
        tuple();
        let argument = || println!("{:?} {q}", Self::A);
        argument();
        let owned = move || {
            let e = Self::A;
            (e, q)
        };
        println!("{:?}", owned());
    }
}

struct S {
    n: u8,
}
type U = S;

impl S {
    const C: u8 = 1;
}

type Bytes = Vec<u8>;

fn main() {
    E::A.all("x".into());
    let q = String::from("q");
    let unit = || {
        let e = T::A;
        println!("{e:?} {q}");
    };
    unit();
    let constant = || {
        let n = U::C;
        println!("{n} {q}");
    };
    constant();
    let fields = || {
        let s = U { n: 1 };
        println!("{} {q}", s.n);
    };
    fields();
    let function = || {
        let bytes = Bytes::new();
        println!("{bytes:?} {q}");
    };
    function();
    let pattern = || match T::B(2) {
        T::A => println!("{q}"),
        T::B(n) => println!("{n} {q}"),
    };
    pattern();
    let mut list = Vec::new();
    let mut changes = || {
        let e = T::A;
        list.push((e, q.len()));
    };
    changes();
    changes();
    println!("{list:?}");
    let inner = || {
        let e = T::B(1);
        move || {
            let f = T::A;
            format!("{e:?} {f:?} {q}")
        }
    };
    println!("{}", inner()());
}
