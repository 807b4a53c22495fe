//! What the algorithms of `generic.rs` need of a vector register.

/// A register of `BYTES` lanes of one byte, lane 0 loaded from the lowest address.
///
/// [`diff`](Vector::diff) gives a vector that marks the lanes in which two vectors differ. How a
/// lane is marked is the implementation's choice (SSE2 clears it, NEON sets a bit of it), so marked
/// vectors are only handed to `or`, `any` and `mask`.
///
/// # Safety
/// Every method may only be called on a CPU that has the instructions the implementation is made
/// of, and is to be inlined into a function that enables them; the methods are `#[inline(always)]`
/// and carry no `#[target_feature]`, which would forbid just that.
pub(crate) trait Vector: Copy {
    /// The number of lanes, a power of two.
    const BYTES: usize;
    /// A non-empty set of marked lanes.
    type Mask: Mask;

    /// Loads `BYTES` bytes from any address.
    ///
    /// # Safety
    /// * The trait's contract.
    /// * `p` is valid for reads of `BYTES` bytes.
    unsafe fn load(p: *const u8) -> Self;

    /// Marks the lanes in which `self` and `other` differ.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn diff(self, other: Self) -> Self;

    /// Marks the lanes that `self` or `other` marks.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn or(self, other: Self) -> Self;

    /// Whether any lane is marked.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn any(self) -> bool;

    /// The marked lanes, or `None` if there is none.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn mask(self) -> Option<Self::Mask>;
}

/// A non-empty set of lanes of a [`Vector`].
pub(crate) trait Mask: Copy {
    /// The lowest lane of the set, less than the vector's `BYTES`.
    fn first(self) -> usize;

    /// The highest lane of the set, less than the vector's `BYTES`.
    fn last(self) -> usize;
}

/// Masks with one bit a lane: what movemask and the AVX-512 mask registers give.
macro_rules! one_bit_a_lane {
    ($($mask:ty)+) => {$(
        impl Mask for $mask {
            #[inline(always)]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline(always)]
            fn last(self) -> usize {
                self.ilog2() as usize
            }
        }
    )+};
}

one_bit_a_lane! { core::num::NonZeroU32 core::num::NonZeroU64 }
