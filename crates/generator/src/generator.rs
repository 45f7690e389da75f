//! The API for programs: from the root of a workspace to the texts of its CRDs, without a command line.

use crate::pipeline::build::{self, Order};
use crate::pipeline::{self, publish};
use crd_channels_diagnostics::report::{self, Format};
use crd_channels_diagnostics::{Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Read};
use crd_channels_projection::channel::config::Config;
use rayon::ThreadPoolBuilder;
use std::fmt;
use std::path::PathBuf;
use std::time::SystemTime;

/// The first file id if the configuration has file ids too.
const FIRST_OF_ITS_OWN: u32 = 1 << 20;

/// Generates the CRDs of a workspace, as `crd-channels gen-crds` does, and writes nothing.
///
/// ```
/// use crd_channels_generator::Generator;
///
/// let generated = Generator::new("../..").channel("stable").run()?;
/// assert!(generated.crds.iter().all(|crd| crd.path.starts_with("stable/")));
/// # Ok::<(), crd_channels_generator::Refused>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generator {
    root: PathBuf,
    config: Option<Config>,
    channels: Vec<String>,
    packages: Vec<String>,
}

/// The result of a run.
#[derive(Debug)]
pub struct Generated {
    /// The CRDs, in the order of their kinds, one for each channel that has the kind.
    pub crds: Vec<GeneratedCrd>,
    /// Warnings. Their spans point into `sources`.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that were read.
    pub sources: Sources,
}

/// A CRD in one channel.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GeneratedCrd {
    /// The channel's name.
    pub channel: String,
    /// The path of its file below the output folder, such as `stable/example.com_routes.yaml`.
    pub path: String,
    /// The text of its file.
    pub yaml: String,
}

/// The error of a run that generates nothing: diagnostics, at least one of them an error. `Display` prints them as `gen-crds`
/// does.
#[derive(Debug)]
pub struct Refused {
    /// Errors and warnings. Their spans point into `sources`.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that were read.
    pub sources: Sources,
}

impl Generator {
    /// Creates a generator for the workspace at `root`, the folder with the workspace's `Cargo.toml`.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            config: None,
            channels: Vec::new(),
            packages: Vec::new(),
        }
    }

    /// Generates only this channel, and others added by further calls. By default all channels are generated.
    #[must_use]
    pub fn channel(mut self, name: impl Into<String>) -> Self {
        self.channels.push(name.into());
        self
    }

    /// Reads the types with the features that a build of this package enables, and of others added by further calls.
    #[must_use]
    pub fn package(mut self, name: impl Into<String>) -> Self {
        self.packages.push(name.into());
        self
    }

    /// Uses this configuration instead of the files below `channels/`. Diagnostics about it point nowhere.
    ///
    /// ```
    /// use crd_channels_diagnostics::{Sink, Sources};
    /// use crd_channels_files::Disk;
    /// use crd_channels_generator::Generator;
    /// use crd_channels_projection::channel::config::{Channel, Config};
    /// use std::path::Path;
    ///
    /// let root = Path::new("../..");
    /// let read = Config::read(&Disk, root, &Sources::default(), &mut Sink::default());
    /// let mut config = read.ok_or("there is no channel")?;
    /// config.channels = vec![Channel::new("plain", [])];
    /// let generated = Generator::new(root).config(config).run()?;
    /// assert!(generated.crds.iter().all(|crd| crd.channel == "plain"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn config(mut self, config: Config) -> Self {
        self.config = Some(config);
        self
    }

    /// Reads the types and generates their CRDs. It runs on threads with large stacks, since types may nest deeply.
    ///
    /// # Errors
    ///
    /// The diagnostics, if one of them is an error.
    pub fn run(&self) -> Result<Generated, Refused> {
        // Spans of a given configuration point into other texts.
        let sources = match &self.config {
            Some(_) => Sources::numbered_from(FIRST_OF_ITS_OWN),
            None => Sources::default(),
        };
        let mut sink = Sink::default();
        let pool = ThreadPoolBuilder::new()
            .stack_size(crd_channels_schema::STACK)
            .build();
        let crds = match pool {
            Ok(pool) => pool.install(|| self.crds(&sources, &mut sink)),
            Err(_) => self.crds(&sources, &mut sink),
        };
        let refused = sink.has_errors();
        let diagnostics = sink.into_diagnostics();
        if refused {
            return Err(Refused {
                diagnostics,
                sources,
            });
        }
        Ok(Generated {
            crds: crds.unwrap_or_default(),
            diagnostics,
            sources,
        })
    }

    /// Returns `None` if errors prevent it.
    fn crds(&self, sources: &Sources, sink: &mut Sink) -> Option<Vec<GeneratedCrd>> {
        let began = SystemTime::now();
        // cargo names files by absolute paths.
        let canonical = Disk.canonical(&self.root);
        let root = canonical.unwrap_or_else(|_| self.root.clone());
        let config = match &self.config {
            Some(config) => config.clone(),
            None => Config::read(&Disk, &root, sources, sink)?,
        };
        let setup = pipeline::configured(&root, config, &self.packages, &Disk, sources, sink)?;
        let channels = publish::channels(&setup, &self.channels, sink)?;
        let order = Order {
            setup: &setup,
            channels: &channels,
            measure: false,
            key: 0,
            began,
        };
        let built = build::build_all(order, sources, sink);
        let files = built.made.into_iter().flat_map(|(_, made)| made.files);
        let crds = files.map(|file| GeneratedCrd {
            channel: file.channel,
            path: file.path,
            yaml: file.text,
        });
        Some(crds.collect())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = report::write(&self.diagnostics, &self.sources, Format::Human, false);
        f.write_str(text.trim_end())
    }
}

impl std::error::Error for Refused {}
