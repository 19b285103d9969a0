//! Stands in for stdarch inside core: a processor that has no optional feature.

pub mod arch {
    pub mod x86_64 {
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

        /// What a spinning thread calls.
        pub fn _mm_pause() {}
    }
}
