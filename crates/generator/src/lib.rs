//! Reads the source of Kubernetes API types, without compiling it, and generates the CRDs of each channel.
#![doc = include_str!("../README.md")]

mod budget;
mod generator;
mod lower;
mod overrides;
pub mod pipeline;
mod reader;
mod rules;
mod schemas;
mod serialize;
mod types;
mod values;

pub use generator::{Generated, GeneratedCrd, Generator, Refused};
