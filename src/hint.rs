//! What the compiler cannot know.

/// A condition that rarely holds. What is done if it does not comes first in the code, without a
/// jump. (`core::hint::cold_path` is younger than the oldest Rust that is supported.)
#[inline(always)]
pub(crate) fn rarely(condition: bool) -> bool {
    #[cold]
    #[inline]
    fn cold() {}
    if condition {
        cold();
    }
    condition
}
