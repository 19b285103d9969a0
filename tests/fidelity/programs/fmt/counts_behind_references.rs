// Widths and precisions that are references: `&usize` is coerced from them.
fn main() {
    let widths = [3usize, 6];
    for (index, width) in widths.iter().enumerate() {
        println!("[{index:>width$}] [{:<1$}]", "x", width);
    }
    let (a, b) = (&&5usize, &mut 2usize);
    println!("[{:>a$.b$}] [{:^2$}]", 2.71828, "y", a);
    let nested = widths.iter().map(|width| format!("{:>width$}", "é")).collect::<Vec<_>>();
    println!("{nested:?}");
}
