//! What well-known build scripts tell their crates about the compiler, where nothing is built (decision 31).
//!
//! Such a script prints cfgs that depend on nothing but the compiler, the platform and features. The rows were read off
//! by running the scripts of the first and the last version of a range, and of some between them, with this toolchain
//! on Linux on x86_64; those of aws-lc-rs, curve25519-dalek 5 and proc-macro2 were read, not run. A range has the cfgs
//! of all its versions: one that a version does not ask for changes nothing. Left out are cfgs of vector code, beside
//! which each crate has scalar code that does the same.
//!
//! The scripts of native-tls, openssl and openssl-sys ask for the version of the C library. The rows are those of Debian's
//! OpenSSL 3.0, which all later versions are compatible with; what its functions return is uninterpreted.

use crate::project::{
    build_output::{cfg, is_published},
    platform::Platform,
};
use cargo_metadata::semver::VersionReq;
use ra_ap_cfg::CfgAtom;
use ra_ap_project_model::PackageData;

/// The output of a crate's build script in a range of its versions.
struct BuildScript {
    name: &'static str,
    /// The versions, as a requirement of cargo's.
    versions: &'static str,
    /// The cfgs that it prints; often none, as they are there for older compilers.
    cfgs: &'static [&'static str],
}

/// The platform for which the rows were read off.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// The cfgs that the build script of a package sets; `None` if that is not known.
pub(in crate::project) fn known_cfgs(package: &PackageData, platform: &Platform) -> Option<Vec<CfgAtom>> {
    if !is_published(package) || platform.triple != PLATFORM {
        return None;
    }
    let is_it = |script: &&BuildScript| {
        let versions = || VersionReq::parse(script.versions);
        script.name == package.name && versions().is_ok_and(|versions| versions.matches(&package.version))
    };
    Some(ALL.iter().find(is_it)?.cfgs.iter().filter_map(|text| cfg(text)).collect())
}

/// The cfgs that the build script of a package sets if it is for macros, besides those of [`known_cfgs`]: `proc-macro2`
/// uses the compiler's tokens. Programs that are no macros do not see the difference.
pub(in crate::project) fn known_cfgs_of_macros(package: &PackageData) -> Vec<CfgAtom> {
    let is_it = package.name == "proc-macro2" && package.active_features.iter().any(|it| it == "proc-macro");
    let cfgs = ["proc_macro_span_file", "proc_macro_span_location", "use_proc_macro", "wrap_proc_macro"];
    cfgs.into_iter().filter(|_| is_it).filter_map(cfg).collect()
}

