use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(schemars(extend("x-kubernetes-list-type" = "set")))]
    names: Vec<String>,
    #[experimental(schemars(extend("maxItem" = 8, "minItems" = 1, "minItems" = 2)))]
    other: Vec<String>,
}

fn main() {}
