//! Finds the Rust source of a part of a kind by its path in objects.

use super::condition_lists::{ConditionList, condition_lists};
use super::walk::members;
use super::wire::{inside, tag_path};
use crd_channels_diagnostics::Span;
use crd_channels_schema::draft::{Draft, Shape, Type};
use crd_channels_schema::marks::Declaring;
use crd_channels_schema::path::{condition, leads_through, push};
use std::collections::HashSet;
use std::sync::Arc;

/// The source of a path, or of its nearest parent that has one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SourceLocation {
    /// The span of the field, variant or type.
    pub span: Span,
    /// Whether the span is that of the path itself.
    pub exact: bool,
}

/// Returns the source of a path of a version, such as `spec.rules[]`; `.` is the kind. If the path was removed, returns the
/// type that had it.
#[must_use]
pub fn locate(draft: &Draft, path: &str) -> SourceLocation {
    let search = Search::new(draft, path);
    let end = search.wanted.len();
    let (far, member) = search.member.unwrap_or((0, draft.span));
    let reached = search.types.iter().map(|(length, _)| *length).max();
    let exact = far.max(reached.unwrap_or_default()) == end;
    let span = match search.nearest_type() {
        // A field is more precise than its type, which may be used elsewhere too.
        Some((length, span)) if far < end && length >= far => span,
        _ => member,
    };
    SourceLocation { span, exact }
}

/// Returns the source of an enum value at a path.
#[must_use]
pub fn locate_value(draft: &Draft, path: &str, name: &str) -> Option<Span> {
    let search = Search::new(draft, path);
    let types = search.types.iter().map(|(_, ty)| ty).chain(&search.tagged);
    let mut variants = types.flat_map(|ty| members(ty).variants);
    let variant = variants.find(|variant| *variant.name == *name)?;
    Some(variant.span)
}

/// Returns the enum that declares the conditions of a list, given its path, or the reasons of a condition, given a path such as
/// `status.conditions[Accepted]`.
#[must_use]
pub fn declaring<'d>(draft: &'d Draft, path: &str) -> Option<&'d Declaring> {
    let lists = condition_lists(draft).into_iter();
    let mut found = lists.filter_map(
        |ConditionList {
             path: list,
             conditions,
             ..
         }| {
            if list == path {
                return Some(&conditions.declared_by);
            }
            let mut types = conditions.types.iter();
            let of = types.find(|of| condition(&list, &of.name) == path)?;
            Some(&of.reasons.declared_by)
        },
    );
    found.next()
}

/// Returns the source of a condition, given a path such as `status.conditions[Accepted]`, or of one of its reasons. If it was
/// removed, returns the enum that had it.
#[must_use]
pub fn locate_condition(draft: &Draft, path: &str, reason: &str) -> Option<SourceLocation> {
    let lists = condition_lists(draft).into_iter();
    let places = lists.filter_map(
        |ConditionList {
             path: list,
             conditions,
             ..
         }| {
            let inside = path.strip_prefix(&*list)?.strip_prefix('[')?;
            let mut types = conditions.types.iter();
            let Some(of) = types.find(|of| inside.strip_suffix(']') == Some(&of.name)) else {
                let exact = false;
                let span = conditions.declared_by.span;
                return (!inside.starts_with(']')).then_some(SourceLocation { span, exact });
            };
            let mut reasons = of.reasons.all.iter();
            let reason = reasons.find(|known| known.name.as_deref() == Some(reason));
            let span = reason.map_or(of.span, |reason| reason.span);
            Some(SourceLocation { span, exact: true })
        },
    );
    places.reduce(|one, other| if one.exact { one } else { other })
}

/// Returns the type with fields or variants at a path, which a tombstone would be on.
#[must_use]
pub fn holder<'d>(draft: &'d Draft, path: &str) -> Option<&'d Type> {
    let search = Search::new(draft, path);
    let end = search.wanted.len();
    let types = search.types.iter();
    let mut named = types.filter(|(length, ty)| *length == end && is_named(ty));
    let outer = named.next();
    // A type flattened into a struct may be part of others that still have the name.
    let named = match outer {
        Some((_, ty)) if matches!(ty.shape, Shape::Struct(_)) => outer,
        _ => named.next_back().or(outer),
    };
    // The variants of a tagged enum are the values of its tag.
    let tagged = || search.tagged.last().filter(|ty| is_named(ty));
    named.map(|(_, ty)| ty).or_else(tagged).map(|ty| &***ty)
}

fn is_named(ty: &Type) -> bool {
    ty.span.is_some() && matches!(ty.shape, Shape::Struct(_) | Shape::Enum(_))
}

struct Search<'d> {
    wanted: String,
    /// The types along the path, each with the length of the path to it.
    types: Vec<(usize, &'d Arc<Type>)>,
    /// The enums whose tag the path ends at.
    tagged: Vec<&'d Arc<Type>>,
    /// The deepest field or variant along the path, with the length of the path to it.
    member: Option<(usize, Span)>,
    /// Visited types, so that the search ends.
    seen: HashSet<(*const Type, usize)>,
}

