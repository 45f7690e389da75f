//! An operator: it serves the conversion of its kinds, installs their CRDs, and reconciles their objects.

mod api;
mod controllers;
mod operator;
mod seconds;
mod status;

#[tokio::main]
async fn main() -> Result<(), operator::Failure> {
    operator::run().await
}
