//! `'..%s..'.format([..])` with a constant text and a list that is written out.

use super::checked::Checked;
use crate::clauses::{Piece, pieces};
use crate::core::{Id, Kind};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::Literal;
use crate::types::Type;

/// The error in the clauses of a format or in their arguments.
pub(super) fn fault(checked: &Checked, id: Id, target: Id, arguments: &[Id]) -> Option<Diagnostic> {
    let tree = checked.tree();
    let format = tree.node(target)?;
    let Kind::Literal(Literal::String(text)) = &format.kind else {
        return None;
    };
    let [argument] = arguments else { return None };
    let Kind::List(elements) = &tree.node(*argument)?.kind else {
        return None;
    };
    let values: Vec<Id> = elements.iter().map(|(value, _)| *value).collect();
    let place = tree.node(id).unwrap_or(format);
    match clauses(text) {
        Err(message) => Some(Diagnostic::new(
            Code::Constant,
            place.range.clone(),
            place.at,
            message,
        )),
        Ok(clauses) if clauses.len() != values.len() => {
            let message = format!(
                "the format has {} clauses and the list {} values",
                clauses.len(),
                values.len()
            );
            Some(Diagnostic::new(
                Code::Constant,
                place.range.clone(),
                place.at,
                message,
            ))
        }
        Ok(clauses) => {
            let mut pairs = clauses.into_iter().zip(values);
            pairs.find_map(|(clause, value)| misfit(checked, clause, value))
        }
    }
}

/// The letters of the clauses.
fn clauses(format: &str) -> Result<Vec<char>, String> {
    let pieces = pieces(format)?.into_iter();
    let letters = pieces.filter_map(|piece| match piece {
        Piece::Clause { letter, .. } => Some(letter),
        Piece::Text(_) => None,
    });
    Ok(letters.collect())
}

fn misfit(checked: &Checked, clause: char, value: Id) -> Option<Diagnostic> {
    let bad = match clause {
        's' => unprintable(checked, value)?,
        _ if takes(clause, checked.ty(value)) => return None,
        _ => value,
    };
    let node = checked.tree().node(bad)?;
    let message = format!(
        "`%{clause}` does not take a value of type `{}`",
        checked.ty(bad)
    );
    Some(Diagnostic::new(
        Code::Constant,
        node.range.clone(),
        node.at,
        message,
    ))
}

fn takes(clause: char, ty: &Type) -> bool {
    let ty = match ty {
        Type::Nullable(inner) => inner,
        ty => ty,
    };
    match ty {
        Type::Dyn => true,
        Type::Int | Type::Uint => "dbxXo".contains(clause),
        Type::Bool => clause == 'b',
        Type::Double => "fe".contains(clause),
        Type::String => "fexX".contains(clause),
        Type::Bytes => "xX".contains(clause),
        _ => false,
    }
}

/// The first part of a value that `%s` does not accept.
fn unprintable(checked: &Checked, value: Id) -> Option<Id> {
    let printable = matches!(
        checked.ty(value),
        Type::Dyn
            | Type::List(_)
            | Type::Map(_)
            | Type::Int
            | Type::Uint
            | Type::Double
            | Type::Bool
            | Type::String
            | Type::Timestamp
            | Type::Bytes
            | Type::Duration
            | Type::Type(_)
            | Type::Null
            | Type::Nullable(_)
    );
    if !printable {
        return Some(value);
    }
    match &checked.tree().node(value)?.kind {
        Kind::List(elements) => {
            let mut values = elements.iter();
            values.find_map(|(value, _)| unprintable(checked, *value))
        }
        Kind::Map(entries) => entries.iter().find_map(|(key, value, _)| {
            unprintable(checked, *key).or_else(|| unprintable(checked, *value))
        }),
        _ => None,
    }
}
