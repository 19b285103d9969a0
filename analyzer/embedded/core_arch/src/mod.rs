//! Stands in for stdarch inside core: a processor that has no optional feature.

mod system_calls;

pub mod arch {
    pub mod x86_64 {
        // The vectors, which have values without any feature. Impls for them would else be impls for what is not known.

        #[derive(Copy, Clone, Debug)]
        #[repr(C, align(16))]
        #[allow(non_camel_case_types)]
        pub struct __m128i([i64; 2]);

        #[derive(Copy, Clone, Debug)]
        #[repr(C, align(16))]
        #[allow(non_camel_case_types)]
        pub struct __m128([f32; 4]);

        #[derive(Copy, Clone, Debug)]
        #[repr(C, align(16))]
        #[allow(non_camel_case_types)]
        pub struct __m128d([f64; 2]);

        #[derive(Copy, Clone, Debug)]
        #[repr(C, align(32))]
        #[allow(non_camel_case_types)]
        pub struct __m256i([i64; 4]);

        #[derive(Copy, Clone, Debug)]
        #[repr(C, align(32))]
        #[allow(non_camel_case_types)]
        pub struct __m256([f32; 8]);

        #[derive(Copy, Clone, Debug)]
        #[repr(C, align(32))]
        #[allow(non_camel_case_types)]
        pub struct __m256d([f64; 4]);

        #[derive(Copy, Clone, Debug)]
        #[repr(C, align(64))]
        #[allow(non_camel_case_types)]
        pub struct __m512i([i64; 8]);

        #[derive(Copy, Clone, Debug)]
        #[repr(C, align(64))]
        #[allow(non_camel_case_types)]
        pub struct __m512([f32; 16]);

        #[derive(Copy, Clone, Debug)]
        #[repr(C, align(64))]
        #[allow(non_camel_case_types)]
        pub struct __m512d([f64; 8]);

        /// What `cpuid` says.
        #[derive(Copy, Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
        pub struct CpuidResult {
            pub eax: u32,
            pub ebx: u32,
            pub ecx: u32,
            pub edx: u32,
        }

        /// Says that there is nothing to ask for.
        pub fn __cpuid(_leaf: u32) -> CpuidResult {
            CpuidResult {
                eax: 0,
                ebx: 0,
                ecx: 0,
                edx: 0,
            }
        }

        /// The same.
        pub fn __cpuid_count(_leaf: u32, _sub_leaf: u32) -> CpuidResult {
            CpuidResult {
                eax: 0,
                ebx: 0,
                ecx: 0,
                edx: 0,
            }
        }

        /// No state is enabled.
        pub unsafe fn _xgetbv(_register: u32) -> u64 {
            0
        }

        /// The sum of two numbers and a carry; what is carried on.
        pub unsafe fn _addcarry_u64(carry: u8, a: u64, b: u64, out: &mut u64) -> u8 {
            let (sum, first) = a.overflowing_add(b);
            let (sum, second) = sum.overflowing_add((carry != 0) as u64);
            *out = sum;
            (first | second) as u8
        }

        /// The same of 32 bits.
        pub unsafe fn _addcarry_u32(carry: u8, a: u32, b: u32, out: &mut u32) -> u8 {
            let (sum, first) = a.overflowing_add(b);
            let (sum, second) = sum.overflowing_add((carry != 0) as u32);
            *out = sum;
            (first | second) as u8
        }

        /// A difference less a borrowed bit; what is borrowed on.
        pub unsafe fn _subborrow_u64(borrow: u8, a: u64, b: u64, out: &mut u64) -> u8 {
            let (difference, first) = a.overflowing_sub(b);
            let (difference, second) = difference.overflowing_sub((borrow != 0) as u64);
            *out = difference;
            (first | second) as u8
        }

        /// The same of 32 bits.
        pub unsafe fn _subborrow_u32(borrow: u8, a: u32, b: u32, out: &mut u32) -> u8 {
            let (difference, first) = a.overflowing_sub(b);
            let (difference, second) = difference.overflowing_sub((borrow != 0) as u32);
            *out = difference;
            (first | second) as u8
        }

        /// `lock not qword ptr [at]`, which some write for a fence.
        pub unsafe fn __lock_not(at: *mut usize) {
            use crate::sync::atomic::{AtomicUsize, Ordering, fence};
            unsafe { AtomicUsize::from_ptr(at) }.fetch_xor(usize::MAX, Ordering::SeqCst);
            fence(Ordering::SeqCst);
        }

        /// What a spinning thread calls.
        pub fn _mm_pause() {}
    }
}
