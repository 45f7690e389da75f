//! Methods of std's strings, numbers and collections that constants are made and changed with.

use super::known;
use super::value::Const;

/// How long a string may become.
pub(super) const LONGEST: usize = 65_536;

/// What `value.name(args)` gives; none where that is not known, or is a panic.
pub(super) fn answer(name: &str, value: &Const, args: &[Const]) -> Option<Const> {
    match value {
        Const::Text(text) => of_text(name, text, args),
        Const::Int(int) => of_int(name, *int, args).map(Const::Int),
        Const::Float(float) => of_float(name, *float, args).map(Const::Float),
        Const::List(items) => of_list(name, items, args),
        Const::Json(_) if args.is_empty() => of_duration(name, nanos(value)?).map(Const::Int),
        _ => None,
    }
}

/// What `value.name(args)` does to a value; none where that is not known.
pub(super) fn change(value: &mut Const, name: &str, args: Vec<Const>) -> Option<()> {
    match (value, name, &args[..]) {
        (Const::List(items), "push" | "insert" | "push_back", [item]) => items.push(item.clone()),
        (Const::List(items), "push_front", [item]) => items.insert(0, item.clone()),
        (Const::List(items), "insert", [Const::Int(at), item]) => {
            let at = usize::try_from(*at).ok().filter(|at| *at <= items.len())?;
            items.insert(at, item.clone());
        }
        (Const::List(items), "extend" | "append" | "extend_from_slice", [Const::List(more)]) => {
            items.extend(more.iter().cloned());
        }
        (Const::List(items), "remove", [Const::Int(at)]) => {
            let at = usize::try_from(*at).ok().filter(|at| *at < items.len())?;
            items.remove(at);
        }
        (Const::List(items), "pop", []) => {
            items.pop();
        }
        (Const::List(items), "truncate", [Const::Int(length)]) => {
            items.truncate(usize::try_from(*length).ok()?);
        }
        (Const::List(items), "reverse", []) => items.reverse(),
        (Const::List(items), "clear", []) => items.clear(),
        (Const::List(_) | Const::Map(_), "reserve" | "shrink_to_fit", _) => {}
        (Const::Map(entries), "insert", [key, value]) => {
            Const::insert(entries, key.clone(), value.clone());
        }
        (Const::Map(entries), "extend" | "append", [more]) => {
            let more = match more {
                Const::Map(more) => more.clone(),
                list => super::value::entries(list.clone()).ok()?,
            };
            for (key, value) in more {
                Const::insert(entries, key, value);
            }
        }
        (Const::Map(entries), "remove", [key]) => {
            entries.retain(|(known, _)| known.same(key) != Some(true));
        }
        (Const::Map(entries), "clear", []) => entries.clear(),
        (Const::Text(text), "push_str", [Const::Text(more)]) => {
            *text = format!("{text}{more}").into();
        }
        (Const::Text(text), "push", [Const::Char(more)]) => *text = format!("{text}{more}").into(),
        (Const::Json(json), "insert", [Const::Text(key), value]) => {
            let map = json.as_object_mut()?;
            map.insert(key.to_string(), super::serialize::plain(value)?);
        }
        (Const::Json(json), "remove", [Const::Text(key)]) => {
            json.as_object_mut()?.remove(&**key);
        }
        _ => return None,
    }
    Some(())
}

/// `int.checked_add(other)` and the like, of integers whose type is known.
pub(super) fn checked(
    name: &str,
    value: &Const,
    of: Option<&str>,
    args: &[Const],
) -> Option<Const> {
    let (Const::Int(int), [Const::Int(other)]) = (value, args) else {
        return None;
    };
    let (least, greatest) = known::int_bounds(of?)?;
    let (how, operator) = name.split_once('_')?;
    let made = match operator {
        "add" => int.checked_add(*other),
        "sub" => int.checked_sub(*other),
        "mul" => int.checked_mul(*other),
        "div" if how == "checked" => int.checked_div(*other),
        _ => return None,
    };
    let fits = made.filter(|made| (least..=greatest).contains(made));
    match how {
        "checked" => Some(Const::Option(fits.map(|int| Box::new(Const::Int(int))))),
        "saturating" => made.map(|made| Const::Int(made.clamp(least, greatest))),
        _ => None,
    }
}

