//! The pictures of a terminal show what the program prints.

use super::root;
use super::support::Workspace;
use std::fs;

/// A rule of the stable channel that reads an experimental field.
const TYPES: &str = r#"//- channels/bundle.toml
conventions = "kubernetes"
packages = ["demo"]
//- src/lib.rs
//! An API.

/// Where requests go.
#[derive(kube::CustomResource, kube::KubeSchema, crd_channels_derive::ApiType)]
#[kube(group = "edge.example.dev", version = "v1", kind = "Route", namespaced)]
#[x_kube(validation = Rule::new("has(self.timeout)"))]
pub struct RouteSpec {
    /// Host names that the route answers to.
    pub hostnames: Vec<String>,
    /// How long a request may take.
    #[experimental]
    pub timeout: Option<String>,
}
"#;

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: routes.edge.example.dev }
spec:
  group: edge.example.dev
  scope: Namespaced
  names: { kind: Route, plural: routes, singular: route }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              hostnames: { type: array, items: { type: string } }
              retries: { type: integer }
";

const OBJECT: &str = "apiVersion: edge.example.dev/v1
kind: Route
metadata:
  name: web
  namespace: shop
spec:
  hostnames: [a.example.dev, b.example.dev, c.example.dev]
  retries: 3
";

/// A workspace where an update drops a field, and bounds another one.
fn before_an_update() -> Workspace {
    let workspace = Workspace::new("");
    workspace.write("before/routes.yaml", CRD);
    let after = CRD
        .replace("type: array", "type: array, maxItems: 2")
        .replace("              retries: { type: integer }\n", "");
    workspace.write("after/routes.yaml", after);
    workspace.write("objects/web.yaml", OBJECT);
    workspace
}

/// `PAGES_RECORD=1` draws them again.
#[test]
fn terminals_show_what_is_printed() {
    let types = Workspace::new(TYPES);
    let plan = "plan --before before --after after objects";
    for (name, workspace, typed) in [
        ("error", types, "gen-crds"),
        ("plan", before_an_update(), plan),
    ] {
        let words = ["--color", "always"].into_iter();
        let arguments: Vec<&str> = words.chain(typed.split(' ')).collect();
        let ran = workspace.run(&arguments);
        let text = format!("$ crd-channels {typed}\n{}{}", ran.stderr, ran.stdout);
        let drawn = anstyle_svg::Term::new().render_svg(&text);
        let path = root().join(format!("docs/pictures/{}.svg", name));
        if std::env::var_os("PAGES_RECORD").is_some() {
            fs::write(&path, &drawn).unwrap();
        }
        let there = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            there == drawn,
            "{} is not what is printed now; PAGES_RECORD=1 draws it",
            path.display()
        );
    }
}
