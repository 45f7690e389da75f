use crd_channels_derive::ApiType;

#[derive(ApiType)]
struct RouteStatus {
    #[crd(conditions = RouteCondtion)]
    conditions: Vec<()>,
}

enum RouteCondition {}

fn main() {}
