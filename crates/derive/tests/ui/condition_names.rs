use crd_channels_derive::Conditions;

#[derive(Conditions)]
#[conditions(domain = "Example.com")]
enum RouteCondition {
    /// Too many requests.
    #[condition(negative)]
    Throttled(Throttled),
    /// The same.
    #[condition(negative, name = "Throttled")]
    Slowed(Throttled),
    /// A name that an API server takes, but no word.
    #[condition(negative, name = "is-slow")]
    Slow(Throttled),
    /// Two names.
    #[condition(negative, name = "A", name = "B")]
    Two(Throttled),
}

enum Throttled {}

fn main() {}
