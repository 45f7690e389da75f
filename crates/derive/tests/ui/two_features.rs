use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(feature = "A", feature = "B")]
    timeout: Option<u32>,
}

fn main() {}
