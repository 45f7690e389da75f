//! A small reader of types that knows names, texts and gates, but nothing of schemas.

use std::collections::{BTreeMap, BTreeSet};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, ExprLit, Fields, GenericArgument, Item, Lit, Meta, PathArguments, Token, Type,
};

/// A visible part of a CRD.
#[derive(crd_channels_derive::ApiType, Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Part {
    /// A kind.
    Kind(String),
    /// A column, a short name, a category.
    Name(String),
    /// A field, such as `Kind/v1.spec.rules.name`; lists and maps add nothing.
    Path(String),
    /// A value of the enum at a path.
    Value(String, String),
    /// A rule.
    Rule(String),
    /// A paragraph of a description, or a message.
    Text(String),
}

impl Part {
    /// Normalizes a text, regardless of its line breaks.
    pub fn text(text: &str) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        Self::Text(words.join(" "))
    }
}

/// `#[experimental]` or `#[not_experimental]`.
#[derive(crd_channels_derive::ApiType, Clone, Copy, Debug, Eq, PartialEq)]
pub struct Gate {
    /// Whether it requires the feature.
    pub on: bool,
}

/// Every occurrence of a part in some sources, with the gates around it.
pub struct Scan {
    seen: Vec<(Part, Vec<Gate>)>,
    types: BTreeMap<String, Item>,
}

impl Scan {
    pub fn from_sources(sources: &[String]) -> Self {
        let mut scan = Self {
            seen: Vec::new(),
            types: BTreeMap::new(),
        };
        for source in sources {
            scan.collect(syn::parse_file(source).unwrap().items);
        }
        for item in scan.types.clone().into_values() {
            if let Item::Struct(item) = &item
                && words(&item.attrs, "derive")
                    .iter()
                    .any(|word| word.path().is_ident("CustomResource"))
            {
                scan.kind(&item.attrs, &item.ident.to_string());
            }
        }
        scan
    }

    /// Splits the parts into present and absent ones, given which gates hold. A part is present if one of its occurrences is.
    pub fn split(&self, holds: impl Fn(&Gate) -> bool) -> (BTreeSet<Part>, BTreeSet<Part>) {
        let (there, gone): (Vec<_>, Vec<_>) = self
            .seen
            .iter()
            .partition(|(_, gates)| gates.iter().all(&holds));
        let there: BTreeSet<Part> = there.into_iter().map(|(part, _)| part.clone()).collect();
        let gone = gone.into_iter().map(|(part, _)| part.clone());
        let gone = gone.filter(|part| !there.contains(part)).collect();
        (there, gone)
    }

    /// Returns all parts that have a gate.
    pub fn gated(&self) -> BTreeSet<Part> {
        let gated = self.seen.iter().filter(|(_, gates)| !gates.is_empty());
        gated.map(|(part, _)| part.clone()).collect()
    }

    fn collect(&mut self, items: Vec<Item>) {
        for item in items {
            let name = match &item {
                Item::Struct(item) => item.ident.to_string(),
                Item::Enum(item) => item.ident.to_string(),
                Item::Mod(item) => {
                    let inner = item.content.clone().map(|(_, items)| items);
                    self.collect(inner.unwrap_or_default());
                    continue;
                }
                _ => continue,
            };
            let before = self.types.insert(name.clone(), item);
            assert!(before.is_none(), "two types are called `{name}`");
        }
    }

    fn add(&mut self, part: Part, gates: &[Gate]) {
        self.seen.push((part, gates.to_vec()));
    }

    fn kind(&mut self, attrs: &[Attribute], spec: &str) {
        let kube = words(attrs, "kube");
        let get = |key: &str| kube.iter().find_map(|meta| value(meta, key));
        let gates: Vec<Gate> = gate(attrs).into_iter().collect();
        let kind = get("kind").unwrap();
        let root = format!("{kind}/{}", get("version").unwrap());
        self.add(Part::Kind(kind), &gates);
        self.names(&kube, &gates);
        self.scan_type(spec, &format!("{root}.spec"), &gates);
        if let Some(status) = get("status") {
            self.scan_type(&status, &format!("{root}.status"), &gates);
        }
    }

