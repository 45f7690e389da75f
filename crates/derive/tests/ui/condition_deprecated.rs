use crd_channels_derive::Conditions;

#[derive(Conditions)]
enum GatewayCondition {
    /// It is accepted.
    #[condition(positive)]
    Accepted(Accepted),
    /// Without a bundle.
    #[condition(positive, replaced_by = "Accepted")]
    Scheduled(Accepted),
    /// Without what replaces it.
    #[condition(negative, until = "v0.7.0")]
    Detached(Accepted),
    /// With half a version.
    #[condition(positive, replaced_by = "Accepted", until = "0.7")]
    Old(Accepted),
    /// In a patch.
    #[condition(positive, replaced_by = "Accepted", until = "v0.7.1")]
    Older(Accepted),
}

#[derive(Conditions)]
enum ListenerCondition {
    /// It is accepted.
    #[condition(positive)]
    Accepted(Accepted),
    /// A word with a slip.
    #[condition(positive, replaced_by = "Acepted", until = "v0.7.0")]
    Scheduled(Accepted),
    /// Replaced by itself.
    #[condition(negative, replaced_by = "Detached", until = "v0.7.0")]
    Detached(Accepted),
    /// Replaced by what goes as well.
    #[condition(negative, replaced_by = "Detached", until = "v0.7.0")]
    Removed(Accepted),
}

enum Accepted {}

fn main() {}
