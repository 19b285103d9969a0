//! Inline assembly as a barrier for the optimiser: no instruction, or a comment.

use std::arch::asm;

fn hide(value: usize) -> usize {
    unsafe { asm!("/* {value} */", value = in(reg) value, options(nomem, nostack)) };
    value
}

fn keep<T>(value: &T) {
    unsafe { asm!("/* {0} */", in(reg) value, options(readonly, nostack, preserves_flags)) }
}

fn next(count: &mut u32) -> u64 {
    *count += 1;
    u64::from(*count)
}

fn main() {
    println!("{}", hide(41) + 1);
    let text = String::from("kept");
    keep(&text);
    println!("{text}");
    let mut count = 0;
    unsafe { asm!("nop", "// {a} and {b}", "nop; nop", a = in(reg) next(&mut count), b = in(reg) next(&mut count)) };
    println!("{count}");
    let mut digits = [7_u64, 8];
    unsafe { asm!("/*{0}*/", inout(reg) digits[next(&mut count) as usize - 3]) };
    println!("{digits:?} {count}");
}
