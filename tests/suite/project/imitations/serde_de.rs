//! Reading: the traits, and a format whose values are numbers, texts, lists and maps.

use super::{Deserialize, Deserializer};
use std::fmt::{self, Display};

pub trait Error: Sized {
    fn custom<T: Display>(says: T) -> Self;
    fn invalid_length(len: usize, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid length {len}, expected {}", Shown(expected)))
    }
    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let Unexpected::Unsigned(value) = unexpected else { return Self::custom("invalid") };
        Self::custom(format_args!("invalid value {value}, expected {}", Shown(expected)))
    }
    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("unknown field {field}, expected {expected:?}"))
    }
    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("unknown variant {variant}, expected {expected:?}"))
    }
    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("missing field {field}"))
    }
    fn duplicate_field(field: &'static str) -> Self {
        Self::custom(format_args!("duplicate field {field}"))
    }
}

impl Error for () {
    fn custom<T: Display>(_: T) {}
}

impl Error for String {
    fn custom<T: Display>(says: T) -> String {
        says.to_string()
    }
}

pub enum Unexpected<'a> {
    Unsigned(u64),
    Str(&'a str),
}

pub trait Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl Expected for &str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

struct Shown<'a>(&'a dyn Expected);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

struct ByVisitor<V>(V);

impl<'de, V: Visitor<'de>> Display for ByVisitor<&V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }
}

pub trait Visitor<'de>: Sized {
    type Value;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Err(E::custom(format_args!("a number instead of {}", ByVisitor(&self))))
    }
    fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
        Err(E::custom(format_args!("a text instead of {}", ByVisitor(&self))))
    }
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        self.visit_str(text)
    }
    fn visit_bytes<E: Error>(self, _: &[u8]) -> Result<Self::Value, E> {
        Err(E::custom("bytes"))
    }
    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Err(E::custom("nothing"))
    }
    fn visit_some<D: Deserializer<'de>>(self, _: D) -> Result<Self::Value, D::Error> {
        Err(D::Error::custom("something"))
    }
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Err(E::custom("()"))
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, _: D) -> Result<Self::Value, D::Error> {
        Err(D::Error::custom("a newtype"))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
        Err(A::Error::custom(format_args!("a list instead of {}", ByVisitor(&self))))
    }
    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
        Err(A::Error::custom(format_args!("a map instead of {}", ByVisitor(&self))))
    }
    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
        Err(A::Error::custom("an enum"))
    }
}

pub trait SeqAccess<'de> {
    type Error: Error;
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Self::Error>;
}

pub trait MapAccess<'de> {
    type Error: Error;
    fn next_key<K: Deserialize<'de>>(&mut self) -> Result<Option<K>, Self::Error>;
    fn next_value<V: Deserialize<'de>>(&mut self) -> Result<V, Self::Error>;
}

pub trait EnumAccess<'de>: Sized {
    type Error: Error;
    type Variant: VariantAccess<'de, Error = Self::Error>;
    fn variant<V: Deserialize<'de>>(self) -> Result<(V, Self::Variant), Self::Error>;
}

pub trait VariantAccess<'de>: Sized {
    type Error: Error;
    fn unit_variant(self) -> Result<(), Self::Error>;
    fn newtype_variant<T: Deserialize<'de>>(self) -> Result<T, Self::Error>;
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Self::Error>;
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error>;
}

pub struct IgnoredAny;

impl<'de> Deserialize<'de> for IgnoredAny {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Ok(IgnoredAny)
    }
}

/// The other methods do what `deserialize_any` does.
#[macro_export]
macro_rules! forward_to_deserialize_any {
    ($($name:tt)*) => {
        fn deserialize_identifier<V: $crate::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            self.deserialize_any(visitor)
        }
        fn deserialize_struct<V: $crate::de::Visitor<'de>>(self, _: &'static str, _: &'static [&'static str], visitor: V) -> Result<V::Value, Self::Error> {
            self.deserialize_any(visitor)
        }
        fn deserialize_tuple_struct<V: $crate::de::Visitor<'de>>(self, _: &'static str, _: usize, visitor: V) -> Result<V::Value, Self::Error> {
            self.deserialize_any(visitor)
        }
        fn deserialize_newtype_struct<V: $crate::de::Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Self::Error> {
            self.deserialize_any(visitor)
        }
        fn deserialize_unit_struct<V: $crate::de::Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Self::Error> {
            self.deserialize_any(visitor)
        }
        fn deserialize_enum<V: $crate::de::Visitor<'de>>(self, _: &'static str, _: &'static [&'static str], visitor: V) -> Result<V::Value, Self::Error> {
            self.deserialize_any(visitor)
        }
    };
}

