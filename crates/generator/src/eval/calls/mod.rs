//! Calls: which function or method a call means, and how its body runs.

mod functions;
mod methods;
mod associated;
mod function_values;
