//! All ways by which an expression can get from a variable to a declared node below it.

use crd_channels_cel::types::{Declarations, NodeId, Type};
use crd_channels_validation::path::Path;
use crd_channels_validation::schema::{Faults, JsonNode, decode_schema, described};
use serde_json::Value;

/// The maximum number of steps in a way.
const LONGEST: usize = 4;
/// The maximum number of ways from one variable.
const MOST: usize = 150;

/// The declarations of a node's schema.
pub struct Declared {
    declarations: Declarations,
    itself: NodeId,
}

/// A text, and its type.
pub type Way = (String, Type);

impl Declared {
    /// `None` if expressions cannot read the node.
    pub fn of_schema(schema: &Value, is_resource: bool) -> Option<Self> {
        let path = Path::root("self");
        let schema = decode_schema(&mut Faults::default(), JsonNode::new(schema, &path));
        let mut declarations = Declarations::default();
        let itself = declarations.declare(&described(&schema, is_resource))?;
        Some(Self {
            declarations,
            itself,
        })
    }

    /// The type of `self`.
    pub fn ty(&self) -> Type {
        self.declarations.ty(self.itself)
    }

    /// The variable itself, and everything that can be read below it.
    pub fn ways(&self, variable: &str, ty: &Type) -> Vec<Way> {
        let mut found = vec![(variable.to_owned(), ty.clone())];
        let (mut done, mut steps) = (0, 0);
        // Shorter ways first, so that all fields of the variable are included.
        while steps < LONGEST && done < found.len() && found.len() < MOST {
            let level = done..found.len();
            done = level.end;
            for at in level {
                let (text, ty) = found[at].clone();
                self.step(&text, &ty, &mut found);
            }
            steps += 1;
        }
        found.truncate(MOST);
        found
    }

    fn step(&self, text: &str, ty: &Type, found: &mut Vec<Way>) {
        match ty {
            Type::Object(object) => {
                for (name, ty) in self.fields(*object) {
                    found.push((format!("{text}.{name}"), ty.clone()));
                    found.push((format!("has({text}.{name})"), Type::Bool));
                    found.push((format!("{text}.?{name}"), Type::optional(ty)));
                }
            }
            Type::List(item) => {
                found.push((format!("{text}[0]"), (**item).clone()));
                found.push((format!("{text}[?1]"), Type::optional((**item).clone())));
            }
            Type::Map(entry) if entry.0 == Type::String => {
                found.push((format!("{text}['a']"), entry.1.clone()));
                found.push((format!("{text}[?'a']"), Type::optional(entry.1.clone())));
            }
            Type::Optional(inner) => {
                if let Type::Object(object) = **inner {
                    for (name, ty) in self.fields(object) {
                        found.push((format!("{text}.{name}"), Type::optional(ty)));
                    }
                }
            }
            _ => {}
        }
    }

    fn fields(&self, object: NodeId) -> Vec<Way> {
        let names = self.declarations.fields(object);
        let mut fields: Vec<Way> = names
            .filter_map(|name| {
                let field = self.declarations.field(object, name)?;
                Some((name.to_owned(), self.declarations.ty(field.node)))
            })
            .collect();
        fields.sort_by(|one, other| one.0.cmp(&other.0));
        fields
    }
}
