use crd_channels_derive::Conditions;

#[derive(Conditions)]
enum RouteCondition {
    /// It is accepted.
    Accepted(Accepted),
    /// Its references are resolved.
    #[condition(name = "ResolvedRefs")]
    Resolved(Accepted),
    /// It is programmed.
    #[condition(positive, negative)]
    Programmed(Accepted),
    /// Another one has its host.
    #[condition(negative, optional)]
    Conflicted(Accepted),
    #[condition(positiv)]
    Ready(Accepted),
}

enum Accepted {}

fn main() {}
