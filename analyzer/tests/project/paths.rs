//! Functions of std by path, and back.

use analyzer::project::canonical_path;

use super::support::single;

#[test]
fn both_directions_agree() {
    let same = [
        "std::sys::sync::mutex::futex::Mutex::lock",
        "std::sys::sync::condvar::futex::Condvar::wait",
        "std::thread::functions::spawn",
        "std::panicking::catch_unwind",
        "alloc::vec::Vec::push",
        "core::mem::swap",
        "core::intrinsics::transmute",
        "core::iter::traits::iterator::Iterator::map",
        "core::option::Option::unwrap",
        "alloc::alloc::alloc",
        "libc::functions::write",
        "hashbrown::hash_map::HashMap::insert",
        "<[T]>::len",
        "<str>::trim",
        "<u32>::wrapping_add",
        "<*const T>::add",
        "<f64>::sqrt",
        "<alloc::vec::Vec as core::ops::drop::Drop>::drop",
        "<std::sys::stdio::unix::Stdout as std::io::Write>::write",
        "<[T] as core::ops::index::Index>::index",
        "<T as core::any::Any>::type_id",
        "<dyn core::any::Any>::is",
    ];
    // Through imports, to where it stands.
    let other = [
        ("std::vec::Vec::pop", "alloc::vec::Vec::pop"),
        ("std::sync::Mutex::lock", "std::sync::poison::mutex::Mutex::lock"),
        ("std::sys::sync::Mutex::lock", "std::sys::sync::mutex::futex::Mutex::lock"),
        (
            "<std::sys::stdio::Stdout as std::io::Write>::flush",
            "<std::sys::stdio::unix::Stdout as std::io::Write>::flush",
        ),
    ];
    single("fn main() {}").with_db(|project| {
        for (path, expected) in same.iter().map(|path| (*path, *path)).chain(other) {
            let found = project.find_std_item(path).unwrap_or_else(|| panic!("{path} is not found"));
            assert_eq!(canonical_path(project.db(), found), expected);
        }
        for path in ["", "core", "core::mem::no_such", "<u33>::pow", "<u8", "nostd::x", "<core::mem as core::mem>::x"] {
            assert_eq!(project.find_std_item(path), None, "{path}");
        }
    });
}
