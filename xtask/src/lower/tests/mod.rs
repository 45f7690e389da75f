//! Fixtures through the whole of the reader and this layer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod foreign;

use super::{Reader, drafts};
use crate::diag::{Diagnostic, Sink};
use crate::schema::draft::{Draft, Type};
use crate::source::fixture::{self, Loaded};
use std::fmt::Write;
use std::sync::Arc;
