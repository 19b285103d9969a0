//! HTML.

fn main() {
    let n = 3;
    println!("{}", maud::html! { p.a #b { (n) @for i in 0..n { li { (i) } } } }.into_string());
}
