//! The calls that the programs of this package replay.

pub mod calls;
pub mod traces;
