use crd_channels_derive::ApiType;

#[derive(ApiType)]
enum Mode {
    #[experimental()]
    Fast,
}

fn main() {}
