//! The traits, with the methods that the derives call.

pub use serde_derive::{Deserialize, Serialize};

pub trait Serialize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

pub trait Deserialize<'de>: Sized {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

pub trait Deserializer<'de>: Sized {
    type Error: de::Error;
    fn deserialize_any<V: de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error>;
    fn deserialize_option<V: de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error>;
    fn deserialize_identifier<V: de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error>;
    fn deserialize_struct<V: de::Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error>;
    fn deserialize_tuple_struct<V: de::Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Self::Error>;
    fn deserialize_newtype_struct<V: de::Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error>;
    fn deserialize_unit_struct<V: de::Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error>;
    fn deserialize_enum<V: de::Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error>;
}

pub mod de;

pub trait Serializer: Sized {
    type Ok;
    type Error;
    type SerializeStruct: ser::SerializeStruct<Ok = Self::Ok, Error = Self::Error>;
    type SerializeTupleVariant: ser::SerializeTupleVariant<Ok = Self::Ok, Error = Self::Error>;
    fn serialize_u32(self, value: u32) -> Result<Self::Ok, Self::Error>;
    fn serialize_str(self, value: &str) -> Result<Self::Ok, Self::Error>;
    fn serialize_unit(self) -> Result<Self::Ok, Self::Error>;
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeStruct, Self::Error>;
    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<Self::Ok, Self::Error>;
    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<Self::Ok, Self::Error>;
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant, Self::Error>;
}

impl Serialize for u32 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(*self)
    }
}

impl Serialize for str {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<T: ?Sized + Serialize> Serialize for &T {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<T: ?Sized> Serialize for std::marker::PhantomData<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}


pub mod ser {
    use super::Serialize;

    pub trait SerializeStruct {
        type Ok;
        type Error;
        fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), Self::Error>;
        fn skip_field(&mut self, _: &'static str) -> Result<(), Self::Error> {
            Ok(())
        }
        fn end(self) -> Result<Self::Ok, Self::Error>;
    }

    pub trait SerializeTupleVariant {
        type Ok;
        type Error;
        fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Self::Error>;
        fn end(self) -> Result<Self::Ok, Self::Error>;
    }
}

/// Writes what it is given.
pub struct Text;

impl Serializer for Text {
    type Ok = String;
    type Error = String;
    type SerializeStruct = Parts;
    type SerializeTupleVariant = Parts;
    fn serialize_u32(self, value: u32) -> Result<String, String> {
        Ok(value.to_string())
    }
    fn serialize_str(self, value: &str) -> Result<String, String> {
        Ok(value.to_owned())
    }
    fn serialize_unit(self) -> Result<String, String> {
        Ok("()".to_owned())
    }
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Parts, String> {
        Ok(Parts(format!("{name}/{len}")))
    }
    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<String, String> {
        Ok(format!("{name}({})", value.serialize(Text)?))
    }
    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<String, String> {
        Ok(format!("{name}#{index}.{variant}"))
    }
    fn serialize_tuple_variant(self, name: &'static str, index: u32, variant: &'static str, len: usize) -> Result<Parts, String> {
        Ok(Parts(format!("{name}#{index}.{variant}/{len}")))
    }
}

pub struct Parts(String);

impl ser::SerializeStruct for Parts {
    type Ok = String;
    type Error = String;
    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), String> {
        self.0 += &format!(" {key}={}", value.serialize(Text)?);
        Ok(())
    }
    fn end(self) -> Result<String, String> {
        Ok(self.0)
    }
}

impl ser::SerializeTupleVariant for Parts {
    type Ok = String;
    type Error = String;
    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), String> {
        self.0 += &format!(" {}", value.serialize(Text)?);
        Ok(())
    }
    fn end(self) -> Result<String, String> {
        Ok(self.0)
    }
}
