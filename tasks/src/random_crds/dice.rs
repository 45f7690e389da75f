//! Random kinds. Rules are chosen from templates that are well typed and cheap.

use crd_channels_diagnostics::{Spanned, Text};
use crd_channels_projection::channel::builders::{
    choice, defaulted, draft, field, list, map, named_type, object, option, root, spanned, string,
    values, variant,
};
use crd_channels_schema::draft::{
    Content, Deprecation, Draft, Facets, Field, IntKind, Scalar, Shape, Struct, Tagging, Type,
    Variant, WellKnown,
};
use crd_channels_schema::marks::Marks;
use crd_channels_schema::{Column, ListType, MapType, Merge, Notes, Rule, Scale};
use serde_json::json;
use std::sync::Arc;

/// A source of small numbers, the same on every run.
pub(super) struct Dice(u64);

fn rule(text: &str) -> Rule {
    Rule {
        rule: text.into(),
        ..Rule::default()
    }
}

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        dice.roll(2);
        dice
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.roll(all.len())].clone()
    }

    /// A kind with one version.
    pub(super) fn draft(&mut self) -> Draft {
        let mut spec = self.fields(3);
        let mut status = self.fields(2);
        let scaled = self.one_in(4);
        if scaled {
            spec.push(field("replicas", scalar(int(32, true))));
            status.push(field("replicas", option(scalar(int(32, true)))));
        }
        spec.push(field("colour", string()));
        let mut spec = field("spec", object("WidgetSpec", spec));
        self.say_of_struct(&mut spec);
        let fields = vec![
            spec,
            field("status", option(object("WidgetStatus", status))),
        ];
        let mut draft = Draft {
            status: self.one_in(2) || scaled,
            root: Some(root(fields)),
            ..draft(
                "example.com",
                self.pick(&["v1", "v1beta1", "v2alpha3"]),
                "Widget",
            )
        };
        let span = draft.span;
        draft.facets.always.scale = scaled.then(|| {
            let value = Scale {
                spec_replicas_path: ".spec.replicas".into(),
                status_replicas_path: ".status.replicas".into(),
                label_selector_path: None,
            };
            Spanned { value, span }
        });
        let facets = &mut draft.facets.always;
        if self.one_in(3) {
            facets.short_names.push(spanned("wg"));
            facets.categories.push(spanned("all"));
        }
        if self.one_in(3) {
            let value = Column {
                name: "Colour".into(),
                ty: "string".into(),
                format: None,
                description: None,
                priority: Some(1),
                json_path: ".spec.colour".into(),
            };
            facets.columns.push(Spanned { value, span });
        }
        if self.one_in(3) {
            let value = ".spec.colour".into();
            facets.selectable_fields.push(Spanned { value, span });
        }
        if self.one_in(5) {
            let warning = self.one_in(2).then(|| "use another".into());
            facets.deprecated = Some(Deprecation { warning, span });
        }
        if self.one_in(4) {
            facets.rules.push(rule("self.metadata.name.size() > 0"));
        }
        draft
    }

    /// Adds properties that only objects have.
    fn say_of_struct(&mut self, field: &mut Field) {
        let facets = &mut field.facets.always;
        if self.one_in(3) {
            facets.extend.push(("minProperties".into(), json!(0)));
            facets
                .extend
                .push(("maxProperties".into(), json!(self.roll(9) + 9)));
        }
        if self.one_in(3) {
            facets.rules.push(Rule {
                message_expression: Some("'colour ' + self.colour.substring(0, 0)".into()),
                field_path: Some(".colour".into()),
                reason: Some("FieldValueForbidden".into()),
                ..rule("self.colour != 'zzz'")
            });
        }
        if self.one_in(4) {
            facets.rules.push(Rule {
                optional_old_self: Some(true),
                message: Some("it stays".into()),
                ..rule("!oldSelf.hasValue() || oldSelf.value().colour == self.colour")
            });
        }
        if self.one_in(4) {
            let junctor = self.pick(&["allOf", "anyOf", "oneOf", "not"]);
            let branch = json!({"required": ["zzz"]});
            let value = match junctor {
                "not" => branch,
                "oneOf" => json!([branch, {"required": ["colour"]}]),
                _ => json!([{"required": ["colour"]}]),
            };
            facets.extend.push((junctor.into(), value));
        }
    }

    fn fields(&mut self, depth: usize) -> Vec<Field> {
        let names = ["a", "b-c", "c.d", "d", "e", "fGh", "h", "namespace"];
        let start = self.roll(names.len());
        let count = self.roll(4);
        let chosen = names.iter().cycle().skip(start).take(count);
        chosen.map(|name| self.field(name, depth)).collect()
    }

    fn field(&mut self, name: &str, depth: usize) -> Field {
        let mut made = match self.roll(if depth == 0 { 5 } else { 12 }) {
            0 => self.text(name),
            1 => self.number(name),
            2 => field(name, scalar(Scalar::Bool)),
            3 => self.opaque(name),
            4 => self.plain_enum(name),
            5 | 6 => self.list(name, depth - 1),
            7 => self.map(name, depth - 1),
            8 => {
                let variants = self.variants(depth - 1);
                let tagging = self.pick(&[
                    Tagging::External,
                    Tagging::Internal { tag: "type".into() },
                    Tagging::Adjacent {
                        tag: "type".into(),
                        content: "of".into(),
                    },
                    Tagging::Untagged,
                ]);
                field(name, choice("Choice", tagging, variants))
            }
            _ => self.structure(name, depth - 1),
        };
        if made.default.is_none() && self.one_in(3) {
            made.ty = option(made.ty);
            made.optional = true;
            made.nullable = self.one_in(4);
        }
        let facets = &mut made.facets.always;
        if self.one_in(3) {
            facets.doc = Some(
                self.pick(&["What it is.", "# Title\nWhat it is.", "Über\n\n* a: b"])
                    .into(),
            );
        }
        if self.one_in(6) {
            facets.title = Some("Title".into());
        }
        if self.one_in(6) {
            facets.example = Some(json!({"a": [1, "b"]}));
        }
        if self.one_in(8) {
            let marks = facets.marks.get_or_insert_default();
            marks.notes = Notes {
                example: None,
                docs_url: Some("https://example.com".into()),
                docs_description: self.one_in(2).then(|| "more".into()),
            };
        }
        made
    }

    fn text(&mut self, name: &str) -> Field {
        let scalar_of = self.pick(&[
            Scalar::String,
            Scalar::Char,
            Scalar::Formatted("date-time"),
            Scalar::Formatted("uuid"),
            Scalar::Patterned("^[a-z]*$"),
        ]);
        let plain = scalar_of == Scalar::String;
        let mut made = field(name, scalar(scalar_of));
        let facets = &mut made.facets.always;
        if plain && self.one_in(2) {
            facets.min_length = Some(self.roll(2) as u64);
            facets.max_length = Some(self.roll(50) as u64 + 8);
        }
        if plain && self.one_in(4) {
            facets.pattern = Some(self.pick(&["^[a-z]+$", "a|b", "^(?i:x)*"]).into());
        }
        if plain && self.one_in(4) {
            facets.format = Some(self.pick(&["email", "uri", "ipv4"]).into());
        }
        if plain && self.one_in(4) {
            facets.rules.push(Rule {
                message: Some("not that".into()),
                ..rule(self.pick(&["self != 'zzz'", "self.size() < 1000"]))
            });
        }
        let free = made.facets.always == Facets::default();
        match (plain, self.roll(4)) {
            (true, 0) if free => defaulted(made, json!("some")),
            _ => made,
        }
    }

    fn number(&mut self, name: &str) -> Field {
        let ty = self.pick(&[
            int(8, false),
            int(16, true),
            int(32, true),
            int(64, false),
            int(64, true),
            Scalar::Float,
            Scalar::Double,
        ]);
        let mut made = field(name, scalar(ty));
        let facets = &mut made.facets.always;
        if self.one_in(3) {
            facets.minimum = Some((self.roll(3) as u64).into());
            facets.maximum = Some((self.roll(90) as u64 + 10).into());
        }
        if self.one_in(3) {
            let more = [
                ("exclusiveMinimum", json!(true)),
                ("minimum", json!(-1)),
                ("exclusiveMaximum", json!(true)),
                ("maximum", json!(100)),
                ("multipleOf", json!(1)),
            ];
            facets.extend = more.map(|(key, value)| (Text::from(key), value)).into();
        }
        if self.one_in(4) && matches!(ty, Scalar::Int(_)) {
            facets.rules.push(rule("self != 77"));
        }
        if self.one_in(4) {
            return defaulted(made, json!(5));
        }
        made
    }

    /// A field without a single type.
    fn opaque(&mut self, name: &str) -> Field {
        match self.roll(3) {
            0 => field(name, named_type("Value", Shape::Any)),
            1 => {
                let mut made = field(name, named_type("Value", Shape::Any));
                made.facets
                    .always
                    .marks
                    .get_or_insert_default()
                    .embedded_resource = true;
                made
            }
            _ => {
                let ty = named_type(
                    "IntOrString",
                    Shape::Literal(crd_channels_schema::draft::Literal::Value(
                        json!({"x-kubernetes-int-or-string": true}),
                    )),
                );
                let ty = Arc::new(Type {
                    well_known: Some(WellKnown::IntOrString),
                    ..Type::clone(&ty)
                });
                field(name, ty)
            }
        }
    }

    fn plain_enum(&mut self, name: &str) -> Field {
        let names = ["A", "B", "on", "1"];
        let count = self.roll(names.len()) + 1;
        let ty = values(
            "Mode",
            names.iter().take(count).map(|name| variant(name)).collect(),
        );
        let made = field(name, ty);
        if self.one_in(4) {
            return defaulted(made, json!("A"));
        }
        made
    }

    fn list(&mut self, name: &str, depth: usize) -> Field {
        let (items, ty) = match self.roll(4) {
            0 => (string(), ListType::Set),
            1 => {
                let mut fields = vec![field("name", string())];
                fields.extend(
                    self.fields(depth)
                        .into_iter()
                        .filter(|field| &*field.name != "name"),
                );
                (object("Item", fields), ListType::Map)
            }
            _ => (self.field("items", depth).ty, ListType::Atomic),
        };
        let mut made = field(name, list(items));
        let bounded = self.one_in(2);
        let facets = &mut made.facets.always;
        if bounded {
            facets.min_length = Some(0);
            facets.max_length = Some(self.roll(20) as u64 + 4);
        }
        if self.one_in(2) || ty == ListType::Map {
            facets.list_type = Some(ty);
            if ty == ListType::Map {
                facets.list_map_keys = vec!["name".into()];
            }
        }
        if self.one_in(4) {
            facets.rules.push(rule("self.size() < 100"));
        }
        if ty == ListType::Set && self.one_in(2) {
            return defaulted(made, json!(["a", "b"]));
        }
        made
    }

    fn map(&mut self, name: &str, depth: usize) -> Field {
        let value = self.field("value", depth).ty;
        let mut made = field(name, map(value));
        let facets = &mut made.facets.always;
        if self.one_in(2) {
            facets.map_type = Some(self.pick(&[MapType::Atomic, MapType::Granular]));
        }
        if self.one_in(2) {
            facets
                .extend
                .push(("maxProperties".into(), json!(self.roll(9) + 1)));
        }
        if self.one_in(4) {
            return defaulted(made, json!({}));
        }
        made
    }

    fn structure(&mut self, name: &str, depth: usize) -> Field {
        let mut fields = self.fields(depth);
        fields.push(field("colour", string()));
        let mut made = field(name, object("Part", fields));
        self.say_of_struct(&mut made);
        if self.one_in(4) {
            let merge = Merge {
                map_type: Some(MapType::Atomic),
                ..Merge::default()
            };
            made.facets.always.marks = Some(Box::new(Marks {
                merge,
                ..Marks::default()
            }));
        }
        made
    }

    fn variants(&mut self, depth: usize) -> Vec<Variant> {
        let count = self.roll(3) + 1;
        let names = ["first", "second", "third"];
        let variants = names.iter().take(count).enumerate().map(|(nth, name)| {
            let content = match self.roll(3) {
                0 => Content::Unit,
                1 => Content::Newtype(Box::new(self.structure("0", depth))),
                _ => {
                    // Servers refuse two variants whose shared property has two types.
                    let name = ["x", "y", "z"][nth];
                    Content::Struct(Struct {
                        fields: vec![self.field(name, depth)],
                        deny_unknown: false,
                    })
                }
            };
            Variant {
                content,
                ..variant(name)
            }
        });
        variants.collect()
    }
}

fn int(bits: u8, signed: bool) -> Scalar {
    Scalar::Int(IntKind {
        bits,
        signed,
        non_zero: false,
    })
}

fn scalar(scalar: Scalar) -> Arc<Type> {
    named_type("scalar", Shape::Scalar(scalar))
}
