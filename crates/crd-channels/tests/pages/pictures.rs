//! The pictures of a terminal show what the program prints.

use super::root;
use super::support::Workspace;
use std::fs;

/// What is typed in a workspace with some files, and shown as a picture.
struct Scene {
    name: &'static str,
    files: &'static str,
    arguments: &'static [&'static str],
}

const SCENES: [Scene; 2] = [
    Scene {
        name: "error",
        files: r#"//- channels/bundle.toml
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
"#,
        arguments: &["gen-crds"],
    },
    Scene {
        name: "plan",
        files: r#"//- before/routes.yaml
apiVersion: apiextensions.k8s.io/v1
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
//- after/routes.yaml
apiVersion: apiextensions.k8s.io/v1
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
              hostnames: { type: array, maxItems: 2, items: { type: string } }
//- objects/web.yaml
apiVersion: edge.example.dev/v1
kind: Route
metadata:
  name: web
  namespace: shop
spec:
  hostnames: [a.example.dev, b.example.dev, c.example.dev]
  retries: 3
"#,
        arguments: &["plan", "--before", "before", "--after", "after", "objects"],
    },
];

/// `PAGES_RECORD=1` draws them again.
#[test]
fn terminals_show_what_is_printed() {
    for scene in SCENES {
        let workspace = Workspace::new(scene.files);
        let arguments = [&["--color", "always"], scene.arguments].concat();
        let ran = workspace.run(&arguments);
        let typed = scene.arguments.join(" ");
        let text = format!("$ crd-channels {typed}\n{}{}", ran.stderr, ran.stdout);
        let drawn = anstyle_svg::Term::new().render_svg(&text);
        let path = root().join(format!("docs/pictures/{}.svg", scene.name));
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
