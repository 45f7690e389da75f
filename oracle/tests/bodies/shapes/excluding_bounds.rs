// Bounds that exclude each other, of which validator's and garde's attributes keep the first.

//# equal
KIND
pub struct Spec {
    #[validate(length(equal = 2, min = 1))]
    pub a: String,
    #[validate(length(min = 1, equal = 2))]
    pub b: String,
    #[garde(length(equal = 2, max = 5))]
    pub c: String,
    #[garde(length(max = 5, equal = 2))]
    pub d: Vec<String>,
}