    /// Adds the columns, short names and categories among kube's keys.
    fn names(&mut self, kube: &[Meta], gates: &[Gate]) {
        for meta in kube {
            for key in ["shortname", "category"] {
                if let Some(name) = value(meta, key) {
                    self.add(Part::Name(name), gates);
                }
            }
            let column = match value(meta, "printcolumn") {
                Some(json) => {
                    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
                    Some(json["name"].as_str().unwrap().to_owned())
                }
                None => list(meta, "printcolumn")
                    .iter()
                    .find_map(|meta| value(meta, "name")),
            };
            if let Some(column) = column {
                self.add(Part::Name(column), gates);
            }
        }
    }

    /// Adds the texts, rules and conditional attributes of a node.
    fn words(&mut self, attrs: &[Attribute], gates: &[Gate]) {
        let docs: Vec<String> = attrs
            .iter()
            .filter_map(|attr| value(&attr.meta, "doc"))
            .map(|line| line.trim().to_owned())
            .collect();
        self.text(&docs.join("\n"), gates);
        let x_kube = words(attrs, "x_kube");
        self.rules(&x_kube, gates);
        for attr in attrs {
            let Some((gate, content)) = conditional(attr) else {
                continue;
            };
            let gates = [gates, &[gate]].concat();
            for meta in &content {
                if let Some(text) = value(meta, "doc") {
                    self.text(&text, &gates);
                }
                self.rules(&list(meta, "x_kube"), &gates);
                self.names(&list(meta, "kube"), &gates);
            }
        }
    }

    fn text(&mut self, text: &str, gates: &[Gate]) {
        for paragraph in text.split("\n\n").filter(|text| !text.is_empty()) {
            self.add(Part::text(paragraph), gates);
        }
    }

    fn rules(&mut self, metas: &[Meta], gates: &[Gate]) {
        for meta in metas {
            if let Meta::NameValue(pair) = meta
                && pair.path.is_ident("validation")
            {
                self.rule(&pair.value, gates);
            }
        }
    }

    fn rule(&mut self, expr: &Expr, gates: &[Gate]) {
        match expr {
            Expr::Lit(_) => self.add(Part::Rule(string(expr).unwrap()), gates),
            Expr::Call(call) => {
                let rule = call.args.first().and_then(string).unwrap();
                self.add(Part::Rule(rule), gates);
            }
            Expr::MethodCall(call) => {
                self.rule(&call.receiver, gates);
                let text = call.args.first().and_then(string);
                if let Some(text) = text.filter(|_| call.method == "message") {
                    self.add(Part::text(&text), gates);
                }
            }
            _ => {}
        }
    }

    fn ty(&mut self, ty: &Type, path: &str, gates: &[Gate]) {
        let Type::Path(named) = ty else { return };
        let last = named.path.segments.last().unwrap();
        if let PathArguments::AngleBracketed(arguments) = &last.arguments
            && let Some(GenericArgument::Type(inner)) = arguments.args.last()
        {
            self.ty(inner, path, gates);
            return;
        }
        self.scan_type(&last.ident.to_string(), path, gates);
    }

