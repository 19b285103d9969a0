//! Random numbers from a seed.

use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::SliceRandom as _};

fn main() {
    let mut rng = StdRng::seed_from_u64(5);
    println!("{} {} {:?}", rng.gen_range(0..100), rng.r#gen::<u64>(), rng.r#gen::<[u8; 5]>());
    let mut all: Vec<u32> = (0..10).collect();
    all.shuffle(&mut rng);
    println!("{all:?} {:.6} {}", rng.r#gen::<f64>(), rng.gen_bool(0.5));
}
