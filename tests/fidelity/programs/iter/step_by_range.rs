// `StepBy` of a range: the impl for it takes its item from the general one, which it specialises.
fn main() {
    let mut steps = (1..20_u32).step_by(3);
    println!("{:?} {:?} {:?}", steps.next(), steps.nth(1), steps.size_hint());
    println!("{:?}", steps.collect::<Vec<_>>());
    println!("{}", (0..=40_u8).step_by(8).map(u32::from).sum::<u32>());
}
