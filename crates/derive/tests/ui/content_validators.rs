use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct Route {
    #[experimental(validate(lengthy(max = 8)))]
    a: String,
    #[experimental(validate(nested))]
    b: String,
    #[experimental(garde(regex(path = "A")))]
    c: String,
}

fn main() {}
