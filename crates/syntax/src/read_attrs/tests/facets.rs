//! The facets of valid attributes.

use super::{field, right};
use crate::attrs::{FacetAttrs, With};
use crate::tree::{Body, Expr, ExprKind, Lit};

/// Shows the value of a literal.
fn expr_text(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Lit(Lit::Str(text)) => format!("{text:?}"),
        ExprKind::Lit(Lit::Int(digits, _) | Lit::Float(digits, _)) => digits.to_string(),
        ExprKind::Path(path) => path
            .segments
            .iter()
            .map(|segment| segment.name.to_string())
            .collect::<Vec<_>>()
            .join("::"),
        ExprKind::Unary(sign, inner) => format!("{sign}{}", expr_text(inner)),
        ExprKind::Tuple(parts) => format!("{:?}", parts.iter().map(expr_text).collect::<Vec<_>>()),
        ExprKind::Method { receiver, name, .. } => format!("{}.{name}", expr_text(receiver)),
        ExprKind::Call(callee, _) => format!("{}(..)", expr_text(callee)),
        other => format!("{other:?}"),
    }
}

/// One line per facet.
fn facets(facets: &FacetAttrs) -> String {
    let FacetAttrs {
        doc,
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
        deprecated,
    } = facets;
    let mut lines = Vec::new();
    let mut line = |key: &str, value: Option<String>| {
        lines.extend(value.map(|value| format!("{key}={value}")));
    };
    line("doc", doc.as_ref().map(|doc| format!("{doc:?}")));
    line("title", title.as_ref().map(expr_text));
    line("description", description.as_ref().map(expr_text));
    for example in examples {
        line("example", Some(expr_text(example)));
    }
    line("minLength", min_length.as_ref().map(expr_text));
    line("maxLength", max_length.as_ref().map(expr_text));
    line("minimum", minimum.as_ref().map(expr_text));
    line("maximum", maximum.as_ref().map(expr_text));
    line(
        "pattern",
        pattern.as_ref().map(|(pattern, escaped)| {
            format!("{}{}", expr_text(pattern), if *escaped { "!" } else { "" })
        }),
    );
    line("deprecated", deprecated.then(String::new));
    line("format", format.as_ref().map(ToString::to_string));
    line(
        "inner",
        inner
            .as_ref()
            .map(|inner| format!("({})", self::facets(inner))),
    );
    for (key, value, _) in extend {
        line("extend", Some(format!("{key}:{}", value.len())));
    }
    for rule in rules {
        line("rule", Some(expr_text(rule)));
    }
    line("merge", merge.as_ref().map(expr_text));
    lines.join(" ")
}

fn check(attrs: &str, expected: &str) {
    let found = field(&format!(
        "#[derive(JsonSchema)] struct A {{ {attrs} a: String }}"
    ));
    assert_eq!(facets(&found.attrs.facets.always), expected, "{attrs}");
}

#[test]
fn constraints_come_from_the_first_that_names_them() {
    for (attrs, expected) in [
        (
            "#[schemars(length(min = 1, max = 2))]",
            "minLength=1 maxLength=2",
        ),
        (
            "#[schemars(length(equal = \"N\"))]",
            "minLength=N maxLength=N",
        ),
        (
            "#[schemars(range(min = -1, max = a::B))]",
            "minimum=-1 maximum=a::B",
        ),
        ("#[schemars(regex(pattern = \"^a\"))]", "pattern=\"^a\""),
        ("#[schemars(pattern(P))]", "pattern=P"),
        ("#[schemars(contains(\"a.b\"))]", "pattern=\"a.b\"!"),
        (
            "#[schemars(contains(pattern = \"a.b\"))]",
            "pattern=\"a.b\"!",
        ),
        ("#[schemars(url)]", "format=uri"),
        (
            "#[schemars(inner(length(max = 3), inner(email)))]",
            "inner=(maxLength=3 inner=(format=email))",
        ),
        (
            "#[validate(regex(path = \"RE\"), email(message = \"m\"))]",
            "pattern=RE format=email",
        ),
        (
            "#[garde(length(max = 3), pattern(\"a\"), inner(ipv4))]",
            "maxLength=3 pattern=\"a\" inner=(format=ipv4)",
        ),
        (
            "#[garde(length(max = 1), range(max = 9))] #[validate(length(max = 2), email)] #[schemars(length(min = 3))]",
            "minLength=3 maximum=9 format=email",
        ),
        (
            "#[validate(contains(pattern = \"a\"), regex(path = R))]",
            "pattern=\"a\"!",
        ),
        (
            "#[schemars(title = \"t\", description = D, example = 1, example = f(), extend(\"a\" = {\"b\": [1, 2]}, \"c\" = true,))]",
            "title=\"t\" description=D example=1 example=f(..) extend=a:1 extend=c:1",
        ),
        (
            "#[x_kube(validation = \"a\", validation = (\"b\", \"c\"))] #[x_kube(validation = Rule::new(\"d\").reason(R), merge_strategy = ListMerge::Set)]",
            "rule=\"a\" rule=[\"\\\"b\\\"\", \"\\\"c\\\"\"] rule=Rule::new(..).reason merge=ListMerge::Set",
        ),
        (
            "#[x_kube(validation = r\"a\r\n&& b\")]",
            r#"rule="a\n&& b""#,
        ),
    ] {
        check(attrs, expected);
    }
}

