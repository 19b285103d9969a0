//! A type that a macro was given, before `<<` or `<`: rustc takes it as one thing, rust-analyzer's parser sees the beginning of
//! generic arguments. rand makes floats so.

macro_rules! scale {
    ($name:ident, $bits:ty, $float:ty) => {
        fn $name(precision: u32) -> $float {
            let scale = 1.0 / ((1 as $bits << precision) as $float);
            scale * 3.0
        }
    };
}

scale!(single, u32, f32);
scale!(double, u64, f64);

fn main() {
    println!("{:?} {:?}", single(24), double(53));
}
