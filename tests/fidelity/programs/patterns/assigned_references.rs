//! A destructuring assignment to a variable that is a `&mut` lets it point elsewhere. nucleo-matcher finds its rows so.

fn main() {
    let needle = ['s', 'o', 'd'];
    let mut offs = [9u16; 3];
    let mut hay = ['s', 'ó', 'o', 'd'];
    let mut row_iter = needle.iter().copied().zip(offs.iter_mut());
    let (mut needle_char, mut row_start) = row_iter.next().unwrap();
    let mut matched = false;
    for (i, c) in hay.iter_mut().enumerate() {
        let i = i as u16;
        if *c == needle_char {
            if let Some(next) = row_iter.next() {
                *row_start = i;
                (needle_char, row_start) = next;
            } else if !matched { *row_start = i; matched = true; }
        }
    }
    println!("{offs:?} {matched}");
}
