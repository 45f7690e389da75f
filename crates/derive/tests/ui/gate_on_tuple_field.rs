use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Name(#[experimental] String);

fn main() {}
