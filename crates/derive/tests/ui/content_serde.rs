use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(serde(rename = "deadline"))]
    timeout: Option<u32>,
    #[experimental(deprecated)]
    old: Option<u32>,
}

fn main() {}
