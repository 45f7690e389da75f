use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(when = "RouteTimeouts")]
    timeout: Option<u32>,
}

fn main() {}
