use crd_channels_derive::ApiType;

#[derive(ApiType)]
#[crd(exactly_one_of("a"), at_most_one_of("a", "a"), at_least_one_of = "a")]
#[crd(list_kind = "routes", immutable)]
struct Route {
    #[crd(list_type = "map")]
    a: Vec<String>,
    #[crd(list_type = "set", list_map_keys("name"))]
    b: Vec<String>,
    #[crd(list_type = "unordered", map_type = "granular", struct_type = "atomic")]
    c: Vec<String>,
    #[crd(embedded_resource, embedded_metadata)]
    d: String,
    #[crd(external_docs(description = "x"), external_docs(url = "example.dev"))]
    e: String,
    #[crd(inner(immutable), title = "", imutable)]
    f: Vec<String>,
    #[experimental(crd(title = "x"))]
    g: String,
    #[crd(deprecated = " ")]
    h: String,
}

#[derive(ApiType)]
#[crd(exactly_one_of("a", "b"), deprecated = "use `Speed`")]
enum Mode {
    Fast {
        #[crd(immutable)]
        speed: u8,
    },
    Slow(#[crd(title = "x")] String),
}

fn main() {}
