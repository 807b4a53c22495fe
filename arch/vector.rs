//! What the algorithms of `generic.rs` need of a vector register.

/// A register of `BYTES` lanes of one byte, lane 0 loaded from the lowest address.
///
/// [`diff`](Vector::diff) gives a vector that marks the lanes in which two vectors differ. How a
/// lane is marked is the implementation's choice (SSE2 clears it, NEON sets a bit of it), so marked
/// vectors are only handed to `or`, `any` and `mask`.
///
/// # Safety
/// * The methods are only called on a CPU that has the instructions the implementation is made of.
///
/// They are to be inlined into a function that enables those instructions, so they are
/// `#[inline(always)]` and carry no `#[target_feature]`, which would forbid just that.
pub(crate) trait Vector: Copy {
    /// The number of lanes, a power of two.
    const BYTES: usize;
    /// A set of marked lanes.
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
    #[inline(always)]
    unsafe fn any(self) -> bool {
        // SAFETY: the caller's.
        !unsafe { self.mask() }.is_empty()
    }

    /// The marked lanes.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn mask(self) -> Self::Mask;
}

/// A set of lanes of a [`Vector`].
pub(crate) trait Mask: Copy {
    /// Whether no lane is in the set.
    fn is_empty(self) -> bool;

    /// The number of lanes before the first of the set, the vector's `BYTES` if it is empty.
    fn before(self) -> usize;

    /// The number of lanes behind the last of the set, the vector's `BYTES` if it is empty.
    fn behind(self) -> usize;
}

/// Masks with one bit a lane: what movemask and the AVX-512 mask registers give.
macro_rules! one_bit_a_lane {
    ($($mask:ty)+) => {$(
        impl Mask for $mask {
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }

            #[inline(always)]
            fn before(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline(always)]
            fn behind(self) -> usize {
                self.leading_zeros() as usize
            }
        }
    )+};
}

one_bit_a_lane! { u16 u32 u64 }

/// The laws that make the algorithms trustworthy, a test for each operation of each vector:
/// `laws! { vector, whether this CPU has it }`.
#[cfg(test)]
macro_rules! laws {
    ($vector:ty, $available:expr) => {
        #[cfg(test)]
        mod laws {
            $crate::arch::vector::laws! { @test $vector, $available, load diff or any before behind }
        }
    };
    (@test $vector:ty, $available:expr, $($law:ident)+) => {$(
        #[test]
        fn $law() {
            if $available {
                $crate::arch::vector::tests::$law::<$vector>();
            }
        }
    )+};
}
#[cfg(test)]
pub(crate) use laws;

#[cfg(test)]
pub(crate) mod tests {
    extern crate std;

    use std::vec;
    use std::vec::Vec;

    use super::{Mask, Vector};

    /// The marked lanes of a vector that are seen through `mask`: the first and the last.
    fn ends<V: Vector>(v: V) -> Option<(usize, usize)> {
        // SAFETY: the CPU has the instructions, or no law is checked.
        let mask = unsafe { v.mask() };
        let (before, behind) = (mask.before(), mask.behind());
        if mask.is_empty() {
            assert_eq!((before, behind), (V::BYTES, V::BYTES));
            return None;
        }
        Some((before, V::BYTES - 1 - behind))
    }

    fn load_slice<V: Vector>(bytes: &[u8]) -> V {
        assert!(bytes.len() >= V::BYTES);
        // SAFETY: the slice is long enough; the CPU as above.
        unsafe { V::load(bytes.as_ptr()) }
    }

    fn diff_slices<V: Vector>(a: &[u8], b: &[u8]) -> V {
        // SAFETY: the CPU as above.
        unsafe { load_slice::<V>(a).diff(load_slice(b)) }
    }

    /// A vector in which just these lanes are marked.
    fn marked<V: Vector>(lanes: &[usize]) -> V {
        let (a, mut b) = (vec![0x5a; V::BYTES], vec![0x5a; V::BYTES]);
        lanes.iter().for_each(|&lane| b[lane] ^= 1 << (lane % 8));
        diff_slices(&a, &b)
    }

    /// `load` takes the bytes from the address on, wherever it is, and lane 0 is the first of them.
    pub fn load<V: Vector>() {
        let bytes: Vec<u8> = (0..=255).collect();
        for offset in 0..=64 {
            let at = &bytes[offset..];
            let exact = at[..V::BYTES].to_vec();
            assert_eq!(ends(diff_slices::<V>(at, &exact)), None);
            for lane in 0..V::BYTES {
                let mut other = exact.clone();
                other[lane] ^= 0x80;
                assert_eq!(ends(diff_slices::<V>(at, &other)), Some((lane, lane)));
            }
        }
    }

    /// `diff` marks a lane whatever two values differ in it, and no lane that is equal.
    pub fn diff<V: Vector>() {
        for x in 0..=255 {
            assert_eq!(
                ends(diff_slices::<V>(&vec![x; V::BYTES], &vec![x; V::BYTES])),
                None
            );
            for y in (0..=255).filter(|&y| y != x) {
                let lane = usize::from(x ^ y) % V::BYTES;
                let (mut a, mut b) = (vec![7; V::BYTES], vec![7; V::BYTES]);
                (a[lane], b[lane]) = (x, y);
                assert_eq!(
                    ends(diff_slices::<V>(&a, &b)),
                    Some((lane, lane)),
                    "{x} {y}"
                );
            }
        }
    }

    /// `or` marks what either marks.
    pub fn or<V: Vector>() {
        let none = marked::<V>(&[]);
        for i in 0..V::BYTES {
            for j in 0..V::BYTES {
                let (x, y) = (marked::<V>(&[i]), marked::<V>(&[j]));
                // SAFETY: the CPU as above.
                let (xy, x, y) = unsafe { (x.or(y), x.or(none), none.or(y)) };
                assert_eq!(ends(xy), Some((i.min(j), i.max(j))));
                assert_eq!((ends(x), ends(y)), (Some((i, i)), Some((j, j))));
            }
        }
    }

    /// `any` sees every single lane, and nothing where there is none.
    pub fn any<V: Vector>() {
        // SAFETY: the CPU as above.
        let any = |v: V| unsafe { v.any() };
        assert!(!any(marked(&[])));
        for lane in 0..V::BYTES {
            assert!(any(marked(&[lane])), "{lane}");
            for bit in 0..8 {
                let (a, mut b) = (vec![0x81; V::BYTES], vec![0x81; V::BYTES]);
                b[lane] ^= 1 << bit;
                assert!(any(diff_slices(&a, &b)), "{lane} {bit}");
            }
        }
    }

    /// What is before the lowest marked lane, whatever is marked above it.
    pub fn before<V: Vector>() {
        for lane in 0..V::BYTES {
            let all: Vec<usize> = (lane..V::BYTES).collect();
            assert_eq!(ends(marked::<V>(&all)), Some((lane, V::BYTES - 1)));
        }
    }

    /// What is behind the highest marked lane, whatever is marked below it.
    pub fn behind<V: Vector>() {
        for lane in 0..V::BYTES {
            let all: Vec<usize> = (0..=lane).collect();
            assert_eq!(ends(marked::<V>(&all)), Some((0, lane)));
        }
    }
}
