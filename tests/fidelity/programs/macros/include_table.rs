// Bytes that are no text, as tables of crates come: the length goes into the types around them.
#[repr(C)]
struct Aligned<B: ?Sized, A> {
    _align: [A; 0],
    bytes: B,
}

static TABLE: &Aligned<[u8], u32> = &Aligned { _align: [], bytes: *include_bytes!("table.bin") };
static PLAIN: &[u8] = include_bytes!("table.bin");
const LENGTH: usize = include_bytes!("table.bin").len();

fn main() {
    println!("{} {} {LENGTH}", TABLE.bytes.len(), PLAIN.len());
    println!("{:?}", &TABLE.bytes[..5]);
    println!("{}", TABLE.bytes.as_ptr() as usize % 4);
    println!("{}", PLAIN.iter().map(|&byte| u32::from(byte)).sum::<u32>());
    println!("{:?}", std::str::from_utf8(PLAIN).map_err(|error| error.valid_up_to()));
    let local = *include_bytes!("table.bin");
    println!("{} {}", std::mem::size_of_val(&local), local[1]);
}
