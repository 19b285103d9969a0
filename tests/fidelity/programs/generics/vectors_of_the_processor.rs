//! Types of the processor's vectors are types like others: an impl for one is none for everything.

use std::arch::x86_64::{__m128, __m128d, __m128i, __m256i, __m512i};
use std::mem::{align_of, size_of};

trait Named {
    fn name() -> &'static str;
}

impl Named for __m128i {
    fn name() -> &'static str {
        "a vector"
    }
}

impl Named for __m256i {
    fn name() -> &'static str {
        "a longer vector"
    }
}

impl Named for u32 {
    fn name() -> &'static str {
        "a number"
    }
}

fn name<T: Named>(_: T) -> &'static str {
    T::name()
}

fn main() {
    println!("{} {} {}", name(1u32), __m128i::name(), <__m256i as Named>::name());
    println!("{} {}", size_of::<__m128i>(), align_of::<__m128i>());
    println!("{} {} {} {}", size_of::<__m128>(), align_of::<__m128d>(), size_of::<__m256i>(), align_of::<__m256i>());
    println!("{} {}", size_of::<__m512i>(), align_of::<__m512i>());
    println!("{}", is_x86_feature_detected!("sse2") && is_x86_feature_detected!("fxsr"));
}
