//@ edition: 2024
//! What the operating system's errors are called.
use std::io::Error;

fn main() {
    for number in (0..140).chain([200, 1000, 4095, 12_345_678, -1, -17, i32::MAX]) {
        let error = Error::from_raw_os_error(number);
        println!("{error} | {:?} {:?}", error.kind(), error.raw_os_error());
    }
    println!("{:?}", Error::from_raw_os_error(2));
    println!("{:#?}", Error::last_os_error().raw_os_error().is_some());
    println!("{}", Error::new(std::io::ErrorKind::NotFound, "own"));
}
