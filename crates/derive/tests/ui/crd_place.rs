use crd_channels_derive::ApiType;

#[derive(ApiType)]
#[crd(conversion = "none")]
struct Route {
    #[crd(removed_in = "v1.0.0")]
    name: String,
}

#[derive(ApiType)]
enum Mode {
    #[crd(nullable)]
    Fast,
}

fn main() {}
