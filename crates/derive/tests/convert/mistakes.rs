//! The types of the hub and of the spoke do not fit together.

use crd_channels_runtime::conversion::{Convert, Unconvertible};
use serde::{Deserialize, Serialize};

mod v1 {
    use super::*;

    #[derive(Convert, Deserialize, Serialize)]
    pub struct Route {
        pub host: String,
        pub retries: i64,
    }

    #[derive(Convert, Deserialize, Serialize)]
    pub enum Mode {
        Forward,
        Mirror { target: String },
    }

    #[derive(Deserialize, Serialize)]
    pub struct Port(pub u16);

    #[derive(Convert, Deserialize, Serialize)]
    pub struct Service {
        pub port: Port,
    }

    #[derive(Deserialize, Serialize)]
    pub struct NotDerived {
        pub host: String,
    }
}

#[derive(Convert, Deserialize, Serialize)]
#[convert(hub = v1::Route)]
struct ForgottenField {
    host: String,
}

#[derive(Convert, Deserialize, Serialize)]
#[convert(hub = v1::Mode)]
enum ForgottenVariant {
    Forward,
}

#[derive(Convert, Deserialize, Serialize)]
#[convert(hub = v1::Mode)]
enum ForgottenFieldOfAVariant {
    Forward,
    Mirror {},
}

#[derive(Convert, Deserialize, Serialize)]
#[convert(hub = v1::Route)]
struct OtherType {
    host: String,
    retries: i32,
}

#[derive(Convert, Deserialize, Serialize)]
#[convert(hub = v1::Route, hub_only(retries))]
struct Misspelt {
    #[convert(rename = hots)]
    host: String,
}

#[derive(Convert, Deserialize, Serialize)]
#[convert(hub = v1::Service, hub_only(port))]
struct WithoutDefault {}

#[derive(Convert, Deserialize, Serialize)]
#[convert(hub = v1::Route)]
struct OtherFunctions {
    host: String,
    #[convert(with = number)]
    retries: String,
}

mod number {
    use super::Unconvertible;

    pub fn to_hub(text: String) -> Result<i32, Unconvertible> {
        text.parse().map_err(|_| Unconvertible::new("not a number"))
    }

    pub fn from_hub(number: i32) -> Result<String, Unconvertible> {
        Ok(number.to_string())
    }
}

#[derive(Convert, Deserialize, Serialize)]
#[convert(hub = v1::NotDerived)]
struct HubWithoutDerive {
    host: String,
}

#[derive(Convert, Deserialize, Serialize)]
#[convert(hub = v1::Mode, hub_only(Mirorr => Forward))]
enum MisspeltVariant {
    Forward,
}

fn main() {}
