use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(x_kube(merge_strategy = ListMerge::Set))]
    names: Vec<String>,
    #[experimental(x_kube(validations = "true"))]
    other: String,
}

fn main() {}
