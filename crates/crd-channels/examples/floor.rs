//! The least that any generator has to do, for the benchmark: parse the same files and write the same bytes.
//!
//! `floor LIST FINISHED OUT` parses every Rust file that `LIST` names, one path in each line, on all cores, and writes
//! every file of the folder `FINISHED` to the new folder `OUT`. It prints how many milliseconds it spent on reading
//! `LIST` and `FINISHED`, which is not part of the work.

use rayon::prelude::*;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs, io};
use walkdir::WalkDir;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let [list, finished, out] = arguments.as_slice() else {
        return Err("usage: floor LIST FINISHED OUT".into());
    };
    let start = Instant::now();
    let sources: Vec<PathBuf> = fs::read_to_string(list)?
        .lines()
        .map(PathBuf::from)
        .collect();
    let finished = read_all(Path::new(finished))?;
    let preparing = start.elapsed();

    sources.par_iter().try_for_each(|path| {
        let text = fs::read_to_string(path)?;
        syn::parse_file(&text)?;
        Ok::<_, Box<dyn Error + Send + Sync>>(())
    })?;
    fs::create_dir(out)?;
    for (name, bytes) in &finished {
        let path = Path::new(out).join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
    }
    println!("{:.3}", preparing.as_secs_f64() * 1000.0);
    Ok(())
}

/// Every file below a folder: its path inside the folder, and its bytes.
fn read_all(root: &Path) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in WalkDir::new(root).follow_links(true) {
        let path = entry?.into_path();
        if let Ok(inside) = path.strip_prefix(root)
            && !path.is_dir()
        {
            files.push((inside.to_owned(), fs::read(&path)?));
        }
    }
    Ok(files)
}