    fn scan_type(&mut self, name: &str, path: &str, gates: &[Gate]) {
        let Some(item) = self.types.get(name).cloned() else {
            return;
        };
        let attrs = match &item {
            Item::Struct(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            _ => return,
        };
        let mut gates = gates.to_vec();
        gates.extend(gate(attrs));
        self.words(attrs, &gates);
        let serde = words(attrs, "serde");
        match &item {
            Item::Struct(item) => self.fields(&item.fields, &serde, path, &gates),
            Item::Enum(item) => {
                for variant in &item.variants {
                    let mut gates = gates.clone();
                    gates.extend(gate(&variant.attrs));
                    self.words(&variant.attrs, &gates);
                    let name = serialized(&variant.ident.to_string(), &variant.attrs, &serde);
                    self.variant(&name, &variant.fields, &serde, path, &gates);
                }
            }
            _ => {}
        }
    }

    fn variant(&mut self, name: &str, fields: &Fields, serde: &[Meta], path: &str, gates: &[Gate]) {
        let get = |key: &str| serde.iter().find_map(|meta| value(meta, key));
        let below = match (get("tag"), get("content")) {
            (Some(tag), content) => {
                self.add(Part::Value(format!("{path}.{tag}"), name.to_owned()), gates);
                match content {
                    Some(content) => format!("{path}.{content}"),
                    None => path.to_owned(),
                }
            }
            (None, _) if serde.iter().any(|meta| meta.path().is_ident("untagged")) => {
                path.to_owned()
            }
            (None, _) if matches!(fields, Fields::Unit) => {
                self.add(Part::Value(path.to_owned(), name.to_owned()), gates);
                return;
            }
            (None, _) => {
                let below = format!("{path}.{name}");
                self.add(Part::Path(below.clone()), gates);
                below
            }
        };
        // `rename_all` of an enum applies to its variants.
        self.fields(fields, &[], &below, gates);
    }

    fn fields(&mut self, fields: &Fields, serde: &[Meta], path: &str, gates: &[Gate]) {
        for field in fields {
            let own = words(&field.attrs, "serde");
            if own.iter().any(|meta| meta.path().is_ident("skip")) {
                continue;
            }
            let mut gates = gates.to_vec();
            gates.extend(gate(&field.attrs));
            self.words(&field.attrs, &gates);
            let flat = own.iter().any(|meta| meta.path().is_ident("flatten"));
            let below = match &field.ident {
                Some(ident) if !flat => {
                    let name = serialized(&ident.to_string(), &field.attrs, serde);
                    let below = format!("{path}.{name}");
                    self.add(Part::Path(below.clone()), &gates);
                    below
                }
                _ => path.to_owned(),
            };
            self.ty(&field.ty, &below, &gates);
        }
    }
}

/// Returns the name that serde writes.
fn serialized(name: &str, attrs: &[Attribute], container: &[Meta]) -> String {
    let own = words(attrs, "serde");
    if let Some(name) = own.iter().find_map(|meta| value(meta, "rename")) {
        return name;
    }
    let name = name.trim_start_matches("r#");
    let style = container.iter().find_map(|meta| value(meta, "rename_all"));
    let capital = |word: &str| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_uppercase() + rest,
        None => String::new(),
    };
    let pascal: String = name.split('_').map(capital).collect();
    match style.as_deref() {
        None => name.to_owned(),
        Some("UPPERCASE") => name.to_uppercase(),
        Some("lowercase") => name.to_lowercase(),
        Some("PascalCase") => pascal,
        Some("camelCase") => {
            let (first, rest) = pascal.split_at(1);
            first.to_lowercase() + rest
        }
        Some(other) => panic!("the scan does not know `{other}`"),
    }
}

/// Returns the gate of a node: an attribute that only names a feature.
fn gate(attrs: &[Attribute]) -> Option<Gate> {
    let mut gates = attrs.iter().filter_map(gating);
    gates
        .find(|(_, content)| content.is_empty())
        .map(|(gate, _)| gate)
}

/// Returns the gate and content of a conditional attribute.
fn conditional(attr: &Attribute) -> Option<(Gate, Vec<Meta>)> {
    gating(attr).filter(|(_, content)| !content.is_empty())
}

fn gating(attr: &Attribute) -> Option<(Gate, Vec<Meta>)> {
    let on = attr.path().is_ident("experimental");
    if !on && !attr.path().is_ident("not_experimental") {
        return None;
    }
    let mut content = metas(&attr.meta);
    content.retain(|meta| !meta.path().is_ident("feature"));
    Some((Gate { on }, content))
}

/// Returns the content of all attributes with a name.
fn words(attrs: &[Attribute], name: &str) -> Vec<Meta> {
    let named = attrs.iter().filter(|attr| attr.path().is_ident(name));
    named.flat_map(|attr| metas(&attr.meta)).collect()
}

/// Returns the content of the parentheses of a key.
fn list(meta: &Meta, name: &str) -> Vec<Meta> {
    if meta.path().is_ident(name) {
        metas(meta)
    } else {
        Vec::new()
    }
}

fn metas(meta: &Meta) -> Vec<Meta> {
    let Meta::List(list) = meta else {
        return Vec::new();
    };
    let parsed = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    parsed
        .map(|metas| metas.into_iter().collect())
        .unwrap_or_default()
}

/// Returns the text of `name = ".."`.
fn value(meta: &Meta, name: &str) -> Option<String> {
    match meta {
        Meta::NameValue(pair) if pair.path.is_ident(name) => string(&pair.value),
        _ => None,
    }
}

fn string(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}
