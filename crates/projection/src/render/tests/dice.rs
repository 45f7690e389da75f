//! Random types.

use super::*;
use serde_json::json;

/// A deterministic source of small numbers.
pub(super) struct Dice(pub u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn one_in(&mut self, sides: u64) -> bool {
        self.roll(sides) == 0
    }

    fn facets(&mut self) -> Conditional<Facets> {
        let mut facets = Facets::default();
        if self.one_in(3) {
            facets.doc = Some(["One", "# Two", "# Three\nfour"][self.roll(3) as usize].into());
        }
        if self.one_in(4) {
            facets.max_length = Some(self.roll(9));
        }
        if self.one_in(5) {
            facets.minimum = Some(self.roll(9).into());
        }
        if self.one_in(6) {
            facets.inner = Some(Box::new(Facets {
                max_length: Some(self.roll(9)),
                ..Facets::default()
            }));
        }
        if self.one_in(12) {
            facets.extend = vec![("x-kubernetes-preserve-unknown-fields".into(), json!(true))];
        }
        if self.one_in(12) {
            facets.extend = vec![("x-kubernetes-int-or-string".into(), json!(true))];
        }
        always(facets)
    }

    fn common(&mut self) -> Conditional<Facets> {
        let mut facets = Facets::default();
        if self.one_in(3) {
            facets.doc = Some(["Five", "Six"][self.roll(2) as usize].into());
        }
        always(facets)
    }

    fn field(&mut self, depth: u64) -> Field {
        let ty = self.ty(depth);
        let name = ["a", "b", "c", "d", "e", "f", "g", "h"][self.roll(8) as usize];
        if self.one_in(5) {
            return flat(ty);
        }
        let defaulted = self.one_in(6);
        Field {
            optional: defaulted || matches!(ty.shape, Shape::Option(_)),
            default: defaulted.then(|| json!(1)),
            facets: self.facets(),
            ..field(name, ty)
        }
    }

    fn body(&mut self, depth: u64) -> Struct {
        let mut names = BTreeSet::new();
        let fields = (0..self.roll(4))
            .map(|_| self.field(depth))
            .collect::<Vec<_>>();
        body(
            fields
                .into_iter()
                .filter(|field| field.flatten || names.insert(field.name.clone())),
        )
    }

    pub(super) fn ty(&mut self, depth: u64) -> Arc<Type> {
        if depth == 0 {
            return match self.roll(8) {
                0 => int(32, true),
                1 => int(16, false),
                2 => scalar(Scalar::Double),
                3 => any(),
                4 => scalar(Scalar::Bool),
                _ => string(),
            };
        }
        let depth = depth - 1;
        match self.roll(10) {
            0 => option(self.ty(depth)),
            1 => list(self.ty(depth)),
            2 => set(self.ty(depth)),
            3 => map(string(), self.ty(depth)),
            4 | 5 => {
                let mut body = self.body(depth);
                // serde refuses both on one struct.
                let flattens = body.fields.iter().any(|field| field.flatten);
                body.deny_unknown = !flattens && self.one_in(4);
                self.named_type(Shape::Struct(body))
            }
            6 => {
                let inner = Field {
                    facets: self.facets(),
                    ..field("0", self.ty(depth))
                };
                self.named_type(Shape::Newtype(Box::new(inner)))
            }
            7 | 8 => {
                let def = self.choice(depth);
                self.named_type(Shape::Enum(def))
            }
            _ => self.ty(0),
        }
    }

    fn named_type(&mut self, shape: Shape) -> Arc<Type> {
        Arc::new(Type {
            facets: self.common(),
            ..Type::clone(&made("Named", shape))
        })
    }

    fn choice(&mut self, depth: u64) -> Enum {
        let tagging = match self.roll(8) {
            0 => Tagging::Internal { tag: "t".into() },
            1 => Tagging::Adjacent {
                tag: "t".into(),
                content: "a".into(),
            },
            2 | 3 => Tagging::Untagged,
            _ => Tagging::External,
        };
        let all_units = self.one_in(3);
        let variants: Vec<Variant> = (0..=self.roll(4))
            .map(|index| {
                let name = ["A", "B", "C", "D", "E"][index as usize];
                let content = match self.roll(6) {
                    _ if all_units => Content::Unit,
                    0 => Content::Unit,
                    1 | 2 => Content::Newtype(Box::new(Field {
                        facets: self.facets(),
                        ..field("0", self.ty(depth))
                    })),
                    3 => Content::With(self.ty(depth)),
                    _ => Content::Struct(self.body(depth)),
                };
                Variant {
                    facets: self.common(),
                    untagged: self.one_in(20),
                    ..variant(name, content)
                }
            })
            .collect();
        let flattens = variants.iter().any(|variant| match &variant.content {
            Content::Struct(body) => body.fields.iter().any(|field| field.flatten),
            _ => false,
        });
        Enum {
            tagging,
            variants,
            deny_unknown: !flattens && self.one_in(4),
            skipped: Vec::new(),
        }
    }
}
