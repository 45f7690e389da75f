//! Types that cannot be converted field by field.

use crd_channels_derive::Convert;

mod v1 {
    pub struct Route {
        pub host: String,
        pub retries: u8,
    }
    pub enum Mode {
        Forward,
        Mirror,
    }
}

#[derive(Convert)]
#[convert(hub = v1::Route)]
struct Generic<T> {
    host: T,
}

#[derive(Convert)]
#[convert(hub = v1::Route)]
union Union {
    host: u8,
}

#[derive(Convert)]
#[convert(hub = v1::Route, hub_only(retries => host))]
struct ShownAsAField {
    #[convert(same)]
    host: String,
}

#[derive(Convert)]
#[convert(hub = v1::Mode, hub_only(Mirror))]
enum NotShown {
    Forward,
}

#[derive(Convert)]
#[convert(hub = v1::Mode, hub_only(Mirror => Straight))]
enum ShownAsAnother {
    Forward,
}

#[derive(Convert)]
#[convert(hub = v1::Route)]
struct Tuple(u8, u8);

#[derive(Convert)]
#[convert(hub = v1::Route)]
#[serde(try_from = "String")]
struct OtherJson {
    host: String,
}

#[derive(Convert)]
#[convert(hub = v1::Mode, map(host => port, with = module))]
enum MapOfAnEnum {
    Forward,
}

fn main() {}
