use std::slice;
use std::thread;

fn split(items: &mut [i32], middle: usize) -> (&mut [i32], &mut [i32]) {
    let (first, len) = (items.as_mut_ptr(), items.len());
    assert!(middle < len);
    unsafe {
        let left = slice::from_raw_parts_mut(first, middle + 1);
        let right = slice::from_raw_parts_mut(first.add(middle), len - middle);
        (left, right)
    }
}

fn partition(items: &mut [i32]) -> usize {
    let pivot = items[items.len() - 1];
    let mut end = 0;
    for i in 0..items.len() {
        if items[i] < pivot {
            items.swap(i, end);
            end += 1;
        }
    }
    end
}

fn quick_sort(items: &mut [i32], forks: u32) {
    if forks == 0 || items.len() < 2 {
        items.sort_unstable(); //~ data-race
        return;
    }
    let middle = partition(items);
    let (left, right) = split(items, middle);
    thread::scope(|scope| {
        scope.spawn(move || quick_sort(left, forks - 1));
        quick_sort(right, forks - 1);
    });
}

// The part on the left is one element too long, so that it overlaps with the one on the right.
fn main() {
    let mut numbers = [7, 2, 9, 4, 1, 8, 3, 6];
    quick_sort(&mut numbers, 1);
    println!("{numbers:?}");
}
