//! The time of each stage of a whole run, on this repository's own types: `cargo bench -p crd-channels`.
//!
//! `parse` is the lower bound of `read`: it only parses the same files by `syn::parse_file`. `benches/run` measures whole
//! processes on larger sets.

#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::Disk;
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::bundle::layout;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::Path;

fn setup(sources: &Sources) -> Setup {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let root = root.canonicalize().unwrap();
    let mut sink = Sink::default();
    let setup = pipeline::setup(&root, &Disk, sources, &mut sink).unwrap();
    assert!(!sink.has_errors(), "{:?}", sink.diagnostics());
    setup
}

fn stages(criterion: &mut Criterion) {
    let sources = Sources::default();
    let setup = setup(&sources);
    let mut sink = Sink::default();
    let graph = pipeline::graph(&setup, &Disk, &sources, &mut sink).unwrap();
    let kinds = pipeline::kinds(&setup, &graph, &mut sink);
    let channels = pipeline::project(&setup, &kinds, &mut sink);
    assert!(!sink.has_errors(), "{:?}", sink.diagnostics());
    let texts: Vec<String> = graph
        .files_read()
        .keys()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();

    criterion.bench_function("parse", |bencher| {
        bencher.iter(|| {
            for text in &texts {
                black_box(syn::parse_file(text).unwrap());
            }
        });
    });
    criterion.bench_function("read", |bencher| {
        bencher.iter(|| {
            let sources = Sources::default();
            black_box(pipeline::read_kinds(
                &setup,
                &Disk,
                &sources,
                &mut Sink::default(),
            ))
        });
    });
    criterion.bench_function("project", |bencher| {
        bencher.iter(|| black_box(pipeline::project(&setup, &kinds, &mut Sink::default())));
    });
    criterion.bench_function("yaml", |bencher| {
        bencher.iter(|| {
            for projected in &channels {
                for crd in &projected.crds {
                    black_box(layout::file(&projected.channel, crd).unwrap());
                }
            }
        });
    });
}

criterion_group!(benches, stages);
criterion_main!(benches);
