//! Methods of durations and addresses.

use super::Call;
use crate::eval::machine::{Machine, Run};
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::number::{Float, IntType, U8, U32};
use crate::eval::values::value::Value;
use std::net::IpAddr;

impl Machine<'_> {
    pub(super) fn address_method(
        &mut self,
        call: &Call<'_>,
        value: Value,
        args: Vec<Value>,
    ) -> Run {
        let refused = || call.unsupported(&value);
        let int = |value: u128, name: &str| {
            let ty = IntType::from_name(name);
            match (i128::try_from(value), ty) {
                (Ok(value), Some(ty)) if ty.holds(value) => Ok(Value::int(value, ty)),
                _ => refused(),
            }
        };
        let loaded: Vec<Value> = args.iter().map(|arg| self.load(arg)).collect();
        match (&value, call.name, &loaded[..]) {
            (Value::Duration(own), name, []) => match name {
                "as_secs" => int(u128::from(own.as_secs()), "u64"),
                "as_millis" => int(own.as_millis(), "u128"),
                "as_micros" => int(own.as_micros(), "u128"),
                "as_nanos" => int(own.as_nanos(), "u128"),
                "subsec_millis" => Ok(Value::int(i128::from(own.subsec_millis()), U32)),
                "subsec_micros" => Ok(Value::int(i128::from(own.subsec_micros()), U32)),
                "subsec_nanos" => Ok(Value::int(i128::from(own.subsec_nanos()), U32)),
                "is_zero" => Ok(Value::Bool(own.is_zero())),
                "as_secs_f64" => Ok(Value::Float(Float::F64(own.as_secs_f64()))),
                "as_secs_f32" => Ok(Value::Float(Float::F32(own.as_secs_f32()))),
                _ => refused(),
            },
            (Value::Duration(own), name, [Value::Duration(other)]) => match name {
                "checked_add" => Ok(Value::option(own.checked_add(*other).map(Value::Duration))),
                "checked_sub" => Ok(Value::option(own.checked_sub(*other).map(Value::Duration))),
                "saturating_add" => Ok(Value::Duration(own.saturating_add(*other))),
                "saturating_sub" => Ok(Value::Duration(own.saturating_sub(*other))),
                "abs_diff" => Ok(Value::Duration(own.abs_diff(*other))),
                _ => refused(),
            },
            (Value::Duration(own), name, [Value::Int(by)]) => {
                let Ok(by) = u32::try_from(by.value) else {
                    return refused();
                };
                match name {
                    "checked_mul" => Ok(Value::option(own.checked_mul(by).map(Value::Duration))),
                    "checked_div" => Ok(Value::option(own.checked_div(by).map(Value::Duration))),
                    "saturating_mul" => Ok(Value::Duration(own.saturating_mul(by))),
                    _ => refused(),
                }
            }
            (Value::Ip(address, _), name, []) => match (name, address) {
                ("is_ipv4", _) => Ok(Value::Bool(address.is_ipv4())),
                ("is_ipv6", _) => Ok(Value::Bool(address.is_ipv6())),
                ("is_loopback", _) => Ok(Value::Bool(address.is_loopback())),
                ("is_unspecified", _) => Ok(Value::Bool(address.is_unspecified())),
                ("is_multicast", _) => Ok(Value::Bool(address.is_multicast())),
                ("is_private", IpAddr::V4(address)) => Ok(Value::Bool(address.is_private())),
                ("octets", IpAddr::V4(address)) => {
                    let octets = address.octets().into_iter();
                    let octets = octets.map(|octet| Value::int(i128::from(octet), U8));
                    Ok(Value::seq(SeqKind::Array, octets.collect()))
                }
                _ => refused(),
            },
            (Value::Socket(address), name, []) => match name {
                "ip" => Ok(Value::Ip(address.ip(), false)),
                "port" => int(u128::from(address.port()), "u16"),
                "is_ipv4" => Ok(Value::Bool(address.is_ipv4())),
                "is_ipv6" => Ok(Value::Bool(address.is_ipv6())),
                _ => refused(),
            },
            _ => refused(),
        }
    }
}
