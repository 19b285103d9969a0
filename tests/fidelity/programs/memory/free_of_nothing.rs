//! C's `free` does nothing for a null pointer.

unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn free(ptr: *mut u8);
}

struct Owned(*mut u8);

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: null, or from `malloc`.
        unsafe { free(self.0) };
        println!("freed {}", if self.0.is_null() { "nothing" } else { "something" });
    }
}

fn main() {
    let _nothing = Owned(std::ptr::null_mut());
    // SAFETY: as many bytes as are written.
    let _something = unsafe {
        let ptr = malloc(8);
        ptr.cast::<u64>().write(7);
        println!("{}", ptr.cast::<u64>().read());
        Owned(ptr)
    };
}
