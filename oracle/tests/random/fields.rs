//! Random fields: their types, and every attribute that may stand on one.

use super::module::Module;
use super::types::{Helper, PARAMS, Ty};
use super::words;
use std::fmt::Write;

/// The items that have fields.
#[derive(Clone, Copy, Default)]
pub struct Owner {
    pub visibility: &'static str,
    pub indent: &'static str,
    /// The words of `KubeSchema` are known there, and those of garde are not.
    pub kube_schema: bool,
    /// Every field needs a `Default`.
    pub all_default: bool,
    /// Parameters that types there may have.
    pub params: usize,
    /// Fields may be flattened there.
    pub flatten: bool,
    /// Appended to names, so that no other type has them.
    pub suffix: Option<usize>,
    /// Nothing may be said of a field but its type.
    pub bare: bool,
}

const SCALARS: [(usize, &str); 21] = [
    (24, "String"),
    (8, "bool"),
    (8, "i32"),
    (6, "i64"),
    (3, "u32"),
    (2, "u64"),
    (3, "u16"),
    (2, "u8"),
    (1, "i8"),
    (1, "i16"),
    (1, "usize"),
    (1, "isize"),
    (1, "f32"),
    (3, "f64"),
    (1, "char"),
    (1, "NonZeroU16"),
    (1, "IpAddr"),
    (1, "Ipv6Addr"),
    (1, "SocketAddr"),
    (2, "Duration"),
    (1, "PathBuf"),
];

const FOREIGN: [(usize, &str); 12] = [
    (4, "IntOrString"),
    (4, "Quantity"),
    (3, "Time"),
    (1, "MicroTime"),
    (2, "LabelSelector"),
    (2, "Condition"),
    (2, "LocalObjectReference"),
    (1, "EnvVar"),
    (2, "ResourceRequirements"),
    (1, "ObjectMeta"),
    (1, "SecretKeySelector"),
    (1, "Toleration"),
];

