// Borrows of parts of constants, of blocks, of values without anything to drop: all of them live for ever.
use std::cell::Cell;

struct Whole {
    number: i32,
    text: Option<String>,
    cell: Option<Cell<i32>>,
}
const WHOLE: Whole = Whole { number: 5, text: None, cell: None };
const ARRAY: [i32; 3] = [10, 20, 30];
const BEHIND: &[i32; 3] = &[4, 5, 6];
const SLICE: &[i32] = &[7, 8];
const NOTHING: Option<String> = None;
const NO_CELL: Option<Cell<i32>> = None;
const PAIR: (i32, Option<String>) = (41, None);

#[derive(Debug)]
enum Either {
    Plain(i32),
    #[allow(dead_code)]
    Owned(String),
}
const EITHER: Either = Either::Plain(1);

#[derive(Copy, Clone, Debug)]
struct Tag(u8);
impl Tag {
    const EMPTY: Tag = Tag(255);
}
struct Group(u64);
impl Group {
    const WIDTH: usize = std::mem::size_of::<Self>();
    const fn empty() -> &'static [Tag; Group::WIDTH] {
        #[repr(C)]
        struct Aligned {
            _align: [Group; 0],
            tags: [Tag; Group::WIDTH],
        }
        const TAGS: Aligned = Aligned { _align: [], tags: [Tag::EMPTY; Group::WIDTH] };
        &TAGS.tags
    }
}

fn field() -> &'static i32 {
    &WHOLE.number
}
fn text() -> &'static Option<String> {
    &WHOLE.text
}
fn whole() -> &'static Whole {
    &WHOLE
}
fn element() -> &'static i32 {
    &ARRAY[1]
}
fn computed_element() -> &'static i32 {
    &ARRAY[3 - 1]
}
fn behind() -> (&'static i32, &'static i32) {
    (&BEHIND[1], &SLICE[1])
}
fn literal_parts() -> (&'static i32, &'static i32) {
    (&[1, 2, 3][0], &(1, 2).1)
}
fn values() -> (&'static Option<String>, &'static Option<Cell<i32>>, &'static (i32, Option<String>)) {
    (&NOTHING, &NO_CELL, &PAIR)
}
fn constructors() -> (&'static Option<String>, &'static Option<Option<String>>, &'static [Option<String>; 2]) {
    (&None, &Some(None), &[const { None }; 2])
}
fn either() -> (&'static Either, &'static Either) {
    (&EITHER, &Either::Plain(3))
}
fn blocks() -> (&'static i32, &'static i32, &'static Option<Vec<String>>) {
    (&{ 5 }, &const { 7 }, &const { None })
}
fn divided() -> (&'static i32, &'static i32) {
    (&(60 / 2), &(6 % 4))
}
fn updated() -> &'static Whole {
    &Whole { number: 9, ..WHOLE }
}

fn overwrite_the_stack(depth: u32) -> u64 {
    let numbers = [u64::MAX; 16];
    if depth == 0 { numbers[3] } else { overwrite_the_stack(depth - 1).wrapping_add(numbers[5]) }
}

fn main() {
    let all = (field(), text(), whole(), element(), computed_element(), behind(), literal_parts());
    let (values, constructors, either, blocks, divided, updated) =
        (values(), constructors(), either(), blocks(), divided(), updated());
    let tags = Group::empty();
    println!("{}", overwrite_the_stack(20));
    println!("{} {:?} {:?} {}", all.0, all.1, all.2.cell, all.2.number);
    println!("{} {} {:?} {:?}", all.3, all.4, all.5, all.6);
    println!("{values:?} {constructors:?} {either:?} {blocks:?} {divided:?}");
    println!("{} {:?} {:?}", updated.number, updated.text, updated.cell);
    println!("{tags:?}");
}
