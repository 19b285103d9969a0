//! Constructors of literals.

use super::*;

/// A literal that is written so.
fn written(text: String) -> Literal {
    Literal { text: text.into(), span: Span::call_site() }
}

macro_rules! integers {
    ($($ty:ident $suffixed:ident $unsuffixed:ident,)*) => {
        impl Literal {
            $(
                pub fn $suffixed(value: $ty) -> Literal {
                    written(format!(concat!("{}", stringify!($ty)), value))
                }

                pub fn $unsuffixed(value: $ty) -> Literal {
                    written(value.to_string())
                }
            )*
        }
    };
}

integers! {
    u8 u8_suffixed u8_unsuffixed,
    u16 u16_suffixed u16_unsuffixed,
    u32 u32_suffixed u32_unsuffixed,
    u64 u64_suffixed u64_unsuffixed,
    u128 u128_suffixed u128_unsuffixed,
    usize usize_suffixed usize_unsuffixed,
    i8 i8_suffixed i8_unsuffixed,
    i16 i16_suffixed i16_unsuffixed,
    i32 i32_suffixed i32_unsuffixed,
    i64 i64_suffixed i64_unsuffixed,
    i128 i128_suffixed i128_unsuffixed,
    isize isize_suffixed isize_unsuffixed,
}

macro_rules! floats {
    ($($ty:ident $suffixed:ident $unsuffixed:ident,)*) => {
        impl Literal {
            $(
                pub fn $suffixed(value: $ty) -> Literal {
                    assert!(value.is_finite(), "Invalid float literal {value}");
                    written(format!(concat!("{}", stringify!($ty)), value))
                }

                pub fn $unsuffixed(value: $ty) -> Literal {
                    assert!(value.is_finite(), "Invalid float literal {value}");
                    let mut text = value.to_string();
                    if !text.contains('.') {
                        text.push_str(".0");
                    }
                    written(text)
                }
            )*
        }
    };
}

floats! {
    f32 f32_suffixed f32_unsuffixed,
    f64 f64_suffixed f64_unsuffixed,
}

impl Literal {
    pub fn string(value: &str) -> Literal {
        let mut text = String::from("\"");
        for char in value.chars() {
            match char {
                // `escape_debug` would escape it, too.
                '\'' => text.push('\''),
                _ => text.extend(char.escape_debug()),
            }
        }
        text.push('"');
        written(text)
    }

    pub fn character(value: char) -> Literal {
        let mut text = String::from("'");
        match value {
            '"' => text.push('"'),
            _ => text.extend(value.escape_debug()),
        }
        text.push('\'');
        written(text)
    }

    pub fn byte_character(value: u8) -> Literal {
        let text = match value {
            b'"' => String::from("\""),
            _ => std::ascii::escape_default(value).to_string(),
        };
        written(format!("b'{text}'"))
    }

    pub fn byte_string(value: &[u8]) -> Literal {
        written(format!("b\"{}\"", value.escape_ascii()))
    }

    pub fn c_string(value: &CStr) -> Literal {
        written(format!("c\"{}\"", value.to_bytes().escape_ascii()))
    }
}