impl<'d> Search<'d> {
    fn new(draft: &'d Draft, path: &str) -> Self {
        let wanted = if path == "." { "" } else { path };
        let mut search = Self {
            wanted: wanted.to_owned(),
            types: Vec::new(),
            tagged: Vec::new(),
            member: None,
            seen: HashSet::new(),
        };
        if let Some(root) = draft.root.as_ref().filter(|_| !wanted.is_empty()) {
            search.walk(root, "");
        }
        search
    }

    fn walk(&mut self, ty: &'d Arc<Type>, at: &str) {
        if !self.seen.insert((Arc::as_ptr(ty), at.len())) {
            return;
        }
        self.types.push((at.len(), ty));
        self.tag(ty, at);
        for below in inside(ty) {
            let mut path = at.to_owned();
            for segment in &below.segments {
                push(&mut path, *segment);
            }
            if !leads_through(&self.wanted, &path) {
                continue;
            }
            if let Some(span) = below.span {
                self.meet(path.len(), span);
            }
            self.walk(below.ty, &path);
        }
    }

    fn tag(&mut self, ty: &'d Arc<Type>, at: &str) {
        if tag_path(ty, at).is_some_and(|path| path == self.wanted) {
            self.tagged.push(ty);
            if let Some(span) = ty.span {
                self.meet(self.wanted.len(), span);
            }
        }
    }

    fn meet(&mut self, length: usize, span: Span) {
        if self.member.is_none_or(|(known, _)| known < length) {
            self.member = Some((length, span));
        }
    }

    fn nearest_type(&self) -> Option<(usize, Span)> {
        let named = self.types.iter().filter(|(_, ty)| is_named(ty));
        let (length, ty) = named.max_by_key(|(length, _)| *length)?;
        Some((*length, ty.span?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::builders::*;
    use super::{SourceLocation, holder, locate, locate_value};
    use crd_channels_diagnostics::Span;
    use crd_channels_schema::draft::{Draft, Tagging, Type};
    use std::sync::Arc;

    fn span(ty: &Arc<Type>) -> Span {
        ty.span.unwrap_or_else(somewhere)
    }

    fn exact(draft: &Draft, path: &str, span: Span) {
        assert_eq!(
            locate(draft, path),
            SourceLocation { span, exact: true },
            "{path}"
        );
    }

    fn near(draft: &Draft, path: &str, span: Span) {
        assert_eq!(
            locate(draft, path),
            SourceLocation { span, exact: false },
            "{path}"
        );
    }

    #[test]
    fn a_path_ends_at_its_field_or_at_the_type_that_had_it() {
        let (name, kind) = (text("name"), text("a.b"));
        let port = object("Port", vec![name.clone(), kind.clone()]);
        let ports = field("ports", list(port.clone()));
        let draft = gateway(vec![ports.clone(), field("labels", map(string()))]);
        exact(&draft, ".", draft.span);
        exact(&draft, "spec.ports", ports.span);
        exact(&draft, "spec.ports[]", span(&port));
        exact(&draft, "spec.ports[].name", name.span);
        exact(&draft, "spec.ports[]['a.b']", kind.span);
        near(&draft, "spec.ports[].gone", span(&port));
        near(&draft, "spec.ports[].name.gone", name.span);
        assert_eq!(holder(&draft, "spec.ports[]"), Some(&*port));
        assert_eq!(holder(&draft, "spec.ports[].name"), None);
        assert_eq!(holder(&draft, "spec.labels"), None);
    }

    #[test]
    fn flattened_fields_and_variants_have_their_own_places() {
        let (deep, plain) = (text("deep"), variant("plain"));
        let inner = object("Flat", vec![deep.clone()]);
        let flat = crd_channels_schema::draft::Field {
            flatten: true,
            ..field("flat", inner.clone())
        };
        let tagging = Tagging::Internal { tag: "type".into() };
        let either = choice("Either", tagging, vec![plain.clone()]);
        let mode = values("Mode", vec![variant("fast"), plain.clone()]);
        let of_mode = field("mode", mode);
        let draft = gateway(vec![flat, field("either", either.clone()), of_mode.clone()]);
        exact(&draft, "spec.deep", deep.span);
        // A flattened type may be part of other kinds too.
        let spec = holder(&draft, "spec");
        assert!(spec.is_some_and(|spec| *spec != *inner));
        exact(&draft, "spec.either.type", span(&either));
        exact(&draft, "spec.mode", of_mode.span);
        assert_eq!(locate_value(&draft, "spec.mode", "plain"), Some(plain.span));
        assert_eq!(
            locate_value(&draft, "spec.either.type", "plain"),
            Some(plain.span)
        );
        assert_eq!(locate_value(&draft, "spec.mode", "gone"), None);
    }
}
