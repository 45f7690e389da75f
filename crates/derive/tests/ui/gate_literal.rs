use crd_channels_derive::ApiType;

#[derive(ApiType)]
#[experimental("RouteTimeouts")]
struct Route;

fn main() {}
