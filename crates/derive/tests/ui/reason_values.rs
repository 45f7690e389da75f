use crd_channels_derive::Reasons;

#[derive(Reasons)]
enum Accepted {
    /// Without an attribute.
    Accepted,
    /// Without a status.
    #[reason(name = "Invalid")]
    Wrong,
    /// With two.
    #[reason(False, Unknown)]
    Pending,
    #[reason(False)]
    Undocumented,
    /// With an underscore.
    #[reason(False, name = "no_resources")]
    NoResources,
    /// Lowercase, as the status in manifests is not.
    #[reason(r#false)]
    NotAllowed,
    /// A code without its text.
    #[reason(False, code)]
    Code,
    /// A text without a code.
    #[reason(False)]
    Text(String),
    /// A code with a name.
    #[reason(False, code, name = "Cloud")]
    Cloud(String),
}

#[derive(Reasons)]
enum Twice {
    /// Once.
    #[reason(False)]
    Pending,
    /// For another status.
    #[reason(Unknown, name = "Pending")]
    NotSeen,
    /// Twice.
    #[reason(False, name = "Pending")]
    Waiting,
}

fn main() {}
