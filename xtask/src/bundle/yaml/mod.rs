//! The canonical YAML of a bundle: a serializer that writes block style with compact lists, as controller-gen's files
//! have it. The README says why no crate does this.

mod scalar;
#[cfg(test)]
mod tests;

use serde::ser::{self, Serialize};
use std::fmt;

/// The document of a value, with the leading `---`.
///
/// # Errors
/// When the value has a map whose keys are no strings, or bytes.
pub fn document(value: &impl Serialize) -> Result<String, Unwritable> {
    let mut out = String::from("---\n");
    value.serialize(Node {
        out: &mut out,
        indent: 0,
        place: Place::Document,
    })?;
    out.push('\n');
    Ok(out)
}

/// Why a value has no YAML.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Unwritable(String);

impl fmt::Display for Unwritable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Keys longer than this are written with `?`: readers look no further than 1,024 characters for the colon.
const LONGEST_SIMPLE_KEY: usize = 512;

#[derive(Clone, Copy, Eq, PartialEq)]
enum Place {
    /// The whole document.
    Document,
    /// Behind `key:`.
    Value,
    /// Behind `-`.
    Item,
    /// In front of the colon: a string on one line.
    Key,
}

/// A place where one value is written.
struct Node<'a> {
    out: &'a mut String,
    /// The column of the key or dash in front.
    indent: usize,
    place: Place,
}

impl Node<'_> {
    fn scalar(self, text: &str) -> Result<(), Unwritable> {
        match self.place {
            Place::Key => return Err(no_string()),
            Place::Document => {}
            Place::Value | Place::Item => self.out.push(' '),
        }
        self.out.push_str(text);
        Ok(())
    }
}

fn no_string() -> Unwritable {
    Unwritable("a key of a map is no string".to_owned())
}

/// Entries of a map or items of a list.
struct Collection<'a> {
    out: &'a mut String,
    indent: usize,
    place: Place,
    empty: bool,
    braces: &'static str,
}

impl<'a> Collection<'a> {
    fn map(node: Node<'a>) -> Result<Self, Unwritable> {
        let indent = match node.place {
            Place::Document => 0,
            Place::Value | Place::Item => node.indent + 2,
            Place::Key => return Err(no_string()),
        };
        Ok(Self::at(node, indent, "{}"))
    }

    fn list(node: Node<'a>) -> Result<Self, Unwritable> {
        let indent = match node.place {
            Place::Document | Place::Value => node.indent,
            Place::Item => node.indent + 2,
            Place::Key => return Err(no_string()),
        };
        Ok(Self::at(node, indent, "[]"))
    }

    fn at(node: Node<'a>, indent: usize, braces: &'static str) -> Self {
        Self {
            out: node.out,
            indent,
            place: node.place,
            empty: true,
            braces,
        }
    }

    /// Goes to where the next entry starts.
    fn next(&mut self) {
        match (self.empty, self.place) {
            (true, Place::Document) => {}
            (true, Place::Item) => self.out.push(' '),
            (true, Place::Value | Place::Key) | (false, _) => {
                self.out.push('\n');
                scalar::spaces(self.out, self.indent);
            }
        }
        self.empty = false;
    }

    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        self.next();
        let start = self.out.len();
        self.value(key, Place::Key)?;
        if self.out.len() - start > LONGEST_SIMPLE_KEY {
            self.out.insert_str(start, "? ");
            self.out.push('\n');
            scalar::spaces(self.out, self.indent);
        }
        self.out.push(':');
        Ok(())
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T, place: Place) -> Result<(), Unwritable> {
        value.serialize(Node {
            out: self.out,
            indent: self.indent,
            place,
        })
    }

    fn finish(self) -> Result<(), Unwritable> {
        if self.empty {
            if self.place != Place::Document {
                self.out.push(' ');
            }
            self.out.push_str(self.braces);
        }
        Ok(())
    }
}

impl<'a> ser::Serializer for Node<'a> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Collection<'a>;
    type SerializeTuple = Collection<'a>;
    type SerializeTupleStruct = Collection<'a>;
    type SerializeTupleVariant = ser::Impossible<(), Unwritable>;
    type SerializeMap = Collection<'a>;
    type SerializeStruct = Collection<'a>;
    type SerializeStructVariant = ser::Impossible<(), Unwritable>;

    fn serialize_bool(self, value: bool) -> Result<(), Unwritable> {
        self.scalar(if value { "true" } else { "false" })
    }

    fn serialize_i8(self, value: i8) -> Result<(), Unwritable> {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<(), Unwritable> {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<(), Unwritable> {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<(), Unwritable> {
        self.scalar(&value.to_string())
    }

    fn serialize_u8(self, value: u8) -> Result<(), Unwritable> {
        self.serialize_u64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), Unwritable> {
        self.serialize_u64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), Unwritable> {
        self.serialize_u64(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Unwritable> {
        self.scalar(&value.to_string())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Unwritable> {
        self.serialize_f64(value.into())
    }

    /// The shortest digits that give the number back; exponents get the point and the sign that YAML 1.1 asks for.
    fn serialize_f64(self, value: f64) -> Result<(), Unwritable> {
        let Some(number) = serde_json::Number::from_f64(value) else {
            return Err(ser::Error::custom(format!("{value} is no JSON number")));
        };
        let digits = number.to_string();
        let Some((mantissa, exponent)) = digits.split_once('e') else {
            return self.scalar(&digits);
        };
        let point = if mantissa.contains('.') { "" } else { ".0" };
        let sign = if exponent.starts_with(['-', '+']) {
            ""
        } else {
            "+"
        };
        self.scalar(&format!("{mantissa}{point}e{sign}{exponent}"))
    }

    fn serialize_char(self, value: char) -> Result<(), Unwritable> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Unwritable> {
        match self.place {
            Place::Key => scalar::flow(self.out, value),
            Place::Document => scalar::value(self.out, value, 2),
            Place::Value | Place::Item => {
                self.out.push(' ');
                scalar::value(self.out, value, self.indent + 2);
            }
        }
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Unwritable> {
        Err(ser::Error::custom("bytes have no JSON form"))
    }

    fn serialize_none(self) -> Result<(), Unwritable> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Unwritable> {
        self.scalar("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Unwritable> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Unwritable> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        let mut map = Collection::map(self)?;
        map.key(variant)?;
        map.value(value, Place::Value)?;
        map.finish()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Unwritable> {
        Collection::list(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Unwritable> {
        Collection::list(self)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Unwritable> {
        Collection::list(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unwritable> {
        Err(ser::Error::custom(format!(
            "the tuple variant `{variant}` has no place in a CRD"
        )))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Unwritable> {
        Collection::map(self)
    }

    fn serialize_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStruct, Unwritable> {
        Collection::map(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unwritable> {
        Err(ser::Error::custom(format!(
            "the struct variant `{variant}` has no place in a CRD"
        )))
    }
}

impl ser::SerializeSeq for Collection<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.next();
        self.out.push('-');
        self.value(value, Place::Item)
    }

    fn end(self) -> Result<(), Unwritable> {
        self.finish()
    }
}

impl ser::SerializeTuple for Collection<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), Unwritable> {
        self.finish()
    }
}

impl ser::SerializeTupleStruct for Collection<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), Unwritable> {
        self.finish()
    }
}

impl ser::SerializeMap for Collection<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.value(value, Place::Value)
    }

    fn end(self) -> Result<(), Unwritable> {
        self.finish()
    }
}

impl ser::SerializeStruct for Collection<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        self.key(key)?;
        self.value(value, Place::Value)
    }

    fn end(self) -> Result<(), Unwritable> {
        self.finish()
    }
}
