//! Functions of quantities.

use super::{Answer, Stop, Val, text_arg};
use crate::value::Quantity;
use std::cmp::Ordering;

pub(crate) fn quantity(given: &[Val]) -> Answer {
    Quantity::parse(text_arg(given)?)?
        .map(Val::Quantity)
        .ok_or(Stop::Error)
}

pub(crate) fn is_quantity(given: &[Val]) -> Answer {
    Ok(Val::Bool(Quantity::parse(text_arg(given)?)?.is_some()))
}

pub(crate) fn sign(given: &[Val]) -> Answer {
    one(given)?.sign().map(Val::Int)
}

pub(crate) fn is_integer(given: &[Val]) -> Answer {
    Ok(Val::Bool(one(given)?.integer()?.is_some()))
}

pub(crate) fn as_integer(given: &[Val]) -> Answer {
    one(given)?.integer()?.map(Val::Int).ok_or(Stop::Error)
}

pub(crate) fn as_approximate_float(given: &[Val]) -> Answer {
    one(given)?.approximate().map(Val::Double)
}

pub(crate) fn add(given: &[Val]) -> Answer {
    let (one, other) = two(given)?;
    one.plus(&other).map(Val::Quantity)
}

pub(crate) fn subtract(given: &[Val]) -> Answer {
    let (one, other) = two(given)?;
    one.minus(&other).map(Val::Quantity)
}

pub(crate) fn is_greater(given: &[Val]) -> Answer {
    Ok(Val::Bool(ranked(given)?.is_gt()))
}

pub(crate) fn is_less(given: &[Val]) -> Answer {
    Ok(Val::Bool(ranked(given)?.is_lt()))
}

pub(crate) fn compare_to(given: &[Val]) -> Answer {
    Ok(Val::Int(ranked(given)? as i64))
}

fn ranked(given: &[Val]) -> Result<Ordering, Stop> {
    match given {
        [Val::Quantity(one), Val::Quantity(other)] => one.order(other),
        [Val::Semver(one), Val::Semver(other)] => Ok(one.cmp_precedence(other)),
        _ => Err(Stop::Unknown),
    }
}

fn one(given: &[Val]) -> Result<Quantity, Stop> {
    match given {
        [Val::Quantity(quantity)] => Ok(*quantity),
        _ => Err(Stop::Unknown),
    }
}

fn two(given: &[Val]) -> Result<(Quantity, Quantity), Stop> {
    match given {
        [Val::Quantity(one), Val::Quantity(other)] => Ok((*one, *other)),
        [Val::Quantity(one), Val::Int(other)] => Ok((*one, Quantity::new(*other, 0))),
        _ => Err(Stop::Unknown),
    }
}