#[rustfmt::skip]
const ALL: &[BuildScript] = &[
    BuildScript { name: "ahash", versions: ">=0.7.6, <=0.7.8", cfgs: &[r#"feature="folded_multiply""#, r#"feature="runtime-rng""#] },
    BuildScript { name: "ahash", versions: ">=0.8.0, <=0.8.12", cfgs: &[r#"feature="folded_multiply""#, "folded_multiply"] },
    BuildScript { name: "anyhow", versions: ">=1.0.40, <=1.0.104", cfgs: &[] },
    BuildScript { name: "async-io", versions: "=1.13.0", cfgs: &[] },
    BuildScript { name: "aws-lc-rs", versions: ">=1.15.4, <=1.18.2", cfgs: &[] },
    BuildScript { name: "aws-lc-sys", versions: ">=0.37.0, <=0.46.0", cfgs: &["x86_64_unknown_linux_gnu"] },
    BuildScript { name: "bitflags", versions: ">=1.0.5, <=1.2.1", cfgs: &["bitflags_const_fn"] },
    BuildScript { name: "byteorder", versions: "=1.3.4", cfgs: &["byteorder_i128"] },
    BuildScript { name: "camino", versions: ">=1.0.7, <=1.2.6", cfgs: &["absolute_path", "os_str_bytes", "os_string_pathbuf_leak", "path_add_extension", "path_buf_capacity", "path_buf_deref_mut", "pathbuf_const_new", "shrink_to", "try_reserve_2"] },
    BuildScript { name: "crc32fast", versions: ">=1.3.2, <=1.5.2", cfgs: &[] },
    BuildScript { name: "crossbeam-deque", versions: "=0.8.8", cfgs: &[] },
    BuildScript { name: "crossbeam-epoch", versions: "=0.8.2", cfgs: &["has_min_const_fn"] },
    BuildScript { name: "crossbeam-epoch", versions: ">=0.9.5, <=0.9.21", cfgs: &[] },
    BuildScript { name: "crossbeam-utils", versions: "=0.7.2", cfgs: &["has_atomic_u16", "has_atomic_u32", "has_atomic_u64", "has_atomic_u8", "has_min_const_fn"] },
    BuildScript { name: "crossbeam-utils", versions: ">=0.8.0, <=0.8.23", cfgs: &["has_atomic_u16", "has_atomic_u32", "has_atomic_u64", "has_atomic_u8"] },
    BuildScript { name: "curve25519-dalek", versions: ">=4.1.1, <=5.0.0", cfgs: &[r#"curve25519_dalek_backend="serial""#, r#"curve25519_dalek_bits="64""#] },
    BuildScript { name: "eyre", versions: "=0.6.8", cfgs: &["track_caller"] },
    BuildScript { name: "futures-core", versions: ">=0.3.15, <=0.3.28", cfgs: &[] },
    BuildScript { name: "futures-task", versions: ">=0.3.21, <=0.3.28", cfgs: &[] },
    BuildScript { name: "futures-util", versions: ">=0.3.21, <=0.3.28", cfgs: &[] },
    BuildScript { name: "generic-array", versions: ">=0.14.4, <=0.14.7", cfgs: &["relaxed_coherence"] },
    BuildScript { name: "getrandom", versions: ">=0.3.3, <=0.3.4", cfgs: &[] },
    BuildScript { name: "getrandom", versions: ">=0.4.2, <=0.4.3", cfgs: &[] },
    BuildScript { name: "httparse", versions: ">=1.5.1, <=1.10.1", cfgs: &[] },
    BuildScript { name: "icu_normalizer_data", versions: ">=2.3.0, <=2.4.0", cfgs: &[] },
    BuildScript { name: "icu_properties_data", versions: ">=2.3.0, <=2.4.0", cfgs: &[] },
    BuildScript { name: "indexmap", versions: ">=1.3.2, <=1.9.3", cfgs: &["has_std", "rustc_1_51"] },
    BuildScript { name: "io-lifetimes", versions: "=0.7.5", cfgs: &["panic_in_const_fn"] },
    BuildScript { name: "io-lifetimes", versions: ">=1.0.5, <=1.0.11", cfgs: &["io_safety_is_in_std", "panic_in_const_fn"] },
    BuildScript { name: "io-lifetimes", versions: "=2.0.3", cfgs: &[] },
    BuildScript { name: "libc", versions: ">=0.2.60, <=0.2.191", cfgs: &["libc_align", "libc_cfg_target_vendor", "libc_const_extern_fn", "libc_const_size_of", "libc_core_cvoid", "libc_int128", "libc_long_array", "libc_non_exhaustive", "libc_packedN", "libc_priv_mod_use", "libc_ptr_addr_of", "libc_underscore_const_names", "libc_union"] },
    BuildScript { name: "lock_api", versions: ">=0.4.7, <=0.4.13", cfgs: &["has_const_fn_trait_bound"] },
    BuildScript { name: "log", versions: ">=0.4.8, <=0.4.17", cfgs: &["atomic_cas", "has_atomics"] },
    BuildScript { name: "memchr", versions: ">=2.3.4, <=2.5.0", cfgs: &[] },
    BuildScript { name: "memoffset", versions: "=0.6.5", cfgs: &["maybe_uninit", "raw_ref_macros", "tuple_ty"] },
    BuildScript { name: "memoffset", versions: "=0.7.1", cfgs: &["maybe_uninit", "raw_ref_macros", "tuple_ty"] },
    BuildScript { name: "memoffset", versions: "=0.8.0", cfgs: &["maybe_uninit", "raw_ref_macros", "stable_const", "tuple_ty"] },
    BuildScript { name: "memoffset", versions: ">=0.9.0, <=0.9.1", cfgs: &["maybe_uninit", "raw_ref_macros", "stable_const", "stable_offset_of", "tuple_ty"] },
    BuildScript { name: "multer", versions: "=3.1.0", cfgs: &[] },
    BuildScript { name: "native-tls", versions: ">=0.2.4, <=0.2.14", cfgs: &["have_min_max_version"] },
    BuildScript { name: "nix", versions: "=0.28.0", cfgs: &["linux", "linux_android"] },
    BuildScript { name: "nix", versions: "=0.29.0", cfgs: &["linux", "linux_android"] },
    BuildScript { name: "nix", versions: "=0.30.1", cfgs: &["linux", "linux_android"] },
    BuildScript { name: "nix", versions: "=0.31.3", cfgs: &["linux", "linux_android"] },
    BuildScript { name: "nom", versions: "=5.1.2", cfgs: &["stable_i128"] },
    BuildScript { name: "nom", versions: "=6.1.2", cfgs: &["stable_i128"] },
    BuildScript { name: "num-integer", versions: ">=0.1.41, <=0.1.45", cfgs: &["has_i128"] },
    BuildScript { name: "num-iter", versions: "=0.1.43", cfgs: &["has_i128", "rustc_1_28"] },
    BuildScript { name: "num-rational", versions: "=0.4.1", cfgs: &["has_int_exp_fmt"] },
    BuildScript { name: "num-traits", versions: ">=0.2.8, <=0.2.19", cfgs: &["has_copysign", "has_div_euclid", "has_float_to_from_bytes", "has_i128", "has_int_assignop_ref", "has_int_to_from_bytes", "has_is_subnormal", "has_leading_trailing_ones", "has_reverse_bits", "has_to_int_unchecked", "has_total_cmp"] },
    BuildScript { name: "openssl", versions: ">=0.10.41, <=0.10.82", cfgs: &["ossl101", "ossl102", "ossl110", "ossl110g", "ossl110h", "ossl111", "ossl111d", "ossl300", r#"osslconf="OPENSSL_NO_IDEA""#, r#"osslconf="OPENSSL_NO_SSL3_METHOD""#] },
    BuildScript { name: "openssl-sys", versions: ">=0.9.65, <=0.9.118", cfgs: &["const_fn", "openssl", "ossl101", "ossl102", "ossl102f", "ossl102h", "ossl110", "ossl110f", "ossl110g", "ossl110h", "ossl111", "ossl111b", "ossl111c", "ossl111d", "ossl300", r#"osslconf="OPENSSL_NO_IDEA""#, r#"osslconf="OPENSSL_NO_SSL3_METHOD""#] },
    BuildScript { name: "parking_lot", versions: "=0.9.0", cfgs: &["has_checked_instant", "has_sized_atomics"] },
    BuildScript { name: "parking_lot_core", versions: "=0.8.6", cfgs: &[] },
    BuildScript { name: "parking_lot_core", versions: ">=0.9.1, <=0.9.12", cfgs: &[] },
    BuildScript { name: "polling", versions: "=2.8.0", cfgs: &[] },
    BuildScript { name: "portable-atomic", versions: ">=1.11.1, <=1.15.0", cfgs: &[] },
    BuildScript { name: "portable-atomic-util", versions: "=0.2.4", cfgs: &[] },
    BuildScript { name: "proc-macro2", versions: ">=1.0.27, <=1.0.107", cfgs: &["hygiene", "is_available", "lexerror_display", "literal_from_str"] },
    BuildScript { name: "quinn", versions: "=0.11.12", cfgs: &[] },
    BuildScript { name: "quinn-udp", versions: "=0.5.16", cfgs: &[] },
    BuildScript { name: "rustix", versions: "=0.35.16", cfgs: &["asm", "linux_raw"] },
    BuildScript { name: "rustix", versions: ">=0.36.0, <=0.36.17", cfgs: &["asm", "linux_raw"] },
    BuildScript { name: "rustix", versions: ">=0.37.0, <=0.38.0", cfgs: &["asm", "linux_kernel", "linux_like", "linux_raw"] },
    BuildScript { name: "rustix", versions: ">=0.38.8, <=0.38.14", cfgs: &["linux_kernel", "linux_like", "linux_raw", "static_assertions"] },
    BuildScript { name: "rustix", versions: ">=0.38.15, <=0.38.44", cfgs: &["linux_kernel", "linux_like", "linux_raw"] },
    BuildScript { name: "rustix", versions: ">=1.0.0, <=1.1.6", cfgs: &["linux_kernel", "linux_like", "linux_raw", "linux_raw_dep", "lower_upper_exp_for_non_zero"] },
    BuildScript { name: "rustls", versions: "=0.23.46", cfgs: &[] },
    BuildScript { name: "ryu", versions: ">=1.0.0, <=1.0.5", cfgs: &["integer128", "maybe_uninit"] },
    BuildScript { name: "semver", versions: ">=1.0.4, <=1.0.26", cfgs: &[] },
    BuildScript { name: "serde", versions: ">=1.0.100, <=1.0.219", cfgs: &["core_duration", "core_reverse", "core_try_from", "de_boxed_c_str", "de_boxed_path", "de_rc_dst", "integer128", "num_nonzero", "num_nonzero_signed", "ops_bound", "range_inclusive", "std_atomic", "std_atomic64", "systemtime_checked_add"] },
    BuildScript { name: "serde_json", versions: ">=1.0.57, <=1.0.154", cfgs: &[r#"fast_arithmetic="64""#, "limb_width_64"] },
    BuildScript { name: "slab", versions: ">=0.4.8, <=0.4.9", cfgs: &[] },
    BuildScript { name: "thiserror", versions: ">=1.0.49, <=1.0.69", cfgs: &[] },
    BuildScript { name: "tokio", versions: ">=1.8.1, <=1.28.0", cfgs: &["tokio_const_thread_local", "tokio_track_caller"] },
    BuildScript { name: "typeid", versions: "=1.0.3", cfgs: &[] },
    BuildScript { name: "zerocopy", versions: ">=0.8.11, <=0.8.63", cfgs: &["zerocopy_core_error_1_81_0", "zerocopy_diagnostic_on_unimplemented_1_78_0", "zerocopy_generic_bounds_in_const_fn_1_61_0", "zerocopy_panic_in_const_and_vec_try_reserve_1_57_0", "zerocopy_target_has_atomics_1_60_0"] },
];

#[cfg(test)]
mod tests {
    use super::{ALL, VersionReq, cfg};

    #[test]
    fn rows_are_sorted_and_can_be_read() {
        assert!(ALL.is_sorted_by_key(|script| script.name));
        for script in ALL {
            assert!(VersionReq::parse(script.versions).is_ok(), "{}: {}", script.name, script.versions);
            assert!(script.cfgs.iter().all(|text| cfg(text).is_some()), "{}", script.name);
            assert!(script.cfgs.is_sorted(), "{}", script.name);
        }
    }
}
