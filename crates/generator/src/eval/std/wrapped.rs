//! Methods of types that wrap one value.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::kinds::Wrapper;
use crate::eval::values::value::{PlaceElem, Value, Via};

impl Machine<'_> {
    pub(super) fn wrapped_method(
        &mut self,
        call: &Call<'_>,
        value: Value,
        args: Vec<Value>,
    ) -> Run {
        let Value::Wrapped(wrapper, inner) = value else {
            return call.unsupported(&value);
        };
        let whole = Value::Wrapped(wrapper, inner.clone());
        let span = call.span;
        match (wrapper, call.name) {
            (Wrapper::Box | Wrapper::Rc | Wrapper::Arc, "as_ref") => Ok(Value::reference(*inner)),
            (Wrapper::Box, "as_mut") if call.via != Via::Shared => {
                Ok(Value::MutPlace(call.place.part(PlaceElem::Content)))
            }
            (Wrapper::Cow, "into_owned") => Ok(match *inner {
                Value::Str(text) => Value::String(text),
                inner => self.load(&inner),
            }),
            (Wrapper::NonZero, "get") => Ok(*inner),
            (Wrapper::NonZero, _) => match *inner {
                Value::Int(int) => {
                    let made = self.int_method(call, int, args)?;
                    Ok(match made {
                        Value::Int(int) if int.ty.is_some() => {
                            Value::Wrapped(Wrapper::NonZero, Box::new(Value::Int(int)))
                        }
                        Value::Option(Some(inner)) => {
                            Value::some(Value::Wrapped(Wrapper::NonZero, inner))
                        }
                        other => other,
                    })
                }
                _ => call.unsupported(&whole),
            },
            // Changes behind a shared reference would not be visible through others.
            (Wrapper::Cell, "get") | (Wrapper::RefCell, "borrow") | (Wrapper::Once, "get")
                if call.via == Via::Owned =>
            {
                stop(span, "interior mutability is not evaluated")
            }
            (
                Wrapper::Cell | Wrapper::RefCell | Wrapper::Mutex | Wrapper::RwLock | Wrapper::Once,
                "into_inner",
            ) => Ok(match wrapper {
                Wrapper::Mutex | Wrapper::RwLock => Value::ok(*inner),
                Wrapper::Once => return call.unsupported(&whole),
                _ => *inner,
            }),
            (Wrapper::Once, "get_or_init") => {
                let function = self.only(call, args)?;
                // It is created empty, and nothing that is evaluated initializes it in between.
                let made = self.apply(&function, Vec::new(), Want::any(), span)?;
                Ok(Value::reference(made))
            }
            _ => call.unsupported(&whole),
        }
    }
}
