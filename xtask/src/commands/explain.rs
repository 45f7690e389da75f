//! `explain CODE`: a diagnostic's record, in words.

use super::Outcome;
use crate::diag::{Code, nearest};

/// Explains one code, or lists all.
#[must_use]
pub fn run(id: Option<&str>) -> Outcome {
    let Some(id) = id else {
        let width = Code::ALL
            .iter()
            .map(|code| code.record().id.len())
            .max()
            .unwrap_or(0);
        for code in Code::ALL {
            let record = code.record();
            println!("{:width$}  {}", record.id, record.summary);
        }
        return Outcome::Clean;
    };
    let Some(code) = Code::ALL.iter().find(|code| code.record().id == id) else {
        eprintln!("error: no code is called `{id}`");
        if let Some(near) = nearest(id, Code::ALL.iter().map(|code| code.record().id)) {
            eprintln!("help: did you mean `{near}`?");
        }
        return Outcome::CouldNotRun;
    };
    let record = code.record();
    println!(
        "{}\n\n{}\n\n{}",
        record.id, record.summary, record.explanation
    );
    Outcome::Clean
}
