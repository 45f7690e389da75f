// Rules of fields whose struct has the schema of another type: kube puts them on the first property of that.

//# from_of_rules_of_fields
#[derive(Clone, Debug, Deserialize, Serialize, kube::KubeSchema)]
#[serde(from = "std::time::Duration")]
pub struct Inner {
    #[x_kube(validation = ("true", "said"))]
    pub a: Option<u8>,
}
impl From<std::time::Duration> for Inner {
    fn from(_: std::time::Duration) -> Self {
        Self { a: None }
    }
}
KIND
pub struct Spec {
    pub inner: Inner,
}
