//! Everything the crate promises, tested through its public interface and against a byte loop.
//!
//! Each module tests one kind of promise; `support` holds the byte loop and the [`Subject`]s: all
//! that answers, be it a backend, the crate's functions, `raw` or `portable`.
//!
//! [`Subject`]: support::Subject

mod api;
mod backend;
mod digest;
#[cfg(unix)]
mod guard;
mod matrix;
mod pairs;
mod properties;
mod reports;
mod support;
