use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(feture = "RouteTimeouts")]
    timeout: Option<u32>,
}

fn main() {}
