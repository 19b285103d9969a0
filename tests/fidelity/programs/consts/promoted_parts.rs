//! References to parts of constants that are only known at run time live for ever.

const ALL: [u32; 3] = [1, 2, 3];
const NESTED: [[u8; 2]; 2] = [[1, 2], [3, 4]];
const ALL_TEXTS: [&str; 2] = ["one", "two"];

struct Table {
    rows: [(u32, &'static str); 2],
    rest: (u8, u8),
}

const TABLE: Table = Table { rows: [(7, "seven"), (8, "eight")], rest: (9, 10) };

trait Sized2 {
    const SIDES: [u16; 2];

    fn side(index: usize) -> &'static u16 {
        &Self::SIDES[index]
    }
}

impl Sized2 for u8 {
    const SIDES: [u16; 2] = [11, 12];
}

impl Sized2 for () {
    const SIDES: [u16; 2] = [21, 22];
}

fn at(index: usize) -> &'static u32 {
    &ALL[index]
}

fn literal(index: usize) -> &'static u8 {
    &[5, 6, 7][index]
}

fn nested(row: usize, column: usize) -> &'static u8 {
    &NESTED[row][column]
}

fn row(index: usize) -> &'static [u8] {
    &NESTED[index]
}

fn text(index: usize) -> &'static &'static str {
    &ALL_TEXTS[index]
}

fn field(index: usize) -> &'static str {
    let found: &'static (u32, &'static str) = &TABLE.rows[index];
    found.1
}

fn number(index: usize) -> &'static u32 {
    &TABLE.rows[index].0
}

fn rest() -> &'static u8 {
    &TABLE.rest.1
}

fn middle() -> &'static [u8; 2] {
    let [_, ref middle @ .., _] = [1, 2, 3, 4];
    middle
}

fn matched() -> &'static i64 {
    match (8, "text") {
        (ref number, _) => number,
    }
}

fn of_pair() -> (&'static u8, u8) {
    let (ref first, second) = (3, 4);
    (first, second)
}

/// Something else lies where these functions' frames were.
fn overwrite() -> u64 {
    let other = std::hint::black_box([0xdead_beef_u64; 64]);
    other.iter().fold(0, |sum, it| sum ^ it)
}

fn main() {
    let kept = (at(0), at(2), literal(1), nested(1, 0), row(1), text(1), field(1), number(0), rest());
    let patterns = (middle(), matched(), of_pair());
    let sides = (u8::side(1), <() as Sized2>::side(0));
    println!("{}", overwrite());
    println!("{kept:?}");
    println!("{patterns:?}");
    println!("{sides:?}");
    // The same index gives the same place, and a mutable one is a new value each time.
    println!("{}", std::ptr::eq(at(1), at(1)));
    for _ in 0..2 {
        let changed = &mut ALL[1];
        *changed += 1;
        println!("{changed}");
    }
    let (ref mut first, _) = (1, 2);
    *first += 1;
    println!("{first}");
}
