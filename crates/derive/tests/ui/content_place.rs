use crd_channels_derive::ApiType;

#[derive(ApiType)]
#[experimental(kube(shortname = "a"))]
#[experimental(schemars(length(max = 8)))]
struct Route {
    #[experimental(kube(shortname = "a"))]
    name: String,
    #[experimental(doc = 5)]
    other: String,
}

#[derive(ApiType)]
enum Mode {
    #[experimental(x_kube(validation = "true"), validate(email))]
    Fast,
}

fn main() {}
