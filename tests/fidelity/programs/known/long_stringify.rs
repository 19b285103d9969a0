// rustc breaks the lines of a long `stringify!`; here its text is not known.
fn main() {
    println!("{}", stringify!(one_name + another_name * a_third_name - call(with, some, arguments) / the_last_name_of_them));
}
