use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(feature = "A")]
    #[experimental(feature = "B")]
    timeout: Option<u32>,
    #[experimental]
    #[not_experimental]
    retries: Option<u32>,
}

fn main() {}
