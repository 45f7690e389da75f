//! What a message says: two texts in different words say the same if they name the same values.

/// Returns what the server's message names and ours does not.
pub fn missing(theirs: &str, ours: &str) -> Option<String> {
    let (_, detail) = theirs.split_once(": ").unwrap_or(("", theirs));
    // A rule's message follows the value, or its type.
    let told = detail.split_once(": ").map_or(detail, |(_, told)| told);
    if !told.is_empty() && ours.ends_with(told.trim_end()) {
        return None;
    }
    // For a path through a value that is no object it has the number 0, and the rule that fails without its text.
    if ["accessor error", " evaluating rule: "]
        .iter()
        .any(|part| theirs.contains(part))
    {
        return None;
    }
    // The field names whole objects and lists, and standards and examples are no facts.
    let detail = match detail.starts_with(['{', '[']) {
        true => "",
        false => detail,
    };
    let detail = detail.split(" RFC ").next().unwrap_or_default();
    let detail = detail.split("(e.g.").next().unwrap_or_default();
    facts(detail).into_iter().find_map(|fact| {
        let named = match &fact {
            Fact::Text(text) => ours.contains(text.as_str()) || ours.contains(&escaped(text)),
            Fact::Number(number) => facts(ours).iter().any(|it| match it {
                Fact::Number(our) => our == number,
                Fact::Text(_) => false,
            }),
        };
        (!named).then(|| format!("{fact:?}"))
    })
}

#[derive(Debug)]
enum Fact {
    Text(String),
    Number(f64),
}

fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.trim_matches('"').to_owned()
}

fn facts(message: &str) -> Vec<Fact> {
    // The server names the type of a value of the wrong type, we show the value.
    if let Some((_, types)) = message.split_once("must be of type ") {
        let types = types.split(": ").next().unwrap_or_default();
        let words = types
            .split([',', ' '])
            .filter(|word| !["", "with", "format", "in", "(default", "format)"].contains(word));
        return words.map(|word| Fact::Text(word.to_owned())).collect();
    }
    let mut found = Vec::new();
    let mut rest = message;
    let mut before = ' ';
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '"' => {
                let mut read = serde_json::Deserializer::from_str(rest).into_iter::<String>();
                match read.next() {
                    Some(Ok(text)) => {
                        let length = read.byte_offset();
                        if !text.is_empty() {
                            found.push(Fact::Text(text));
                        }
                        length
                    }
                    _ => 1,
                }
            }
            '0'..='9' | '-' if !before.is_alphanumeric() && !"[._-/'".contains(before) => {
                let is_part = |c: char| c.is_ascii_digit() || ".eE+-".contains(c);
                let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                let number = rest[..length].trim_end_matches(['.', '-', '+', 'e']);
                found.extend(number.parse().ok().map(Fact::Number));
                length
            }
            other => other.len_utf8(),
        };
        before = rest[..length].chars().next_back().unwrap_or(' ');
        rest = &rest[length..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn values_and_limits_are_facts() {
        let theirs =
            "Invalid value: 70000: spec.port in body should be less than or equal to 65535";
        assert_eq!(
            missing(theirs, "spec.port: 70000 is above `maximum`, 65535"),
            None
        );
        assert!(missing(theirs, "spec.port: the number is above `maximum`").is_some());
        let theirs = "Unsupported value: \"x\": supported values: \"A\", \"B\"";
        assert!(missing(theirs, "a: \"x\" is none of \"A\"").is_some());
        assert_eq!(missing(theirs, "a: \"x\" is none of \"B\", \"A\""), None);
    }

    #[test]
    fn messages_of_rules_are_the_same() {
        let theirs = "Invalid value: \"object\": host or port";
        assert_eq!(missing(theirs, "spec: host or port"), None);
        assert!(missing(theirs, "spec: host").is_some());
    }
}
