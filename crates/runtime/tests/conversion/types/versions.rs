//! A kind whose types use every attribute of serde and of the derive, and their conversion by hand.

use crd_channels_runtime::conversion::{Convert, Unconvertible, convert_root};
use kube::CustomResource;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

type Rest = BTreeMap<String, Value>;

fn three() -> i32 {
    3
}

fn bound<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<i32>, D::Error> {
    Option::deserialize(from)
}

/// An enum with the same variants and another way to tell them apart.
macro_rules! tagged {
    ($name:ident, $($serde:tt)*) => {
        #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
        $($serde)*
        pub enum $name {
            Off,
            On(Side),
            Both { left: i32, right: Option<i32> },
            Hidden { why: String },
            Other { left: i32 },
        }
    };
    ($name:ident => $hub:ident, $($serde:tt)*) => {
        #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
        #[convert(hub = v1::$hub, hub_only(Hidden => Off))]
        $($serde)*
        pub enum $name {
            #[convert(to = Off)]
            Former { how: i32 },
            #[serde(rename = "none")]
            Off,
            On(Side),
            Both {
                #[convert(rename = left)]
                first: i32,
                #[convert(rename = right)]
                #[serde(default, rename = "2nd")]
                second: Option<i32>,
            },
            Other {
                #[convert(rename = left)]
                first: i32,
            },
        }

        impl $name {
            fn into_hub(self) -> v1::$hub {
                match self {
                    Self::On(side) => v1::$hub::On(side.into_hub()),
                    Self::Both { first, second } => v1::$hub::Both { left: first, right: second },
                    Self::Other { first } => v1::$hub::Other { left: first },
                    Self::Off | Self::Former { .. } => v1::$hub::Off,
                }
            }

            fn from_hub(hub: v1::$hub) -> Self {
                match hub {
                    v1::$hub::On(side) => Self::On(Side::from_hub(side)),
                    v1::$hub::Both { left, right } => Self::Both { first: left, second: right },
                    v1::$hub::Other { left } => Self::Other { first: left },
                    v1::$hub::Off | v1::$hub::Hidden { .. } => Self::Off,
                }
            }
        }
    };
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Convert, CustomResource, Debug, Deserialize, PartialEq, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1",
        kind = "Shape",
        schema = "disabled"
    )]
    pub struct ShapeSpec {
        pub name: String,
        pub needed: i32,
        #[serde(default = "three")]
        pub spared: i32,
        pub owner: String,
        pub all: Vec<String>,
        pub note: Option<String>,
        pub size: i64,
        pub count: i32,
        pub word: Option<String>,
        pub endpoint: Option<Endpoint>,
        pub low: Option<i32>,
        pub high: i32,
        #[serde(flatten)]
        pub place: Place,
        #[serde(flatten)]
        pub output: Output,
        pub external: External,
        pub internal: Internal,
        pub adjacent: Vec<Adjacent>,
        pub untagged: BTreeMap<String, Untagged>,
        pub nested: Nested,
        pub choice: Choice,
        /// Its absence is no value of the type, but `null` is.
        #[serde(deserialize_with = "bound")]
        pub bound: Option<i32>,
        #[serde(flatten)]
        pub mark: Mark,
        #[serde(flatten)]
        pub rest: Rest,
    }

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    pub enum Choice {
        Nothing,
        On(Side),
    }

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    pub struct Mark {
        pub ink: i32,
    }

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    pub struct Size(pub i64);

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    pub struct Side {
        pub side: Size,
        pub bent: Option<bool>,
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
    pub struct Endpoint {
        pub host: String,
        pub port: Option<u16>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    pub struct Place {
        pub region: Option<String>,
        pub zone: Option<String>,
        #[serde(default)]
        pub floor: i32,
        pub level: i32,
    }

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub enum Output {
        Registry(Side),
        Folder { path: String },
    }

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    pub struct Nested {
        pub plain: i32,
        #[serde(flatten)]
        pub flat: Flat,
        #[serde(flatten)]
        pub held: Held,
    }

    tagged!(Flat, #[serde(tag = "flat")]);
    tagged!(Held, #[serde(tag = "held", content = "holds")]);
    tagged!(External,);
    tagged!(Internal, #[serde(tag = "type")]);
    tagged!(Adjacent, #[serde(tag = "t", content = "c")]);

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    #[serde(untagged)]
    pub enum Untagged {
        On(Side),
        Both { left: i32, right: Option<i32> },
    }
}

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Convert, CustomResource, Debug, Deserialize, PartialEq, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1beta1",
        kind = "Shape",
        schema = "disabled"
    )]
    #[convert(
        hub = v1::ShapeSpec,
        hub_only(owner, all, note, bound),
        map((host, port) => endpoint, with = endpoint),
        map(range => (low, high), with = range)
    )]
    pub struct ShapeSpec {
        #[convert(rename = name)]
        pub title: String,
        #[serde(default = "three")]
        pub needed: i32,
        pub spared: i32,
        #[convert(with = size)]
        pub size: String,
        #[convert(with = count)]
        pub count: Option<i32>,
        #[convert(with = word)]
        #[serde(default)]
        pub word: String,
        pub host: Option<String>,
        pub port: Option<u16>,
        #[serde(default)]
        pub range: Vec<i32>,
        #[convert(skip)]
        pub comment: Option<String>,
        #[convert(skip)]
        pub must: bool,
        #[serde(flatten)]
        pub place: Place,
        #[serde(flatten)]
        pub output: Output,
        pub external: External,
        pub internal: Internal,
        pub adjacent: Vec<Adjacent>,
        pub untagged: BTreeMap<String, Untagged>,
        pub nested: Nested,
        pub choice: Choice,
        #[serde(default)]
        pub mark: Mark,
        #[serde(flatten)]
        pub rest: Rest,
    }

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::Choice)]
    pub enum Choice {
        #[convert(to = Nothing)]
        Former {
            how: i32,
        },
        Nothing,
        On(Side),
    }

    #[derive(Clone, Convert, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::Mark)]
    pub struct Mark {
        pub ink: i32,
    }

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::Size)]
    pub struct Size(#[convert(with = size)] pub String);

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::Side, hub_only(bent))]
    pub struct Side {
        #[convert(rename = side)]
        pub edge: Size,
    }

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::Place, hub_only(level))]
    pub struct Place {
        #[convert(rename = region)]
        pub area: Option<String>,
        #[convert(rename = zone)]
        pub cell: Option<String>,
        #[serde(default)]
        pub floor: i32,
    }

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::Output)]
    pub enum Output {
        #[convert(rename = Registry)]
        #[serde(rename = "store")]
        Store(Side),
        #[serde(rename = "folder")]
        Folder {
            #[convert(rename = path)]
            place: String,
        },
    }

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::Nested)]
    pub struct Nested {
        pub plain: i32,
        #[serde(flatten)]
        pub flat: Flat,
        #[serde(flatten)]
        pub held: Held,
    }

    tagged!(Flat => Flat, #[serde(tag = "kind")]);
    tagged!(Held => Held, #[serde(tag = "held", content = "in")]);
    tagged!(External => External, #[serde(tag = "kind", content = "of")]);
    tagged!(Internal => Internal,);
    tagged!(Adjacent => Adjacent, #[serde(tag = "type")]);

    #[derive(Clone, Convert, Debug, Deserialize, PartialEq, Serialize)]
    #[convert(hub = v1::Untagged)]
    #[serde(untagged)]
    pub enum Untagged {
        On(Side),
        Both {
            #[convert(rename = left)]
            first: i32,
            #[convert(rename = right)]
            second: Option<i32>,
        },
    }

    pub mod size {
        use super::*;

        pub fn to_hub(text: String) -> Result<i64, Unconvertible> {
            let number = text
                .strip_suffix('m')
                .and_then(|number| number.parse().ok());
            number.ok_or_else(|| Unconvertible::new(format!("`{text}` is no size")))
        }

        pub fn from_hub(size: i64) -> Result<String, Unconvertible> {
            Ok(format!("{size}m"))
        }
    }

    mod count {
        use super::*;

        pub fn to_hub(count: Option<i32>) -> Result<i32, Unconvertible> {
            Ok(count.unwrap_or(-1))
        }

        pub fn from_hub(count: i32) -> Result<Option<i32>, Unconvertible> {
            Ok(Some(count).filter(|count| *count >= 0))
        }
    }

    mod word {
        use super::*;

        pub fn to_hub(word: String) -> Result<Option<String>, Unconvertible> {
            Ok(Some(word).filter(|word| !word.is_empty()))
        }

        pub fn from_hub(word: Option<String>) -> Result<String, Unconvertible> {
            Ok(word.unwrap_or_default())
        }
    }

    mod endpoint {
        use super::*;

        pub fn to_hub(
            host: Option<String>,
            port: Option<u16>,
        ) -> Result<Option<v1::Endpoint>, Unconvertible> {
            Ok(host.map(|host| v1::Endpoint { host, port }))
        }

        pub fn from_hub(
            endpoint: Option<v1::Endpoint>,
        ) -> Result<(Option<String>, Option<u16>), Unconvertible> {
            Ok(endpoint.map_or((None, None), |endpoint| {
                (Some(endpoint.host), endpoint.port)
            }))
        }
    }

    mod range {
        use super::*;

        pub fn to_hub(range: Vec<i32>) -> Result<(Option<i32>, i32), Unconvertible> {
            Ok((range.first().copied(), range.get(1).copied().unwrap_or(9)))
        }

        pub fn from_hub(low: Option<i32>, high: i32) -> Result<Vec<i32>, Unconvertible> {
            Ok(low.into_iter().flat_map(|low| [low, high]).collect())
        }
    }

    impl Side {
        pub fn into_hub(self) -> v1::Side {
            v1::Side {
                side: v1::Size(size::to_hub(self.edge.0).unwrap()),
                bent: None,
            }
        }

        pub fn from_hub(hub: v1::Side) -> Self {
            Self {
                edge: Size(size::from_hub(hub.side.0).unwrap()),
            }
        }
    }

    impl ShapeSpec {
        pub fn into_hub(self) -> v1::ShapeSpec {
            let (low, high) = range::to_hub(self.range).unwrap();
            v1::ShapeSpec {
                name: self.title,
                needed: self.needed,
                spared: self.spared,
                owner: String::new(),
                all: Vec::new(),
                note: None,
                size: size::to_hub(self.size).unwrap(),
                count: count::to_hub(self.count).unwrap(),
                word: word::to_hub(self.word).unwrap(),
                endpoint: endpoint::to_hub(self.host, self.port).unwrap(),
                low,
                high,
                place: v1::Place {
                    region: self.place.area,
                    zone: self.place.cell,
                    floor: self.place.floor,
                    level: 0,
                },
                output: match self.output {
                    Output::Store(side) => v1::Output::Registry(side.into_hub()),
                    Output::Folder { place } => v1::Output::Folder { path: place },
                },
                external: self.external.into_hub(),
                internal: self.internal.into_hub(),
                adjacent: self.adjacent.into_iter().map(Adjacent::into_hub).collect(),
                untagged: self
                    .untagged
                    .into_iter()
                    .map(|(key, value)| {
                        (
                            key,
                            match value {
                                Untagged::On(side) => v1::Untagged::On(side.into_hub()),
                                Untagged::Both { first, second } => v1::Untagged::Both {
                                    left: first,
                                    right: second,
                                },
                            },
                        )
                    })
                    .collect(),
                nested: v1::Nested {
                    plain: self.nested.plain,
                    flat: self.nested.flat.into_hub(),
                    held: self.nested.held.into_hub(),
                },
                choice: match self.choice {
                    Choice::On(side) => v1::Choice::On(side.into_hub()),
                    Choice::Nothing | Choice::Former { .. } => v1::Choice::Nothing,
                },
                bound: None,
                mark: v1::Mark { ink: self.mark.ink },
                rest: self.rest,
            }
        }

        pub fn from_hub(hub: v1::ShapeSpec) -> Self {
            let (host, port) = endpoint::from_hub(hub.endpoint).unwrap();
            Self {
                title: hub.name,
                needed: hub.needed,
                spared: hub.spared,
                size: size::from_hub(hub.size).unwrap(),
                count: count::from_hub(hub.count).unwrap(),
                word: word::from_hub(hub.word).unwrap(),
                host,
                port,
                range: range::from_hub(hub.low, hub.high).unwrap(),
                comment: None,
                must: false,
                place: Place {
                    area: hub.place.region,
                    cell: hub.place.zone,
                    floor: hub.place.floor,
                },
                output: match hub.output {
                    v1::Output::Registry(side) => Output::Store(Side::from_hub(side)),
                    v1::Output::Folder { path } => Output::Folder { place: path },
                },
                external: External::from_hub(hub.external),
                internal: Internal::from_hub(hub.internal),
                adjacent: hub.adjacent.into_iter().map(Adjacent::from_hub).collect(),
                untagged: hub
                    .untagged
                    .into_iter()
                    .map(|(key, value)| {
                        (
                            key,
                            match value {
                                v1::Untagged::On(side) => Untagged::On(Side::from_hub(side)),
                                v1::Untagged::Both { left, right } => Untagged::Both {
                                    first: left,
                                    second: right,
                                },
                            },
                        )
                    })
                    .collect(),
                nested: Nested {
                    plain: hub.nested.plain,
                    flat: Flat::from_hub(hub.nested.flat),
                    held: Held::from_hub(hub.nested.held),
                },
                choice: match hub.choice {
                    v1::Choice::On(side) => Choice::On(Side::from_hub(side)),
                    v1::Choice::Nothing => Choice::Nothing,
                },
                mark: Mark { ink: hub.mark.ink },
                rest: hub.rest,
            }
        }
    }
}

convert_root!(v1beta1::Shape => v1::Shape { spec });
