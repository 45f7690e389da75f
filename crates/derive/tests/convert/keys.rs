//! Keys of `#[convert(..)]` that are unknown, missing or repeated.

use crd_channels_derive::Convert;

mod v1 {
    pub struct Route {
        pub host: String,
    }
    pub enum Mode {
        Forward,
    }
}

#[derive(Convert)]
#[convert(hub_only(retries))]
struct NoHub {
    host: String,
}

#[derive(Convert)]
struct NoHubOfAField {
    #[convert(rename = host)]
    hostname: String,
}

#[derive(Convert)]
#[convert(hub = v1::Route, map((host, port) => endpoint))]
struct MapWithoutModule {
    host: String,
    port: u16,
}

#[derive(Convert)]
#[convert(hub = v1::Route, spoke = v1::Route)]
struct UnknownOnType {
    host: String,
}

#[derive(Convert)]
#[convert(hub = v1::Route, hub = v1::Route)]
struct Twice {
    host: String,
}

#[derive(Convert)]
#[convert(hub = v1::Route)]
struct UnknownOnField {
    #[convert(name = host)]
    hostname: String,
}

#[derive(Convert)]
#[convert(hub = v1::Route)]
struct Both {
    #[convert(same, skip)]
    host: String,
}

#[derive(Convert)]
#[convert(hub = v1::Route)]
struct SkippedAndRenamed {
    #[convert(rename = host, skip)]
    hostname: String,
}

#[derive(Convert)]
#[convert(hub = v1::Mode)]
enum UnknownOnVariant {
    #[convert(becomes = Forward)]
    Bounce,
}

#[derive(Convert)]
#[convert(hub = v1::Mode)]
enum Doubled {
    Forward,
    #[convert(rename = Forward)]
    Legacy,
}

fn main() {}
