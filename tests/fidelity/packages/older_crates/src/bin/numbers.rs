//! Enums that are written as numbers.

use serde_repr::{Deserialize_repr, Serialize_repr};

#[derive(Debug, PartialEq, Serialize_repr, Deserialize_repr)]
#[repr(u8)]
enum Level {
    Low = 1,
    High = 7,
    Highest,
}

#[derive(Debug, Serialize_repr, Deserialize_repr)]
#[repr(i16)]
enum Known {
    Minus = -3,
    #[serde(other)]
    Other = 0,
}

fn main() {
    println!("{}", serde_json::to_string(&[Level::Low, Level::High, Level::Highest]).unwrap());
    println!("{:?}", serde_json::from_str::<Vec<Level>>("[8, 1]"));
    println!("{}", serde_json::from_str::<Level>("2").unwrap_err());
    println!("{}", serde_json::from_str::<Level>("\"a\"").unwrap_err());
    println!("{:?} {}", serde_json::from_str::<[Known; 2]>("[-3, 40]"), serde_json::to_string(&Known::Minus).unwrap());
}