impl Module<'_> {
    /// A random type.
    pub fn ty(&mut self, depth: usize, params: usize) -> Ty {
        if params > 0 && self.dice.one_in(2) {
            return Ty::Param(self.dice.roll(params));
        }
        let inner = |module: &mut Self| Box::new(module.ty(depth.saturating_sub(1), params));
        let nested = if depth == 0 { 0 } else { 1 };
        let choice = self.dice.weigh(&[
            (40, "scalar"),
            (4, "k8s-openapi type"),
            (
                24 * usize::from(!self.helpers.is_empty()),
                "type of the module",
            ),
            (16 * nested, "Option"),
            (11 * nested, "list"),
            (8 * nested, "map"),
            (3 * nested, "Box"),
            (2 * nested, "set"),
            (nested, "array"),
        ]);
        match choice {
            "k8s-openapi type" => Ty::Foreign(self.dice.weigh(&FOREIGN)),
            "type of the module" => self.helper(depth, params),
            "Option" => Ty::Option(inner(self)),
            "list" => {
                let name = self
                    .dice
                    .weigh(&[(9, "Vec"), (1, "VecDeque"), (1, "LinkedList")]);
                Ty::List(name, inner(self))
            }
            "map" => {
                let key = self.key();
                let name = self.dice.weigh(&[(5, "BTreeMap"), (1, "HashMap")]);
                let any = self.dice.wants("map of any JSON", 80);
                let value = if any {
                    Box::new(Ty::Foreign("Value"))
                } else {
                    inner(self)
                };
                Ty::Map(name, Box::new(key), value)
            }
            "Box" => Ty::Box(inner(self)),
            "set" => {
                let name = self.dice.weigh(&[(3, "BTreeSet"), (1, "HashSet")]);
                Ty::Set(name, Box::new(self.key()))
            }
            "array" => Ty::Array(inner(self), 1 + self.dice.roll(3)),
            _ if self.dice.wants("any JSON", 1500) => Ty::Foreign("Value"),
            _ if self.dice.wants("tuple", 1500) => {
                Ty::Tuple(vec![Ty::Scalar("String"), Ty::Scalar("i32")])
            }
            _ => Ty::Scalar(self.dice.weigh(&SCALARS)),
        }
    }

    /// The types for keys of maps and items of sets.
    fn key(&mut self) -> Ty {
        if self.dice.wants("integers as keys", 200) {
            return Ty::Scalar("i32");
        }
        let ordered = self.helpers.iter().position(|helper| helper.ord);
        match ordered {
            Some(index) if self.dice.wants("enum as key", 4) => Ty::Helper(index, Vec::new()),
            _ => Ty::Scalar("String"),
        }
    }

    fn helper(&mut self, depth: usize, params: usize) -> Ty {
        let index = self.dice.roll(self.helpers.len());
        let count = self.helpers[index].params;
        let arguments = (0..count).map(|_| self.ty(depth.min(1), params)).collect();
        Ty::Helper(index, arguments)
    }

    fn ty_for(&mut self, owner: Owner) -> Ty {
        for _ in 0..9 {
            let ty = self.ty(2, owner.params);
            if !owner.all_default || ty.has_default(&self.helpers) {
                return ty;
            }
        }
        Ty::Scalar("String")
    }

    /// The fields of one struct or variant, written, and their names and types.
    pub fn fields(&mut self, owner: Owner, most: usize) -> (String, Vec<(String, Ty)>) {
        let mut text = String::new();
        let mut fields: Vec<(String, Ty)> = Vec::new();
        let flat = if owner.flatten && self.dice.one_in(5) {
            self.flattened(owner)
        } else {
            None
        };
        for (index, param) in PARAMS.iter().enumerate().take(owner.params) {
            let name = format!("of_{}", param.to_lowercase());
            self.field(owner, &name, Ty::Param(index), &mut text);
            fields.push((name, Ty::Param(index)));
        }
        for _ in 0..=self.dice.roll(most) {
            let mut name = self.dice.pick(&words::FIELDS).to_owned();
            if let Some(suffix) = owner.suffix {
                name = format!(
                    "{}_{suffix}",
                    name.trim_start_matches("r#").trim_end_matches('_')
                );
            }
            // Names that differ may still be one in another case.
            if fields.iter().any(|(taken, _)| *taken == name) {
                continue;
            }
            let ty = self.ty_for(owner);
            self.field(owner, &name, ty.clone(), &mut text);
            fields.push((name, ty));
        }
        if let Some(ty) = flat {
            if self.dice.one_in(3) {
                text.push_str(&words::doc(self.dice, owner.indent));
            }
            let written = ty.write(&self.helpers);
            let (indent, visibility) = (owner.indent, owner.visibility);
            writeln!(
                text,
                "{indent}#[serde(flatten)]\n{indent}{visibility}flat: {written},"
            )
            .unwrap();
            fields.push(("flat".to_owned(), ty));
        }
        (text, fields)
    }

    fn flattened(&mut self, owner: Owner) -> Option<Ty> {
        if self.dice.wants("flattened map of any JSON", 8) {
            return Some(Ty::Map(
                "BTreeMap",
                Box::new(Ty::Scalar("String")),
                Box::new(Ty::Foreign("Value")),
            ));
        }
        let flat = |helper: &Helper| helper.flat && (helper.default || !owner.all_default);
        let candidates: Vec<usize> = (0..self.helpers.len())
            .filter(|index| flat(&self.helpers[*index]))
            .collect();
        let index = *candidates.get(self.dice.roll(candidates.len().max(1)))?;
        self.dice.note("flatten");
        let ty = Ty::Helper(index, Vec::new());
        Some(if self.dice.wants("flattened Option", 5) {
            Ty::Option(Box::new(ty))
        } else {
            ty
        })
    }

    fn field(&mut self, owner: Owner, name: &str, ty: Ty, text: &mut String) {
        let indent = owner.indent;
        if !owner.bare {
            if self.dice.one_in(3) {
                text.push_str(&words::doc(self.dice, indent));
            }
            for attribute in self.attributes(owner, name, &ty) {
                writeln!(text, "{indent}{attribute}").unwrap();
            }
        }
        let written = ty.write(&self.helpers);
        writeln!(text, "{indent}{}{name}: {written},", owner.visibility).unwrap();
    }

    /// Attributes of a field, or of the field of a newtype if it has no name.
    pub fn attributes(&mut self, owner: Owner, name: &str, ty: &Ty) -> Vec<String> {
        let mut found = Vec::new();
        let kube = owner.kube_schema;
        if !name.is_empty() {
            self.serde(owner, name, ty, &mut found);
        }
        let defaulted = found.iter().any(|attribute| attribute.contains("default"));
        if self.dice.one_in(if defaulted { 12 } else { 3 }) {
            found.extend(words::validation(self.dice, ty, kube));
        }
        if self.dice.wants("extend", 30) {
            found.push(words::extension(self.dice, ty));
        }
        if self.dice.wants("title or description", 30) {
            found.push(
                self.dice
                    .pick(&[
                        "#[schemars(title = \"A title\")]",
                        "#[schemars(description = \"Described by an attribute.\")]",
                        "#[schemars(title = \"T\", description = TEXT)]",
                        "#[schemars(description = \"\")]",
                    ])
                    .to_owned(),
            );
        }
        if self.dice.wants("example", 40) {
            let value = self.dice.pick(&["3", "&\"text\"", "true", "TEXT"]);
            found.push(format!("#[schemars(example = {value})]"));
        }
        if self.dice.wants("deprecated", 60) {
            found.push("#[deprecated]".to_owned());
        }
        // Functions of the module know nothing of parameters.
        let whole = owner.params == 0;
        if whole && self.dice.wants("schemars(with)", 40) {
            let other = self.ty(1, 0).write(&self.helpers);
            found.push(format!("#[schemars(with = \"{other}\")]"));
        } else if whole && self.dice.wants("schema_with", 50) {
            let function = self.schema_function(ty);
            found.push(format!("#[schemars(schema_with = \"{function}\")]"));
        }
        if kube && self.dice.one_in(4) {
            found.push(words::x_kube(self.dice, ty));
        }
        found
    }

    fn serde(&mut self, owner: Owner, name: &str, ty: &Ty, found: &mut Vec<String>) {
        let number = self.number();
        if self.dice.wants("rename", 9) {
            found.push(match self.dice.weigh(&[
                (1, "two names"),
                (1, "name by schemars"),
                (1, "names by schemars and serde"),
                (1, "name by serde"),
            ]) {
                "two names" => format!(
                    "#[serde(rename(serialize = \"out{number}\", deserialize = \"in{number}\"))]"
                ),
                "name by schemars" => {
                    format!("#[schemars(rename = \"by-schemars-{number}\")]")
                }
                "names by schemars and serde" => {
                    format!("#[schemars(rename = \"s{number}\")] #[serde(rename = \"z{number}\")]")
                }
                _ => format!(
                    "#[serde(rename = \"renamed.{number}\", alias = \"{}\")]",
                    name.trim_start_matches("r#")
                ),
            });
        }
        // With a parameter in it serde would ask the parameter for a default.
        let default = owner.params == 0 && ty.has_default(&self.helpers);
        if default && self.dice.wants("skip", 60) {
            let how = self.dice.pick(&["skip", "skip_deserializing"]);
            found.push(format!("#[serde({how})]"));
            return;
        }
        if self.dice.wants("skip_serializing", 60) {
            found.push("#[serde(skip_serializing)]".to_owned());
        }
        if self.dice.one_in(4) {
            let value = ty.value(&self.helpers, self.dice);
            match value {
                Some(value) if owner.params == 0 && self.dice.one_in(2) => {
                    self.dice.note("default = function");
                    let function = self.function(ty, &value);
                    found.push(format!("#[serde(default = \"{function}\")]"));
                }
                _ if default => {
                    self.dice.note("default");
                    found.push("#[serde(default)]".to_owned());
                }
                _ => {}
            }
        }
        let required = !matches!(ty, Ty::Option(_))
            && !found.iter().any(|attribute| attribute.contains("default"));
        let skipped = match required {
            true => "skip_serializing_if on a required field",
            false => "skip_serializing_if",
        };
        if let Some(condition) = words::skip_if(ty)
            && self.dice.wants(skipped, 8)
        {
            found.push(format!("#[serde(skip_serializing_if = \"{condition}\")]"));
        }
    }
}
