use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(schemars(rename = "deadline"))]
    timeout: Option<u32>,
    #[experimental(schemars(with = "String", required, title = "T"))]
    retries: Option<u32>,
    #[experimental(schemars(lenght(max = 8)))]
    name: String,
    #[experimental(schemars(length(maximum = 8)))]
    other: String,
    #[experimental(schemars(length = 8, email = "x", range))]
    more: String,
}

fn main() {}
