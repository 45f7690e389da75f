use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[tombstone(name = "oldField", removed = "v0.4.0", reason = "nobody used it")]
    name: String,
}

fn main() {}
