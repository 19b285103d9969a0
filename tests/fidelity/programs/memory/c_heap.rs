//! The heap of the C library, called directly.

unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn calloc(count: usize, size: usize) -> *mut u8;
    fn realloc(block: *mut u8, size: usize) -> *mut u8;
    fn free(block: *mut u8);
}

fn main() {
    unsafe {
        // Callers differ in which of the two numbers is 1.
        for (count, size) in [(1, 48), (48, 1), (6, 8)] {
            let block = calloc(count, size);
            assert!((0..count * size).all(|at| *block.add(at) == 0));
            *block.add(count * size - 1) = 7;
            let block = realloc(block, 64);
            println!("{count} of {size}: {}", *block.add(count * size - 1));
            free(block);
        }
        let block = malloc(3);
        block.write_bytes(1, 3);
        println!("{:?}", std::slice::from_raw_parts(block, 3));
        free(block);
        free(std::ptr::null_mut());
    }
}
