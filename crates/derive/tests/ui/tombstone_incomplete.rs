use crd_channels_derive::ApiType;

#[derive(ApiType)]
#[tombstone(name = "oldField", reason = "nobody used it")]
struct Route {}

fn main() {}
