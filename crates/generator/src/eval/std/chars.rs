//! Methods of characters.

use super::Call;
use crate::eval::machine::{Machine, Run};
use crate::eval::values::iterator::Iter;
use crate::eval::values::number::U32;
use crate::eval::values::value::Value;

impl Machine<'_> {
    pub(super) fn char_method(&mut self, call: &Call<'_>, c: char, args: Vec<Value>) -> Run {
        let first = args.first().map(|arg| self.load(arg));
        let all = |chars: Vec<char>| {
            Ok(Value::Iter(Box::new(Iter::of(
                chars.into_iter().map(Value::Char),
            ))))
        };
        match (call.name, first) {
            ("is_alphabetic", None) => Ok(Value::Bool(c.is_alphabetic())),
            ("is_alphanumeric", None) => Ok(Value::Bool(c.is_alphanumeric())),
            ("is_control", None) => Ok(Value::Bool(c.is_control())),
            ("is_lowercase", None) => Ok(Value::Bool(c.is_lowercase())),
            ("is_numeric", None) => Ok(Value::Bool(c.is_numeric())),
            ("is_uppercase", None) => Ok(Value::Bool(c.is_uppercase())),
            ("is_whitespace", None) => Ok(Value::Bool(c.is_whitespace())),
            ("is_ascii", None) => Ok(Value::Bool(c.is_ascii())),
            ("is_ascii_alphabetic", None) => Ok(Value::Bool(c.is_ascii_alphabetic())),
            ("is_ascii_alphanumeric", None) => Ok(Value::Bool(c.is_ascii_alphanumeric())),
            ("is_ascii_digit", None) => Ok(Value::Bool(c.is_ascii_digit())),
            ("is_ascii_hexdigit", None) => Ok(Value::Bool(c.is_ascii_hexdigit())),
            ("is_ascii_lowercase", None) => Ok(Value::Bool(c.is_ascii_lowercase())),
            ("is_ascii_uppercase", None) => Ok(Value::Bool(c.is_ascii_uppercase())),
            ("is_ascii_punctuation", None) => Ok(Value::Bool(c.is_ascii_punctuation())),
            ("is_ascii_whitespace", None) => Ok(Value::Bool(c.is_ascii_whitespace())),
            ("is_ascii_graphic", None) => Ok(Value::Bool(c.is_ascii_graphic())),
            ("is_ascii_control", None) => Ok(Value::Bool(c.is_ascii_control())),
            ("to_ascii_lowercase", None) => Ok(Value::Char(c.to_ascii_lowercase())),
            ("to_ascii_uppercase", None) => Ok(Value::Char(c.to_ascii_uppercase())),
            ("to_lowercase", None) => all(c.to_lowercase().collect()),
            ("to_uppercase", None) => all(c.to_uppercase().collect()),
            ("len_utf8", None) => self.size(c.len_utf8(), call.span),
            ("eq_ignore_ascii_case", Some(Value::Char(other))) => {
                Ok(Value::Bool(c.eq_ignore_ascii_case(&other)))
            }
            ("is_digit", Some(Value::Int(radix))) => match u32::try_from(radix.value) {
                Ok(radix @ 2..=36) => Ok(Value::Bool(c.is_digit(radix))),
                _ => call.unsupported(&Value::Char(c)),
            },
            ("to_digit", Some(Value::Int(radix))) => match u32::try_from(radix.value) {
                Ok(radix @ 2..=36) => {
                    let digit = c.to_digit(radix);
                    Ok(Value::option(
                        digit.map(|digit| Value::int(i128::from(digit), U32)),
                    ))
                }
                _ => call.unsupported(&Value::Char(c)),
            },
            _ => call.unsupported(&Value::Char(c)),
        }
    }
}
