use crd_channels_derive::ApiType;

#[derive(ApiType)]
#[tombstone(name = "", removed = "0.4", reason = "nobody used it")]
#[tombstone(name = "b", removed = "v0.4.0", reason = "it was slow")]
#[tombstone(name = "b", removed = "v0.5.0", reason = "it was slow")]
struct Route {}

fn main() {}
