//! A choice of kernels as a value.

use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

use crate::dispatch::{self, Level};
use crate::lengths;

/// One set of kernels that this CPU can run.
///
/// The functions at the crate root use [`Backend::active`]; a `Backend` runs another one, to test
/// or to time it. A value exists only if the CPU has the instructions, so its methods are safe. All
/// backends give the same results.
///
/// ```
/// use memdiff::Backend;
///
/// for backend in Backend::available() {
///     assert_eq!(backend.memcmp(b"abc", b"abd"), -1, "{backend}");
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Backend(Level);

impl Backend {
    /// The backend that the crate's functions use: the fastest that is available, or the one that
    /// `--cfg memdiff_backend="NAME"` names.
    ///
    /// It is chosen at compile time where the target promises it, else on first use. Takes O(1)
    /// time.
    ///
    /// # Panics
    /// If the crate was built with `--cfg memdiff_backend="NAME"` and this CPU cannot run that
    /// backend.
    ///
    /// ```
    /// println!("memdiff runs on {}", memdiff::Backend::active());
    /// ```
    #[inline]
    #[must_use]
    pub fn active() -> Backend {
        Backend(dispatch::active())
    }

    /// The backends that this CPU can run, slowest first; `portable` is always the first.
    ///
    /// ```
    /// use memdiff::Backend;
    ///
    /// assert_eq!(Backend::available().next().unwrap().name(), "portable");
    /// ```
    pub fn available() -> impl Iterator<Item = Backend> {
        dispatch::available().rev().map(Backend)
    }

    /// The name: `portable`, `sse2`, `avx2`, `avx512` or `neon`.
    ///
    /// ```
    /// let active = memdiff::Backend::active();
    /// assert_eq!(active.name().parse(), Ok(active));
    /// ```
    #[inline]
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name()
    }

    /// [`memdiff::memcmp`](crate::memcmp) by this backend.
    ///
    /// # Panics
    /// If the lengths differ.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn memcmp(self, a: &[u8], b: &[u8]) -> i32 {
        if a.len() != b.len() {
            lengths::differ(a.len(), b.len());
        }
        // SAFETY: both slices are `a.len()` bytes long; a `Backend` is available.
        unsafe { dispatch::memcmp::on(a.as_ptr(), b.as_ptr(), a.len(), self.0) }
    }

    /// [`memdiff::equal`](crate::equal) by this backend.
    #[inline]
    #[must_use]
    pub fn equal(self, a: &[u8], b: &[u8]) -> bool {
        // SAFETY: both slices are `a.len()` bytes long where the kernel is called; a `Backend` is
        // available.
        a.len() == b.len()
            && unsafe { dispatch::equal::on(a.as_ptr(), b.as_ptr(), a.len(), self.0) }
    }

    /// [`memdiff::compare`](crate::compare) by this backend.
    #[inline]
    #[must_use]
    pub fn compare(self, a: &[u8], b: &[u8]) -> Ordering {
        let n = lengths::shorter(a.len(), b.len());
        // SAFETY: both slices have at least `n` bytes; a `Backend` is available.
        let difference = unsafe { dispatch::memcmp::on(a.as_ptr(), b.as_ptr(), n, self.0) };
        difference.cmp(&0).then(a.len().cmp(&b.len()))
    }

    /// [`memdiff::mismatch`](crate::mismatch) by this backend.
    #[inline]
    #[must_use]
    pub fn mismatch(self, a: &[u8], b: &[u8]) -> Option<usize> {
        lengths::mismatch(self.common_prefix_len(a, b), a.len(), b.len())
    }

    /// [`memdiff::common_prefix_len`](crate::common_prefix_len) by this backend.
    #[inline]
    #[must_use]
    pub fn common_prefix_len(self, a: &[u8], b: &[u8]) -> usize {
        let n = lengths::shorter(a.len(), b.len());
        // SAFETY: both slices have at least `n` bytes; a `Backend` is available.
        unsafe { dispatch::prefix::on(a.as_ptr(), b.as_ptr(), n, self.0) }
    }

    /// [`memdiff::common_suffix_len`](crate::common_suffix_len) by this backend.
    #[inline]
    #[must_use]
    pub fn common_suffix_len(self, a: &[u8], b: &[u8]) -> usize {
        let n = lengths::shorter(a.len(), b.len());
        // SAFETY: both slices have at least `n` bytes, so that these are their last `n`; a
        // `Backend` is available.
        unsafe {
            let (a, b) = (a.as_ptr().add(a.len() - n), b.as_ptr().add(b.len() - n));
            dispatch::suffix::on(a, b, n, self.0)
        }
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Backend({})", self.name())
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = BackendError;

    /// The backend of that name, if this CPU can run it.
    fn from_str(name: &str) -> Result<Backend, BackendError> {
        Backend::available()
            .find(|backend| backend.name() == name)
            .ok_or(BackendError(()))
    }
}

/// A name that is none of an available backend. The message lists those that are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackendError(());

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no backend of that name is available here; these are:")?;
        for backend in Backend::available() {
            write!(f, " {backend}")?;
        }
        Ok(())
    }
}

impl core::error::Error for BackendError {}
