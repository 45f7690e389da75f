//! A deprecated condition without the attribute that rustc warns of.

use crd_channels_derive::Conditions;

#[derive(Conditions)]
enum RouteCondition {
    /// It is accepted.
    #[condition(positive)]
    Accepted(Accepted),
    /// What it was called.
    #[condition(positive, replaced_by = "Accepted", until = "v0.7.0")]
    Scheduled(Accepted),
}

enum Accepted {}

fn main() {}
