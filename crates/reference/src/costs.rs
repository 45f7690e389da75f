//! What rules cost servers at most, as a share of what they allow for one rule.

use crd_channels_cel::cost::RULE_LIMIT;
use crd_channels_check::Document;
use crd_channels_compat::Channel;
use crd_channels_schema::Crd;
use std::collections::BTreeMap;

/// The costs of the rules of a kind in all its channels, by channel, version and place; rules of one place by their number.
#[derive(Debug, Default)]
pub(crate) struct RuleCosts(BTreeMap<(Channel, String, String), Vec<u64>>);

impl RuleCosts {
    pub fn of(crds: &[(Channel, &Crd)]) -> Self {
        let mut all: BTreeMap<_, Vec<u64>> = BTreeMap::new();
        for (channel, crd) in crds {
            let Ok(document) = serde_json::to_value(crd) else {
                continue;
            };
            for schema in Document::decode(&document).costs() {
                let rules = schema.expressions.iter().filter(|it| !it.is_message);
                for rule in rules {
                    let place = (*channel, schema.version.clone(), rule.field.clone());
                    let costs = all.entry(place).or_default();
                    costs.resize(costs.len().max(rule.number + 1), 0);
                    // Names of fields can spell the path of another field.
                    if let Some(cost) = costs.get_mut(rule.number) {
                        *cost = rule.cost.max(*cost);
                    }
                }
            }
        }
        Self(all)
    }

    /// The percentage of the limit that a rule may cost; `None` below 1, and if the rule does not compile.
    pub fn percent(
        &self,
        channel: Channel,
        version: &str,
        path: &str,
        number: usize,
    ) -> Option<u64> {
        // Servers do not tell lists and maps apart.
        let place = (channel, version.to_owned(), path.replace("{}", "[]"));
        let cost = self.0.get(&place)?.get(number)?;
        Some(cost.saturating_mul(100) / RULE_LIMIT).filter(|percent| *percent > 0)
    }
}
