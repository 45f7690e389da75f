//! Documentation, validation and the like: evaluates attributes to facets.

use super::types::Task;
use crate::rules::Merge;
use crate::types::Scope;
use crate::values::{Value as Const, integer, not_constant};
use crd_channels_diagnostics::{Code, Diagnostic, Text};
use crd_channels_schema::draft::{Conditional, Facets};
use crd_channels_schema::{ListType, MapType};
use crd_channels_source::attrs::FacetAttrs;
use crd_channels_source::tree::Expr;
use serde_json::{Number, Value};

const HELP: &str = "write the value as a literal";

impl Task<'_> {
    /// Evaluates facets with and without gates. Reports and leaves out those that cannot be evaluated.
    pub(super) fn facets(
        &mut self,
        attrs: &Conditional<FacetAttrs>,
        scope: &Scope,
    ) -> Conditional<Facets> {
        let always = self.facet(&attrs.always, scope);
        let when = attrs
            .when
            .iter()
            .map(|(gate, attrs)| (gate.clone(), self.facet(attrs, scope)));
        Conditional {
            always,
            when: when.collect(),
        }
    }

    /// Evaluates the facets of one gate, or those without.
    fn facet(&mut self, attrs: &FacetAttrs, scope: &Scope) -> Facets {
        if *attrs == FacetAttrs::default() {
            return Facets::default();
        }
        let FacetAttrs {
            doc,
            deprecated,
            title,
            description,
            examples,
            min_length,
            max_length,
            minimum,
            maximum,
            pattern,
            format,
            inner,
            extend,
            rules,
            merge,
        } = attrs;
        let mut facets = Facets {
            doc: doc.clone(),
            deprecated: *deprecated,
            title: self.optional_string(title.as_ref(), scope),
            description: self.optional_string(description.as_ref(), scope),
            example: None,
            min_length: self.length(min_length.as_ref(), scope),
            max_length: self.length(max_length.as_ref(), scope),
            minimum: self.bound(minimum.as_ref(), scope),
            maximum: self.bound(maximum.as_ref(), scope),
            pattern: None,
            format: format.clone(),
            inner: None,
            extend: Vec::with_capacity(extend.len()),
            extended_rules: Vec::new(),
            edits: Vec::new(),
            rules: Vec::with_capacity(rules.len()),
            list_type: None,
            list_map_keys: Vec::new(),
            map_type: None,
            marks: None,
        };
        if let Some(example) = examples.first() {
            let value = (self.reader).eval_json(example, scope, None, self.untyped);
            facets.example = self.keep(value, HELP);
        }
        if let Some((pattern, contains)) = pattern {
            let text = self.reader.pattern(pattern, scope);
            let text = self.keep(text, HELP);
            facets.pattern = match contains {
                true => text.map(|text| regex_syntax::escape(&text).into()),
                false => text,
            };
        }
        if let Some(inner) = inner {
            facets.inner = Some(Box::new(self.facet(inner, scope)));
        }
        for (key, tokens, span) in extend {
            let value = self.reader.json_tokens(key, tokens, *span, scope);
            if let Some((value, texts)) = self.keep(value, HELP) {
                facets.extend.push((key.clone(), value));
                facets.extended_rules.extend(texts);
            }
        }
        for rule in rules {
            let rule = self.reader.rule(rule, scope);
            facets.rules.extend(self.keep(rule, HELP));
        }
        if let Some(merge) = merge {
            self.merge(merge, scope, &mut facets);
        }
        facets
    }

    fn optional_string(&mut self, expr: Option<&Expr>, scope: &Scope) -> Option<Text> {
        let expr = expr?;
        let text = self.reader.read_string(expr, scope);
        self.keep(text, HELP)
    }

    fn length(&mut self, expr: Option<&Expr>, scope: &Scope) -> Option<u64> {
        let number = self.reader.number(expr?, scope);
        self.keep(number, HELP)
    }

    fn bound(&mut self, expr: Option<&Expr>, scope: &Scope) -> Option<Number> {
        let expr = expr?;
        let value = self.reader.eval(expr, scope, None);
        let number = value.and_then(|value| {
            let number = match &value {
                Const::Int(int) => integer(*int),
                Const::Float(float) => Number::from_f64(*float),
                Const::Override(Value::Number(number)) => Some(number.clone()),
                _ => None,
            };
            let why = format!("a number is needed here, not {}", value.kind());
            number.ok_or_else(|| not_constant(expr.span, why))
        });
        self.keep(number, HELP)
    }

    fn merge(&mut self, expr: &Expr, scope: &Scope, facets: &mut Facets) {
        let merge = self.reader.merge(expr, scope);
        let Some(merge) = self.keep(merge, MERGE_HELP) else {
            return;
        };
        match merge {
            Some(Merge::ListAtomic) => facets.list_type = Some(ListType::Atomic),
            Some(Merge::ListSet) => facets.list_type = Some(ListType::Set),
            Some(Merge::ListMap(keys)) => {
                facets.list_type = Some(ListType::Map);
                facets.list_map_keys = keys;
            }
            Some(Merge::MapAtomic) => facets.map_type = Some(MapType::Atomic),
            Some(Merge::MapGranular) => facets.map_type = Some(MapType::Granular),
            Some(Merge::Struct(variant)) => {
                let finding = Diagnostic::new(
                    Code::NoEffect,
                    expr.span,
                    format!("`StructMerge::{variant}` has no effect in a CRD"),
                );
                self.report(finding.with_help(format!(
                    "use `MapMerge::{variant}`: `x-kubernetes-map-type` also applies to structs"
                )));
            }
            None => {
                let finding = Diagnostic::new(
                    Code::InvalidAttribute,
                    expr.span,
                    "this is not a merge strategy",
                );
                self.report(finding.with_help(MERGE_HELP));
            }
        }
    }
}

const MERGE_HELP: &str = "write `ListMerge::Atomic`, `ListMerge::Set`, `ListMerge::Map(vec![\"..\".into()])`, \
                          `MapMerge::Atomic` or `MapMerge::Granular`";
