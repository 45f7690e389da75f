//! The CRDs are those of the types. `BLESS=1` writes them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::Disk;
use crd_channels_generator::Generator;
use crd_channels_projection::channel::config::Config;
use std::path::Path;
use std::{env, fs};

#[test]
fn the_crds_are_those_of_the_types() {
    for folder in [".", "former"] {
        let folder = Path::new(folder);
        // What `gen-crds` does in a workspace of its own.
        let config = Config::read(&Disk, folder, &Sources::default(), &mut Sink::default());
        let generated = Generator::new("../..").config(config.unwrap()).run();
        let generated = generated.unwrap_or_else(|refused| panic!("{refused}"));
        let warnings = generated.diagnostics.iter().map(|one| &*one.message);
        assert_eq!(warnings.collect::<Vec<_>>(), Vec::<&str>::new());
        for crd in generated.crds {
            let path = folder.join("crds").join(crd.path);
            if env::var_os("BLESS").is_some() {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, &crd.yaml).unwrap();
            }
            assert_eq!(
                fs::read_to_string(&path).unwrap_or_default(),
                crd.yaml,
                "{}",
                path.display()
            );
        }
    }
}
