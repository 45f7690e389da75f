use crd_channels_derive::ApiType;

#[derive(ApiType)]
#[tombstone]
struct Route {}

fn main() {}
