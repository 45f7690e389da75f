use crd_channels_derive::ApiType;

#[derive(ApiType)]
#[crd(allow(float, phase, reason = "as it always was"))]
#[crd(deny(untyped-list, reason = "ours are typed"), allow(untyped-list, reason = "some are not"))]
struct Accepted {
    #[crd(allow(untyped-list))]
    a: Vec<String>,
    #[crd(allow(untyped-lists, reason = "they are few"))]
    b: Vec<String>,
    #[crd(allow("untyped-list", reason = "they are few"), warn(reason = "why not"))]
    c: Vec<String>,
    #[crd(deny(float, reason = ""), allow(phase, why = "so"), allow = "float", warn(float large))]
    d: String,
}

fn main() {}
