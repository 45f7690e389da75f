use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(feature = "A" schemars(length(max = 8)))]
    name: String,
}

fn main() {}
