use crd_channels_derive::ApiType;

#[derive(ApiType)]
#[repr(C)]
union Either {
    a: u32,
    b: i32,
}

fn main() {}
