//! The columns of the tables that `kubectl` prints.

use crd_channels_schema::{Column, Version};

/// The columns of a version by name and by number among the columns of that name, since servers accept duplicates.
pub(crate) fn numbered(version: &Version) -> Vec<((&str, usize), &Column)> {
    let columns = version.columns.iter().enumerate();
    let numbered = columns.map(|(place, column)| {
        let before = version.columns.iter().take(place);
        let nth = before.filter(|other| other.name == column.name).count();
        ((&*column.name, nth), column)
    });
    numbered.collect()
}

/// Whether the columns that both versions have are in another order, which `kubectl` follows.
pub(crate) fn are_reordered(old: &Version, new: &Version) -> bool {
    let [old, new] = [old, new].map(|version| {
        let columns = numbered(version).into_iter();
        columns.map(|(key, _)| key).collect::<Vec<_>>()
    });
    let of_both = |one: &[(&'_ str, usize)], other: &[(&'_ str, usize)]| -> Vec<String> {
        let kept = one.iter().filter(|key| other.contains(key));
        kept.map(|(name, nth)| format!("{nth} {name}")).collect()
    };
    of_both(&old, &new) != of_both(&new, &old)
}

/// The column of that name and number.
pub(crate) fn column_of<'a>(version: &'a Version, key: (&str, usize)) -> Option<&'a Column> {
    let found = numbered(version)
        .into_iter()
        .find(|(other, _)| *other == key);
    found.map(|(_, column)| column)
}
