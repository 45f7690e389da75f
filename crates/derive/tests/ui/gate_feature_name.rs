use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(feature = "route_timeouts")]
    timeout: Option<u32>,
    #[not_experimental(feature = "unnamed")]
    retries: Option<u32>,
}

fn main() {}
