//! Literal values, and values whose type is known from where they stand.

use super::grammar::Form;
use super::program::{Env, Program};
use super::scan::placed;
use super::types::{self, INTEGERS, Ty};

impl Program<'_> {
    /// A value without operations. What is known need not say its type.
    pub fn literal(&mut self, ty: &Ty, known: bool) -> String {
        let name = ty.name.as_str();
        if known && types::is_of("D", ty, &self.own) && self.dice.one_in(12) {
            return "Default::default()".to_owned();
        }
        if INTEGERS.contains(&name) {
            return self.integer(name, known);
        }
        let item = |program: &mut Self, at: usize| program.literal(&ty.args[at], known);
        match name {
            "f32" | "f64" => self.float(name, known),
            "bool" => self.dice.pick(&["true", "false"]).to_owned(),
            "char" => self
                .dice
                .pick(&[
                    "'a'", "'Z'", "'0'", "'é'", "'ß'", "' '", "'\\n'", "'z'", "'_'",
                ])
                .to_owned(),
            "&'static str" | "str" => format!("\"{}\"", self.word()),
            "String" => {
                let word = self.word();
                match self.dice.roll(if known { 6 } else { 4 }) {
                    0 => format!("String::from(\"{word}\")"),
                    1 => format!("\"{word}\".to_string()"),
                    2 | 3 => format!("\"{word}\".to_owned()"),
                    _ => format!("\"{word}\".into()"),
                }
            }
            "Cow<'static, str>" => format!("Cow::Borrowed(\"{}\")", self.word()),
            "Duration" => {
                let number = self.dice.pick(&["0", "1", "30", "90", "1_500", "86_400"]);
                let unit = self.dice.pick(&["secs", "millis", "micros"]);
                format!("Duration::from_{unit}({number})")
            }
            "Ipv4Addr" => self
                .dice
                .pick(&[
                    "Ipv4Addr::LOCALHOST",
                    "Ipv4Addr::new(10, 0, 0, 1)",
                    "Ipv4Addr::UNSPECIFIED",
                ])
                .to_owned(),
            "Value" => self
                .dice
                .pick(&[
                    "json!({ \"a\": [1, null, 2.5], \"b\": {} })",
                    "json!(\"x\")",
                    "Value::Null",
                    "json!([true, \"y\"])",
                    "json!(7)",
                ])
                .to_owned(),
            "Ord" => self
                .dice
                .pick(&["Ordering::Less", "Ordering::Equal", "Ordering::Greater"])
                .to_owned(),
            "()" => {
                let items: Vec<String> = (0..ty.args.len()).map(|at| item(self, at)).collect();
                if items.len() == 1 {
                    format!("({},)", items[0])
                } else {
                    format!("({})", items.join(", "))
                }
            }
            "Option" => match self.dice.roll(3) {
                0 if known => "None".to_owned(),
                0 => format!("None::<{}>", ty.args[0]),
                _ => format!("Some({})", item(self, 0)),
            },
            "Result" => {
                let (ok, error) = (&ty.args[0], &ty.args[1]);
                match self.dice.roll(3) {
                    0 => format!("Err::<{ok}, {error}>({})", item(self, 1)),
                    _ => format!("Ok::<{ok}, {error}>({})", item(self, 0)),
                }
            }
            "Vec" => match self.dice.roll(4) {
                0 if known => "vec![]".to_owned(),
                0 => format!("Vec::<{}>::new()", ty.args[0]),
                _ => format!("vec![{}]", self.some(&ty.args[0])),
            },
            "&[]" => format!("[{}].as_slice()", self.some(&ty.args[0])),
            "It" | "Dit" => format!("vec![{}].into_iter()", self.some(&ty.args[0])),
            "Box" => format!("Box::new({})", item(self, 0)),
            "BTreeSet" | "VecDeque" | "BinaryHeap" | "HashSet" => {
                let count = if name == "HashSet" {
                    1
                } else {
                    1 + self.dice.roll(4)
                };
                let items: Vec<String> = (0..count)
                    .map(|_| self.literal(&ty.args[0], false))
                    .collect();
                format!("{name}::from([{}])", items.join(", "))
            }
            "BTreeMap" | "HashMap" => {
                let count = if name == "HashMap" {
                    1
                } else {
                    1 + self.dice.roll(3)
                };
                let items: Vec<String> = (0..count)
                    .map(|_| {
                        format!(
                            "({}, {})",
                            self.literal(&ty.args[0], false),
                            self.literal(&ty.args[1], false)
                        )
                    })
                    .collect();
                format!("{name}::from([{}])", items.join(", "))
            }
            _ if ty.length().is_some() => {
                let count = ty.length().unwrap();
                let items: Vec<String> = (0..count).map(|_| item(self, 0)).collect();
                format!("[{}]", items.join(", "))
            }
            _ => self.of_own(ty),
        }
    }

    /// One to four literals, at least the first with its type.
    fn some(&mut self, ty: &Ty) -> String {
        let count = 1 + self.dice.roll(4);
        let items: Vec<String> = (0..count).map(|at| self.literal(ty, at > 0)).collect();
        items.join(", ")
    }

    /// A value of a type that an idea defines, by the first row that gives one.
    fn of_own(&mut self, ty: &Ty) -> String {
        let first = self
            .rows
            .iter()
            .find(|(row, _)| row.form == Form::Value && row.of == *ty);
        let (row, mut names) = first
            .cloned()
            .unwrap_or_else(|| panic!("nothing gives {ty}"));
        let env = Env::default();
        self.bind(&row.text, &mut names, &env);
        placed(self.expand(&row.text, &mut names, &env, 0))
    }

    fn integer(&mut self, name: &str, known: bool) -> String {
        let signed = name.starts_with('i');
        let suffix = if known && !self.dice.one_in(5) {
            ""
        } else {
            name
        };
        match self.dice.roll(12) {
            0 => format!("{name}::MAX"),
            1 => format!("{name}::MIN"),
            2 => format!("({name}::MAX - {})", self.dice.roll(4)),
            3 if signed => format!("(-{}{suffix})", 1 + self.dice.roll(100)),
            4 => format!("{}{suffix}", 100 + self.dice.roll(28)),
            5 => {
                self.dice
                    .pick(&["0x1f", "0b1010", "0o17", "1_0"])
                    .to_owned()
                    + &if suffix.is_empty() {
                        String::new()
                    } else {
                        format!("_{suffix}")
                    }
            }
            _ => format!("{}{suffix}", self.dice.roll(12)),
        }
    }

    fn float(&mut self, name: &str, known: bool) -> String {
        let suffix = if known { "" } else { name };
        let number = self.dice.pick(&[
            "0.1",
            "0.8",
            "1.5",
            "0.3",
            "2.0",
            "100.25",
            "1e3",
            "3.14159",
            "0.0",
            "7.0",
            "1e-3",
            "16777217.0",
        ]);
        match self.dice.roll(10) {
            0 => format!("(-{number}{suffix})"),
            1 => format!(
                "{name}::{}",
                self.dice.pick(&["EPSILON", "MAX", "MIN_POSITIVE"])
            ),
            _ => format!("{number}{suffix}"),
        }
    }
}
