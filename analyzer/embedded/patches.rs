//! Places of std that are written anew: equal in meaning, in a form that rust-analyzer understands.
//!
//! A patch that no longer applies fails the build: std has changed, and it is to be looked at again.

/// File, text as trimmed, text instead, on as many lines.
pub(crate) const PATCHES: &[(&str, &str, &str)] = &[
    // An or-pattern's open start has no value, and `NonZero<i32>` no layout.
    ("core/src/num/niche_types.rs", " is ..0 | 1..)", " is ..=-1 | 1..)"),
    // rust-analyzer knows only the newer way to say that a pointer is never null (as std 1.96 does).
    ("core/src/ptr/non_null.rs", "    pointer: *const T,", "    pointer: crate::pattern_type!(*const T is !null),"),
    // The generic arguments of a local function behind a macro stay unknown; the intrinsic needs none.
    ("core/src/any.rs", "#[cfg(miri)]\n        return", "#[cfg(not(miri))]\n        return"),
    (
        "core/src/any.rs",
        "#[cfg(not(miri))]\n        {\n            let this",
        "#[cfg(miri)]\n        {\n            let this",
    ),
    // Opaque types in a type alias have no layout.
    (
        "std/src/backtrace.rs",
        "type LazyResolve = impl (FnOnce() -> Capture) + Send + Sync + UnwindSafe;\n\n    #[define_opaque(LazyResolve)]",
        "type LazyResolve = Box<dyn FnOnce() -> Capture + Send + Sync + UnwindSafe>;\n\n",
    ),
    ("std/src/backtrace.rs", "-> LazyResolve {\n        move ||", "-> LazyResolve {\n        Box::new(move ||"),
    ("std/src/backtrace.rs", "            capture\n        }\n", "            capture\n        })\n"),
    ("std/src/sys/pal/unix/os.rs", "impl FnMut(&u8) -> bool + 'static>", "fn(&u8) -> bool>"),
    ("std/src/sys/pal/unix/os.rs", "impl FnMut(&[u8]) -> PathBuf + 'static", "fn(&[u8]) -> PathBuf"),
    ("std/src/sys/pal/unix/os.rs", "#[define_opaque(SplitPaths)]", ""),
    (
        "std/src/sys/pal/unix/os.rs",
        ".split(is_separator).map(into_pathbuf)",
        ".split(is_separator as fn(&u8) -> bool).map(into_pathbuf as fn(&[u8]) -> PathBuf)",
    ),
    // Conditions of elements are lost in fragments: `vec![#[cfg(windows)] 1, 2]` had two elements.
    ("alloc/src/macros.rs", "    ($($x:expr),+ $(,)?) => (", "    ($($x:tt)+) => ("),
    ("alloc/src/macros.rs", "[$($x),+])", "[$($x)+])"),
    // A name in a macro within a macro is looked up where the outer one is used.
    (
        "core/src/intrinsics/mod.rs",
        "        const_eval_select(($($val,)*), compiletime, runtime)",
        "        $crate::intrinsics::const_eval_select(($($val,)*), compiletime, runtime)",
    ),
    // Called as `__rust_alloc_error_handler` is; rustc makes the one from the other.
    (
        "std/src/alloc.rs",
        "#[alloc_error_handler]\n#[unstable(feature = \"alloc_internals\", issue = \"none\")]\npub fn rust_oom(layout: Layout) -> ! {",
        "\n#[unstable(feature = \"alloc_internals\", issue = \"none\")]\npub fn rust_oom(size: usize, align: usize) -> ! { let layout = unsafe { Layout::from_size_align_unchecked(size, align) };",
    ),
    // The only separator of paths here. The search is one of the machine's fast bodies.
    (
        "std/src/path.rs",
        "self.path.iter().position(|b| self.is_sep_byte(*b))",
        "core::slice::memchr::memchr(b'/', self.path)",
    ),
    (
        "std/src/path.rs",
        "self.path[start..].iter().rposition(|b| self.is_sep_byte(*b))",
        "core::slice::memchr::memrchr(b'/', &self.path[start..])",
    ),
    (
        "std/src/path.rs",
        "left.path[..first_difference].iter().rposition(|&b| left.is_sep_byte(b))",
        "core::slice::memchr::memrchr(b'/', &left.path[..first_difference])",
    ),
    // What every processor of this kind has is there; of the rest nothing is, so that no path needs more of the vendor's intrinsics.
    (
        "std_detect/src/detect/mod.rs",
        "    cache::test(x as u32)\n",
        "    matches!(x, Feature::fxsr | Feature::sse | Feature::sse2)\n",
    ),
    // rust-analyzer lets unstable methods compete with those of the user's own traits: itertools has both of these.
    (
        "core/src/iter/traits/iterator.rs",
        "    fn intersperse(self, separator: Self::Item)",
        "    fn __unstable_intersperse(self, separator: Self::Item)",
    ),
    (
        "core/src/iter/traits/iterator.rs",
        "    fn intersperse_with<G>(self, separator: G)",
        "    fn __unstable_intersperse_with<G>(self, separator: G)",
    ),
    // An item type that only equals the iterator's after normalising.
    (
        "core/src/iter/adapters/fuse.rs",
        "mut acc: Acc, fold: Fold) -> R\n    where\n        Self: Sized,\n        Fold: FnMut(Acc, Self::Item) -> R,",
        "mut acc: Acc, fold: Fold) -> R\n    where\n        Self: Sized,\n        Fold: FnMut(Acc, <I as Iterator>::Item) -> R,",
    ),
    // A specialising impl takes its associated type from the impl that it specialises: the type is written out instead.
    (
        "core/src/iter/adapters/zip.rs",
        "trait ZipImpl<A, B> {\n    type Item;",
        "trait ZipImpl<A: Iterator, B: Iterator> {\n",
    ),
    (
        "core/src/iter/adapters/zip.rs",
        "    type Item = (A::Item, B::Item);\n\n    zip_impl_general_defaults! {}",
        "\n\n    zip_impl_general_defaults! {}",
    ),
    ("core/src/iter/adapters/zip.rs", "Option<Self::Item>", "Option<(A::Item, B::Item)>"),
    ("core/src/iter/adapters/zip.rs", "FnMut(Acc, Self::Item)", "FnMut(Acc, (A::Item, B::Item))"),
    ("core/src/iter/adapters/zip.rs", "idx: usize) -> <Self as Iterator>::Item", "idx: usize) -> (A::Item, B::Item)"),
    // The command line and the environment are asked for when the program does so.
    (
        "std/src/sys/args/unix.rs",
        "let argv = ARGV.load(Ordering::Relaxed);",
        "let argv = unsafe { libc::tsvd_argv() };",
    ),
    (
        "std/src/sys/args/unix.rs",
        "if argv.is_null() { 0 } else { ARGC.load(Ordering::Relaxed) };",
        "unsafe { libc::tsvd_argc() };",
    ),
    ("std/src/sys/env/unix.rs", "let mut environ = *environ();", "let mut environ = libc::tsvd_environ();"),
    // A child without variables of its own gets those of the process, as it knows them.
    (
        "std/src/sys/process/unix/unix.rs",
        "envp.map(|c| c.as_ptr()).unwrap_or_else(|| *sys::env::environ() as *const _);",
        "envp.map(|c| c.as_ptr()).unwrap_or(crate::ptr::null());",
    ),
    (
        "std/src/sys/process/unix/unix.rs",
        "if let Some(envp) = maybe_envp {\n            struct Reset",
        "if let Some(envp) = None::<&CStringArray> {\n            struct Reset",
    ),
    (
        "std/src/sys/process/unix/unix.rs",
        "libc::execvp(self.get_program_cstr().as_ptr(), self.get_argv().as_ptr());",
        "libc::execvpe(self.get_program_cstr().as_ptr(), self.get_argv().as_ptr(), maybe_envp.map_or(crate::ptr::null(), |it| it.as_ptr()));",
    ),
    // The C library is new enough, and its symbols need not be looked for.
    (
        "std/src/sys/process/unix/unix.rs",
        "use crate::sys::weak::weak;\n\n                weak!(\n                    fn pidfd_spawnp(",
        "use crate::sys::weak::weak;\n                #[cfg(any())]\n                weak!(\n                    fn pidfd_spawnp(",
    ),
    (
        "std/src/sys/process/unix/unix.rs",
        "if let Some(version) = sys::os::glibc_version() {",
        "if let Some(version) = Some((2, 39)) {",
    ),
    (
        "std/src/sys/process/unix/unix.rs",
        "#[cfg(not(any(all(target_os = \"linux\", target_env = \"musl\"), target_os = \"cygwin\")))]\n        fn get_posix_spawn_addchdir",
        "#[cfg(any())]\n        fn get_posix_spawn_addchdir",
    ),
    (
        "std/src/sys/process/unix/unix.rs",
        "#[cfg(any(all(target_os = \"linux\", target_env = \"musl\"), target_os = \"cygwin\"))]\n        fn get_posix_spawn_addchdir",
        "#[cfg(all())]\n        fn get_posix_spawn_addchdir",
    ),
    // A static behind a macro within a macro has no type, and weak linkage no meaning: the C library has these functions.
    (
        "std/src/sys/fs/unix.rs",
        "syscall!(\n            fn statx(\n                fd: c_int,\n                pathname: *const c_char,\n                flags: c_int,\n                mask: libc::c_uint,\n                statxbuf: *mut libc::statx,\n            ) -> c_int;\n        );",
        "use libc::statx;\n\n\n\n\n\n\n\n",
    ),
    (
        "std/src/sys/io/kernel_copy/linux.rs",
        "syscall!(\n        fn copy_file_range(\n            fd_in: libc::c_int,\n            off_in: *mut libc::loff_t,\n            fd_out: libc::c_int,\n            off_out: *mut libc::loff_t,\n            len: libc::size_t,\n            flags: libc::c_uint,\n        ) -> libc::ssize_t;\n    );",
        "use libc::copy_file_range;\n\n\n\n\n\n\n\n\n",
    ),
    // What `main` panicked with is told to the machine before it is dropped.
    (
        "std/src/rt.rs",
        "let payload = panic::AssertUnwindSafe(payload);",
        "let text = payload.downcast_ref::<String>().map(|it| &**it).or(payload.downcast_ref::<&'static str>().copied()); \
         unsafe { libc::tsvd_main_panicked(text.map_or(crate::ptr::null(), str::as_ptr), text.map_or(0, str::len)) }; \
         let payload = panic::AssertUnwindSafe(payload);",
    ),
    // How much there is to be read is only a hint.
    (
        "std/src/fs.rs",
        "let size = file.metadata().map(|m| usize::try_from(m.len()).unwrap_or(usize::MAX)).ok();",
        "let size: Option<usize> = None;",
    ),
    // What harnesses of libraries call is reached through std.
    (
        "std/src/lib.rs",
        "pub mod backtrace;",
        "#[doc(hidden)] #[path = \"harness/mod.rs\"] pub mod __harness; pub mod backtrace;",
    ),
    // The flavours of channels are ours.
    ("std/src/sync/mpmc/mod.rs", "mod context;", "mod machine;"),
    ("std/src/sync/mpmc/mod.rs", "mod select;\nmod utils;\nmod waker;", "\n\n"),
];
