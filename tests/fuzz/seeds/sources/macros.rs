macro_rules! twice {
    ($($name:ident = $value:expr),* $(,)?) => { $(let $name = $value; let $name = $name + $value;)* };
}

macro_rules! deep {
    (@ $done:tt $head:tt $($tail:tt)*) => { deep!(@ ($done $head) $($tail)*) };
    (@ $done:tt) => { stringify!($done) };
}

fn main() {
    twice!(a = 1, b = 2);
    println!("{} {} {}", a, b, deep!(@ () x y z));
}
