//! The release before this one: its kinds, and the same program otherwise.

mod api;
#[path = "../src/controllers.rs"]
mod controllers;
#[path = "../src/operator.rs"]
mod operator;
#[path = "../src/seconds.rs"]
mod seconds;
#[path = "../src/status.rs"]
mod status;

#[tokio::main]
async fn main() -> Result<(), operator::Failure> {
    operator::run().await
}
