// Examples.

//# null
KIND
pub struct Spec {
    #[schemars(example = ())]
    pub a: String,
    #[schemars(example = None::<u8>)]
    pub b: u8,
    #[schemars(extend("example" = null))]
    pub c: u8,
}

//# beside_an_extension
fn without(schema: &mut schemars::Schema) {
    schema.remove("example");
}
fn without_all(schema: &mut schemars::Schema) {
    schema.remove("examples");
}
KIND
pub struct Spec {
    #[schemars(example = 3, extend("example" = 4))]
    pub a: u8,
    #[schemars(example = 3, extend("examples" = [5, 6]))]
    pub b: u8,
    #[schemars(extend("example" = 4, "examples" = []))]
    pub c: u8,
    #[schemars(example = 3, transform = without)]
    pub d: u8,
    #[schemars(example = 3, extend("example" = 4), transform = without_all)]
    pub e: u8,
}
