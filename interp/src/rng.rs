//! Random numbers with a stable sequence.
//!
//! Only the raw output of PCG comes from a dependency. Seeding, streams and bounded sampling are our own code, so that
//! a dependency's update does not change a replay (invariant 3). Guarantee: the same seed and the same calls yield the
//! same numbers, on every platform and in every version.

use rand_core::RngCore;
use rand_pcg::Pcg32;

/// A seeded generator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng {
    raw: Pcg32,
}

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng::with_stream(seed, 0)
    }

    /// One of the independent generators of a seed: each use of randomness (choices, addresses, time) has its own
    /// stream, so that one more draw does not shift the others.
    pub fn with_stream(seed: u64, stream: u64) -> Rng {
        Rng { raw: Pcg32::new(mix(seed), mix(stream ^ 0x9e37_79b9_7f4a_7c15)) }
    }

    /// A generator that is independent of further draws of this one.
    pub fn split(&mut self) -> Rng {
        let seed = self.next_u64();
        let stream = self.next_u64();
        Rng::with_stream(seed, stream)
    }

    /// 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        self.raw.next_u32()
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let low = u64::from(self.next_u32());
        low | u64::from(self.next_u32()) << 32
    }

    /// A number in `0..bound`, each equally likely (Lemire's method). `0` for a bound of 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = u64::from(self.next_u32()) * u64::from(bound);
            if product as u32 >= threshold {
                return (product >> 32) as u32;
            }
        }
    }

    /// An index into something of `len` elements; `0` for an empty one.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).unwrap_or(u32::MAX)) as usize
    }

    /// True in `numerator` of `denominator` draws.
    pub fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        self.below(denominator) < numerator
    }
}

/// The seed of an entry: depends only on the item's path and the configuration's seed (invariant 4).
pub fn seed_from(path: &str, config_seed: u64) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in path.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    mix(mix(hash) ^ config_seed)
}

/// The seed of one of the runs of an entry.
pub fn run_seed(entry_seed: u64, run: u64) -> u64 {
    mix(entry_seed ^ mix(run))
}

/// The finaliser of SplitMix64: a bijection in which every input bit affects every output bit.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_sequence_never_changes() {
        let mut rng = Rng::new(seed_from("crate::tests::case", 7));
        let draws: Vec<u32> = (0..6).map(|_| rng.below(1000)).collect();
        let mut split = rng.split();
        expect![[r#"
            (
                [
                    631,
                    201,
                    35,
                    126,
                    599,
                    338,
                ],
                10281717969658581614,
                16171810823986729605,
            )
        "#]]
        .assert_debug_eq(&(draws, split.next_u64(), run_seed(1, 2)));
    }

    #[test]
    fn bounds_hold_and_all_values_come_up() {
        let mut rng = Rng::new(1);
        let mut seen = [0_u32; 7];
        for _ in 0..7000 {
            seen[rng.index(7)] += 1;
        }
        assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.below(1), 0);
    }

    #[test]
    fn streams_differ() {
        assert_ne!(Rng::with_stream(1, 0).next_u64(), Rng::with_stream(1, 1).next_u64());
        assert_ne!(seed_from("a", 0), seed_from("b", 0));
        assert_ne!(seed_from("a", 0), seed_from("a", 1));
    }
}
