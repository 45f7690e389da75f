//! Requests as the commands that people type.

use super::{Bound, Names, Request};
use crate::commands::format::Format;
use crate::consumer::pinned::{self, Part, Pinned};
use crd_channels_diagnostics::program;
use crd_channels_diagnostics::shell;

impl Request {
    /// Returns the command of this request with another folder inside the source.
    pub(super) fn typed_with_path(&self, path: &str) -> String {
        let request = Self {
            path: Some(path.to_owned()),
            ..self.clone()
        };
        request.typed()
    }

    /// Returns the command that pins another archive in place of one, with the part of its name that changes as `vX.Y.Z`.
    pub(super) fn typed_with_archive(&self, pinned: &Pinned) -> String {
        const NEW: &str = "vX.Y.Z";
        let archive = pinned.source.display_name();
        let request = Self {
            from: Some(archive.replace(&pinned.version.to_string(), NEW)),
            version: (pinned.requirement != "*").then(|| NEW.to_owned()),
            update: Some(Names::One(pinned.name.clone())),
            ..self.clone()
        };
        request.typed()
    }

    /// Returns the command of this request for one entry to repair.
    pub(super) fn typed_for(&self, name: &str) -> String {
        // A name that is not plain may be anything: then all are repaired.
        let is_named = pinned::repair(name).ends_with(name);
        let request = Self {
            repair: Some(if is_named {
                Names::One(name.to_owned())
            } else {
                Names::All
            }),
            ..self.clone()
        };
        request.typed()
    }

    /// Returns the command of this request.
    pub(super) fn typed(&self) -> String {
        let Self {
            from,
            revision,
            path,
            name,
            channel,
            version,
            folder,
            with,
            update,
            repair,
            remove,
            overview: _,
            keep_files,
            key,
            dry_run,
            offline,
            allow_downgrade,
            allow_data_loss,
            allow_broken_chain,
            allow_manual_steps,
            against,
            format,
        } = self;
        let mut words = vec![format!("{} pin", program::current())];
        let mut option = |name: &str, value: &Option<String>| {
            if let Some(value) = value {
                words.push(format!("--{name}"));
                words.extend((!value.is_empty()).then(|| shell::word(value)));
            }
        };
        let [updated, repaired] = [update, repair].map(|names| {
            names.as_ref().map(|names| match names {
                Names::All => String::new(),
                Names::One(name) => name.clone(),
            })
        });
        let folder = folder.as_ref().map(|folder| folder.display().to_string());
        let parts = with.as_ref().map(|parts| {
            let parts: Vec<&str> = parts.iter().map(|part| Part::name(*part)).collect();
            match parts.is_empty() {
                true => "none".to_owned(),
                false => parts.join(","),
            }
        });
        let bound = against.and_then(|bound| {
            let mut known = Bound::NAMES.into_iter();
            Some(known.find(|(_, known)| *known == bound)?.0.to_owned())
        });
        let json = (*format == Format::Json).then(|| "json".to_owned());
        for (name, value) in [
            ("update", &updated),
            ("repair", &repaired),
            ("remove", remove),
            ("from", from),
            ("path", path),
            ("revision", revision),
            ("version", version),
            ("channel", channel),
            ("name", name),
            ("folder", &folder),
            ("with", &parts),
            ("key", key),
            ("against", &bound),
            ("format", &json),
        ] {
            option(name, value);
        }
        for (name, is_on) in [
            ("keep-files", keep_files),
            ("dry-run", dry_run),
            ("offline", offline),
            ("allow-downgrade", allow_downgrade),
            ("allow-data-loss", allow_data_loss),
            ("allow-broken-chain", allow_broken_chain),
            ("allow-manual-steps", allow_manual_steps),
        ] {
            option(name, &is_on.then(String::new));
        }
        words.join(" ")
    }
}