/// A value to be read.
#[derive(Clone, Copy)]
pub enum Data<'a> {
    Nothing,
    Number(u64),
    Text(&'a str),
    List(&'a [Data<'a>]),
    Map(&'a [(&'a str, Data<'a>)]),
}

struct Items<'a>(std::slice::Iter<'a, Data<'a>>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = String;
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, String> {
        self.0.next().map(|it| T::deserialize(*it)).transpose()
    }
}

struct Entries<'a>(std::slice::Iter<'a, (&'a str, Data<'a>)>, Option<Data<'a>>);

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = String;
    fn next_key<K: Deserialize<'de>>(&mut self) -> Result<Option<K>, String> {
        let Some((key, value)) = self.0.next() else { return Ok(None) };
        self.1 = Some(*value);
        K::deserialize(Data::Text(key)).map(Some)
    }
    fn next_value<V: Deserialize<'de>>(&mut self) -> Result<V, String> {
        V::deserialize(self.1.take().unwrap())
    }
}

struct Tagged<'a>(Data<'a>, Data<'a>);

impl<'de> EnumAccess<'de> for Tagged<'de> {
    type Error = String;
    type Variant = Data<'de>;
    fn variant<V: Deserialize<'de>>(self) -> Result<(V, Data<'de>), String> {
        Ok((V::deserialize(self.0)?, self.1))
    }
}

impl<'de> VariantAccess<'de> for Data<'de> {
    type Error = String;
    fn unit_variant(self) -> Result<(), String> {
        if matches!(self, Data::Nothing) { Ok(()) } else { Err("not a unit".to_owned()) }
    }
    fn newtype_variant<T: Deserialize<'de>>(self) -> Result<T, String> {
        T::deserialize(self)
    }
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, String> {
        self.deserialize_any(visitor)
    }
    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, String> {
        self.deserialize_any(visitor)
    }
}

impl<'de> Deserializer<'de> for Data<'de> {
    type Error = String;
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, String> {
        match self {
            Data::Nothing => visitor.visit_unit(),
            Data::Number(number) => visitor.visit_u64(number),
            Data::Text(text) => visitor.visit_borrowed_str(text),
            Data::List(items) => visitor.visit_seq(Items(items.iter())),
            Data::Map(entries) => visitor.visit_map(Entries(entries.iter(), None)),
        }
    }
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, String> {
        if matches!(self, Data::Nothing) { visitor.visit_none() } else { visitor.visit_some(self) }
    }
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, String> {
        self.deserialize_any(visitor)
    }
    fn deserialize_struct<V: Visitor<'de>>(self, _: &'static str, _: &'static [&'static str], visitor: V) -> Result<V::Value, String> {
        self.deserialize_any(visitor)
    }
    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, _: usize, visitor: V) -> Result<V::Value, String> {
        self.deserialize_any(visitor)
    }
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, String> {
        visitor.visit_newtype_struct(self)
    }
    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, String> {
        self.deserialize_any(visitor)
    }
    fn deserialize_enum<V: Visitor<'de>>(self, _: &'static str, _: &'static [&'static str], visitor: V) -> Result<V::Value, String> {
        match self {
            Data::Map([(name, value)]) => visitor.visit_enum(Tagged(Data::Text(name), *value)),
            name => visitor.visit_enum(Tagged(name, Data::Nothing)),
        }
    }
}

impl<'de> Deserialize<'de> for u32 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = u32;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("u32")
            }
            fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
                Ok(number as u32)
            }
        }
        deserializer.deserialize_any(Number)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for &'a str {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = &'de str;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }
            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<&'de str, E> {
                Ok(text)
            }
        }
        deserializer.deserialize_any(Text)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Option<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Maybe<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Maybe<T> {
            type Value = Option<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("option")
            }
            fn visit_none<E: Error>(self) -> Result<Option<T>, E> {
                Ok(None)
            }
            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
                T::deserialize(deserializer).map(Some)
            }
        }
        deserializer.deserialize_option(Maybe(std::marker::PhantomData))
    }
}
