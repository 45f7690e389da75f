use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental = "RouteTimeouts"]
    timeout: Option<u32>,
}

fn main() {}
