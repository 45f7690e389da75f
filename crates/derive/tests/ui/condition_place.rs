use crd_channels_derive::{Conditions, Reasons};

#[derive(Conditions)]
struct Route;

#[derive(Conditions)]
enum Nothing {}

#[derive(Reasons)]
enum Any<T> {
    /// A value.
    #[reason(True)]
    Some(T),
}

#[derive(Conditions)]
#[conditions]
enum RouteCondition {
    /// Without reasons.
    #[condition(positive)]
    Accepted,
    /// With two.
    #[condition(positive)]
    Programmed(u8, u8),
    /// A gate on a part.
    #[experimental(doc = "more")]
    #[condition(negative)]
    Conflicted(u8),
}

fn main() {}