/// The nanoseconds of a span of time.
pub(super) fn nanos(value: &Const) -> Option<i128> {
    let Const::Json(value) = value else {
        return None;
    };
    let secs = i128::from(value.get("secs")?.as_u64()?);
    let nanos = i128::from(value.get("nanos")?.as_u64()?);
    secs.checked_mul(1_000_000_000)?.checked_add(nanos)
}

fn of_duration(name: &str, nanos: i128) -> Option<i128> {
    Some(match name {
        "as_nanos" => nanos,
        "as_micros" => nanos / 1_000,
        "as_millis" => nanos / 1_000_000,
        "as_secs" => nanos / 1_000_000_000,
        "subsec_nanos" => nanos % 1_000_000_000,
        "subsec_micros" => nanos % 1_000_000_000 / 1_000,
        "subsec_millis" => nanos % 1_000_000_000 / 1_000_000,
        _ => return None,
    })
}

fn of_text(name: &str, text: &str, args: &[Const]) -> Option<Const> {
    let made = match (name, args) {
        ("to_lowercase", []) => text.to_lowercase(),
        ("to_uppercase", []) => text.to_uppercase(),
        ("to_ascii_lowercase", []) => text.to_ascii_lowercase(),
        ("to_ascii_uppercase", []) => text.to_ascii_uppercase(),
        ("trim", []) => text.trim().to_owned(),
        ("trim_start", []) => text.trim_start().to_owned(),
        ("trim_end", []) => text.trim_end().to_owned(),
        ("repeat", [Const::Int(times)]) => {
            let times = usize::try_from(*times).ok()?;
            let length = text.len().checked_mul(times)?;
            (length <= LONGEST).then(|| text.repeat(times))?
        }
        ("replace", [from, Const::Text(to)]) => text.replace(&known::shown(from)?, to),
        ("starts_with", [start]) => {
            return Some(Const::Bool(text.starts_with(&known::shown(start)?)));
        }
        ("ends_with", [end]) => return Some(Const::Bool(text.ends_with(&known::shown(end)?))),
        ("contains", [part]) => return Some(Const::Bool(text.contains(&known::shown(part)?))),
        _ => return None,
    };
    (made.len() <= LONGEST).then(|| Const::Text(made.into()))
}

/// Of what type the integer is nobody knows here; whoever takes the value looks whether it fits.
fn of_int(name: &str, int: i128, args: &[Const]) -> Option<i128> {
    match (name, args) {
        ("pow", [Const::Int(by)]) => int.checked_pow(u32::try_from(*by).ok()?),
        ("min", [Const::Int(other)]) => Some(int.min(*other)),
        ("max", [Const::Int(other)]) => Some(int.max(*other)),
        ("clamp", [Const::Int(least), Const::Int(greatest)]) => {
            (least <= greatest).then(|| int.clamp(*least, *greatest))
        }
        ("abs" | "unsigned_abs", []) => int.checked_abs(),
        _ => None,
    }
}

fn of_float(name: &str, float: f64, args: &[Const]) -> Option<f64> {
    match (name, args) {
        ("min", [Const::Float(other)]) => Some(float.min(*other)),
        ("max", [Const::Float(other)]) => Some(float.max(*other)),
        ("abs", []) => Some(float.abs()),
        _ => None,
    }
}

fn of_list(name: &str, items: &[Const], args: &[Const]) -> Option<Const> {
    let texts: Option<Vec<&str>> = items
        .iter()
        .map(|item| match item {
            Const::Text(text) => Some(&**text),
            _ => None,
        })
        .collect();
    match (name, args) {
        ("join", [separator]) => Some(Const::Text(texts?.join(&known::shown(separator)?).into())),
        ("concat", []) if !items.is_empty() => Some(Const::Text(texts?.concat().into())),
        ("first", []) => Some(Const::Option(items.first().cloned().map(Box::new))),
        ("last", []) => Some(Const::Option(items.last().cloned().map(Box::new))),
        _ => None,
    }
}
