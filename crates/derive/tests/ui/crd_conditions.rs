use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct RouteStatus {
    #[crd(conditions = "RouteCondition")]
    text: Vec<()>,
    #[crd(conditions = 1)]
    number: Vec<()>,
}

#[derive(ApiType)]
#[crd(conditions = RouteCondition)]
struct Conditions(Vec<()>);

enum RouteCondition {}

fn main() {}
