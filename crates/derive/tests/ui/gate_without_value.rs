use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(feature)]
    name: String,
}

fn main() {}