#[test]
fn documentation() {
    for (attrs, expected) in [
        (
            "/// one\n/// two\n///\n///   three\n",
            r#"doc="one\ntwo\n\n  three""#,
        ),
        ("///one\r\n#[doc = \" two\"]", r#"doc="one\ntwo""#),
        ("/** a\n * b */", r#"doc="a\n * b ""#),
        ("/** a\r\n * b */", r#"doc="a\n * b ""#),
        ("#[doc = r\"one\r\ntwo\"]", r#"doc="one\ntwo""#),
        ("#[doc = \"one\\r\\ntwo\"]", r#"doc="one\r\ntwo""#),
        ("#[doc(hidden)]", ""),
        ("#[doc = \"\"]", r#"doc="""#),
        (
            "/// # Title\n/// \n/// text\n",
            r##"doc="# Title\n\ntext""##,
        ),
    ] {
        check(attrs, expected);
    }
}

#[test]
fn conditional_attributes_are_layers_in_source_order() {
    let found = field(
        r#"#[derive(KubeSchema)] struct A {
            /// always
            #[experimental(schemars(length(max = 8)), doc = "more", doc = " and more")]
            #[experimental(feature = "Names", x_kube(validation = "self != ''"))]
            #[not_experimental(validate(email), schemars(extend("maxItems" = 1)))]
            #[experimental]
            #[crd(nullable)]
            a: String,
        }"#,
    );
    let gate = found.attrs.gate.unwrap();
    assert_eq!((&*gate.feature, gate.on), ("unnamed", true));
    assert!(found.attrs.crd.unwrap().value.nullable);
    assert_eq!(facets(&found.attrs.facets.always), "doc=\"always\"");
    let layers: Vec<String> = found
        .attrs
        .facets
        .when
        .iter()
        .map(|(gate, found)| {
            format!(
                "{}{}: {}",
                if gate.on { "" } else { "!" },
                gate.feature,
                facets(found)
            )
        })
        .collect();
    assert_eq!(
        layers,
        [
            r#"unnamed: doc="more\nand more" maxLength=8"#,
            r#"Names: rule="self != ''""#,
            "!unnamed: format=email extend=maxItems:1",
        ]
    );
}

#[test]
fn types_and_variants_carry_them_too() {
    let def = right(
        r#"
        /// a type
        #[derive(Deserialize)]
        #[not_experimental(feature = "Old")]
        #[tombstone(name = "C", removed = "v0.2.0", reason = "slow")]
        #[schemars(extend("x" = 1), transform = f)]
        #[repr(u8)]
        enum A {
            /// a variant
            #[experimental(feature = "New")]
            #[experimental(doc = "newer")]
            #[schemars(with = "Vec<B>")]
            B = 3,
        }"#,
    );
    let gate = def.attrs.gate.unwrap();
    assert_eq!((&*gate.feature, gate.on), ("Old", false));
    assert_eq!(
        facets(&def.attrs.facets.always),
        "doc=\"a type\" extend=x:1"
    );
    assert_eq!(def.attrs.transforms.len(), 1);
    assert_eq!(def.attrs.repr.as_deref(), Some("u8"));
    assert_eq!(&*def.attrs.tombstones[0].name, "C");
    let Body::Enum(variants) = def.body else {
        panic!("no enum");
    };
    let variant = &variants[0].attrs;
    assert_eq!(&*variant.gate.as_ref().unwrap().feature, "New");
    assert_eq!(facets(&variant.facets.when[0].1), "doc=\"newer\"");
    assert!(matches!(variant.with, Some(With::Type(_))));
    assert!(variants[0].discriminant.is_some());
}
