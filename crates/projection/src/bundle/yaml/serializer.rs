//! The serializer. It writes directly into the text, line by line, and buffers nothing.

use super::error::{Error, MAX_DEPTH};
use super::key::Key;
use super::scalar;
use serde::ser::{self, Serialize, Serializer};
use std::fmt;

/// Writes a value without the surrounding lines.
pub(super) fn write<T: Serialize + ?Sized>(value: &T, out: &mut String) -> Result<(), Error> {
    value.serialize(Slot {
        out,
        place: Position::Root,
        depth: 0,
    })
}

/// What precedes a value on its line. The numbers are columns.
#[derive(Clone, Copy)]
enum Position {
    /// Nothing.
    Root,
    /// A key that begins at this column, and its colon.
    Key(usize),
    /// `- `; its content begins at this column.
    Dash(usize),
}

/// The position of the next value.
struct Slot<'a> {
    out: &'a mut String,
    place: Position,
    depth: usize,
}

impl<'a> Slot<'a> {
    /// Prepares the line for a scalar.
    fn scalar(self) -> &'a mut String {
        if let Position::Key(_) = self.place {
            self.out.push(' ');
        }
        self.out
    }

    fn raw(self, text: &str) -> Result<(), Error> {
        self.scalar().push_str(text);
        Ok(())
    }

    fn display(self, number: impl fmt::Display) -> Result<(), Error> {
        use fmt::Write;
        write!(self.scalar(), "{number}").map_err(ser::Error::custom)
    }

    fn float(self, number: &impl Serialize) -> Result<(), Error> {
        let json = serde_json::to_string(number).map_err(ser::Error::custom)?;
        scalar::float(&json, self.scalar());
        Ok(())
    }

    fn collection(self, kind: CollectionKind) -> Result<Collection<'a>, Error> {
        if self.depth == MAX_DEPTH {
            return Err(ser::Error::custom(format!(
                "nested more than {MAX_DEPTH} collections deep"
            )));
        }
        let column = match (self.place, kind) {
            (Position::Root, _) => 0,
            (Position::Key(column), CollectionKind::List) => column,
            (Position::Key(column), CollectionKind::Map) => column + 2,
            (Position::Dash(column), _) => column,
        };
        Ok(Collection {
            out: self.out,
            place: self.place,
            kind,
            column,
            depth: self.depth + 1,
            empty: true,
        })
    }

    /// Returns the slot for the content of a variant: the value of a map's only entry.
    fn under(self, variant: &'static str) -> Result<Slot<'a>, Error> {
        let mut map = self.collection(CollectionKind::Map)?;
        map.key(variant);
        Ok(Slot {
            out: map.out,
            place: Position::Key(map.column),
            depth: map.depth,
        })
    }
}

#[derive(Clone, Copy)]
enum CollectionKind {
    List,
    Map,
}

impl<'a> Serializer for Slot<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Collection<'a>;
    type SerializeTuple = Collection<'a>;
    type SerializeTupleStruct = Collection<'a>;
    type SerializeTupleVariant = Collection<'a>;
    type SerializeMap = Collection<'a>;
    type SerializeStruct = Collection<'a>;
    type SerializeStructVariant = Collection<'a>;

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.raw(if value { "true" } else { "false" })
    }

    fn serialize_i8(self, value: i8) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_i16(self, value: i16) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_i32(self, value: i32) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_i64(self, value: i64) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_u8(self, value: u8) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_u16(self, value: u16) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_u32(self, value: u32) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.float(&value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.float(&value)
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        let indent = match self.place {
            Position::Root => None,
            Position::Key(column) => Some(column + 2),
            Position::Dash(column) => Some(column),
        };
        scalar::write(text, indent, self.scalar());
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.raw("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.raw("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.raw("null")
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self.under(variant)?)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Collection<'a>, Error> {
        self.collection(CollectionKind::List)
    }

    fn serialize_tuple(self, _: usize) -> Result<Collection<'a>, Error> {
        self.collection(CollectionKind::List)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Collection<'a>, Error> {
        self.collection(CollectionKind::List)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Collection<'a>, Error> {
        self.under(variant)?.collection(CollectionKind::List)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Collection<'a>, Error> {
        self.collection(CollectionKind::Map)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Collection<'a>, Error> {
        self.collection(CollectionKind::Map)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Collection<'a>, Error> {
        self.under(variant)?.collection(CollectionKind::Map)
    }
}

/// A list or map being written. It begins with its first entry, since an empty one is `[]` or `{}`.
struct Collection<'a> {
    out: &'a mut String,
    place: Position,
    kind: CollectionKind,
    column: usize,
    depth: usize,
    empty: bool,
}

impl Collection<'_> {
    /// Moves to the beginning of the next entry.
    fn begin(&mut self) {
        let first = std::mem::replace(&mut self.empty, false);
        // The first entry of a collection in a list follows the dash on the same line.
        if !first || matches!(self.place, Position::Key(_)) {
            self.out.push('\n');
            scalar::spaces(self.column, self.out);
        }
    }

    fn key(&mut self, key: &str) {
        self.begin();
        if scalar::is_long_key(key) {
            self.out.push_str("? ");
            scalar::write(key, None, self.out);
            self.out.push('\n');
            scalar::spaces(self.column, self.out);
        } else {
            scalar::write(key, None, self.out);
        }
        self.out.push(':');
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(Slot {
            out: self.out,
            place: Position::Key(self.column),
            depth: self.depth,
        })
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.begin();
        self.out.push_str("- ");
        value.serialize(Slot {
            out: self.out,
            place: Position::Dash(self.column + 2),
            depth: self.depth,
        })
    }

    fn finish(self) {
        if self.empty {
            if let Position::Key(_) = self.place {
                self.out.push(' ');
            }
            self.out.push_str(match self.kind {
                CollectionKind::List => "[]",
                CollectionKind::Map => "{}",
            });
        }
    }
}

impl ser::SerializeMap for Collection<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        key.serialize(Key(&mut |text| self.key(text)))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

/// Implements the traits for structs and lists, which differ only in the names of their methods.
macro_rules! collections {
    (structs: $($fields:ident)*; lists: $($items:ident $method:ident)*) => {
        $(impl ser::$fields for Collection<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.key(key);
                self.value(value)
            }

            fn end(self) -> Result<(), Error> {
                self.finish();
                Ok(())
            }
        })*
        $(impl ser::$items for Collection<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.item(value)
            }

            fn end(self) -> Result<(), Error> {
                self.finish();
                Ok(())
            }
        })*
    };
}

collections! {
    structs: SerializeStruct SerializeStructVariant;
    lists: SerializeSeq serialize_element SerializeTuple serialize_element
        SerializeTupleStruct serialize_field SerializeTupleVariant serialize_field
}
