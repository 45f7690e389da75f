//! The rules at and below a default, evaluated on it.

use super::super::found::Found;
use super::super::model::Schema;
use super::super::path::Path;
use serde_json::Value;

pub(super) fn judge(_: &Value, _: &Schema<'_>, _: bool, _: Path<'_>, _: &mut Found) {}
