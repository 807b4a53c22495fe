//! The algorithms, written once over [`Vector`], and how a backend is put together from them.
//!
//! A backend is a ladder of size classes, spelled as a type: `UpTo<16, Words, UpTo<32, Two<V>,
//! ...>>`. Ranges up to four vectors long are covered by loads that overlap in the middle. Longer
//! ones take four vectors a round and test them together, with one of the two sides aligned: half
//! of the loads then never cross a cache line. The technique is that of glibc's and Arm's `memcmp`.

use core::hint::select_unpredictable;
use core::marker::PhantomData;

use super::portable;
use super::vector::{Mask, Vector};
use crate::hint::rarely;

/// The kernels for one class of sizes.
///
/// # Safety
/// Every function requires:
/// * `a` and `b` are valid for reads of `n` bytes;
/// * `n` is a size that the type is for, see there, and at most `isize::MAX`;
/// * the CPU has the instructions that the type is made of.
pub(crate) trait Kernel {
    /// The number of equal bytes before the first that differs, `n` if there is none. If another
    /// thread writes to the bytes, it is `n` or the index of one that differed when it was loaded.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn prefix(a: *const u8, b: *const u8, n: usize) -> usize;

    /// The number of equal bytes after the last that differs, `n` if there is none. If another
    /// thread writes to the bytes, it is `n` or that of one that differed when it was loaded.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn suffix(a: *const u8, b: *const u8, n: usize) -> usize;

    /// Whether all bytes are equal.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn equal(a: *const u8, b: *const u8, n: usize) -> bool;

    /// `a[i] - b[i]` at the first byte `i` that differs, 0 if there is none.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32;
}

/// `a[i] - b[i]`.
///
/// # Safety
/// * `a` and `b` are valid for reads of `i + 1` bytes.
#[inline(always)]
pub(crate) unsafe fn difference_at(a: *const u8, b: *const u8, i: usize) -> i32 {
    // SAFETY: the caller's.
    unsafe { i32::from(*a.add(i)) - i32::from(*b.add(i)) }
}

/// `S` for sizes up to `N`, `L` above.
pub(crate) struct UpTo<const N: usize, S, L>(PhantomData<(S, L)>);

/// The functions of a [`Kernel`] that is one of two, by an expression of `a`, `b` and `n`.
macro_rules! either {
    (|$a:ident, $b:ident, $n:ident| $which:expr, $yes:ident, $no:ident) => {
        either! { @ [$a $b $n] $which, $yes, $no, prefix -> usize }
        either! { @ [$a $b $n] $which, $yes, $no, suffix -> usize }
        either! { @ [$a $b $n] $which, $yes, $no, equal -> bool }
        either! { @ [$a $b $n] $which, $yes, $no, memcmp -> i32 }
    };
    (@ [$a:ident $b:ident $n:ident] $which:expr, $yes:ident, $no:ident,
        $function:ident -> $result:ty) => {
        #[inline(always)]
        unsafe fn $function($a: *const u8, $b: *const u8, $n: usize) -> $result {
            // SAFETY: the caller's; the ladder gives each kernel the sizes it is for.
            unsafe {
                if $which {
                    $yes::$function($a, $b, $n)
                } else {
                    $no::$function($a, $b, $n)
                }
            }
        }
    };
}
#[allow(unused_imports)] // only x86_64 has another use for it
pub(crate) use either;

/// Functions of a [`Kernel`] taken from another.
#[allow(unused_macros)] // only AVX-512 uses it
macro_rules! same {
    ($of:ty: $($function:ident -> $result:ty),+) => {
        $(
            #[inline(always)]
            unsafe fn $function(a: *const u8, b: *const u8, n: usize) -> $result {
                // SAFETY: the caller's.
                unsafe { <$of as Kernel>::$function(a, b, n) }
            }
        )+
    };
}
#[allow(unused_imports)]
pub(crate) use same;

impl<const N: usize, S: Kernel, L: Kernel> Kernel for UpTo<N, S, L> {
    either! { |a, b, n| n <= N, S, L }
}

/// `M` for sizes of `LEAST..=MOST`, by one branch, `O` for all others.
#[allow(dead_code)] // only AVX2 and AVX-512 use it
pub(crate) struct Within<const LEAST: usize, const MOST: usize, M, O>(PhantomData<(M, O)>);

impl<const LEAST: usize, const MOST: usize, M, O> Kernel for Within<LEAST, MOST, M, O>
where
    M: Kernel,
    O: Kernel,
{
    either! { |a, b, n| !rarely(n.wrapping_sub(LEAST) > MOST - LEAST), M, O }
}

/// Up to two words: 0..=16 bytes. The first class of SSE2 and NEON, and for what the first classes of
/// the others are not.
pub(crate) struct Words;

impl Kernel for Words {
    #[inline(always)]
    unsafe fn prefix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        unsafe { portable::prefix_short(a, b, n) }
    }

    #[inline(always)]
    unsafe fn suffix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        unsafe { portable::suffix_short(a, b, n) }
    }

    #[inline(always)]
    unsafe fn equal(a: *const u8, b: *const u8, n: usize) -> bool {
        // SAFETY: the caller's.
        unsafe { portable::equal_short(a, b, n) }
    }

    #[inline(always)]
    unsafe fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        // SAFETY: the caller's.
        unsafe { portable::memcmp_short(a, b, n) }
    }
}

/// The lanes in which the vectors at `offset` differ.
///
/// # Safety
/// * `a` and `b` are valid for reads of `offset + V::BYTES` bytes.
/// * The contract of `V`.
#[inline(always)]
unsafe fn diff_at<V: Vector>(a: *const u8, b: *const u8, offset: usize) -> V {
    // SAFETY: both loads end at `offset + V::BYTES`.
    unsafe { V::load(a.add(offset)).diff(V::load(b.add(offset))) }
}

/// Whether there is a mismatch in the four vectors at these offsets.
///
/// # Safety
/// * `a` and `b` are valid for reads of `V::BYTES` bytes from each offset on.
/// * The contract of `V`.
#[inline(always)]
unsafe fn any_in_four<V: Vector>(a: *const u8, b: *const u8, offsets: [usize; 4]) -> bool {
    let [o0, o1, o2, o3] = offsets;
    // SAFETY: the caller's.
    unsafe {
        let head = diff_at::<V>(a, b, o0).or(diff_at::<V>(a, b, o1));
        let tail = diff_at::<V>(a, b, o2).or(diff_at::<V>(a, b, o3));
        head.or(tail).any()
    }
}

/// A mask and the offset of its vector.
type Found<V> = (<V as Vector>::Mask, usize);

/// The first if its mask is not empty, else the other. Without a branch: which of four vectors
/// holds the mismatch is what no predictor knows.
#[inline(always)]
fn prefer<M: Mask>((mask, offset): (M, usize), other: (M, usize)) -> (M, usize) {
    let empty = mask.is_empty();
    (
        select_unpredictable(empty, other.0, mask),
        select_unpredictable(empty, other.1, offset),
    )
}

/// The lanes in which the vectors at `offset` differ, and `offset`.
///
/// # Safety
/// * `a` and `b` are valid for reads of `offset + V::BYTES` bytes.
/// * The contract of `V`.
#[inline(always)]
unsafe fn found_at<V: Vector>(a: *const u8, b: *const u8, offset: usize) -> Found<V> {
    // SAFETY: the caller's.
    (unsafe { diff_at::<V>(a, b, offset).mask() }, offset)
}

/// The first vectors, in the order of these offsets, that differ; the last if none do.
///
/// # Safety
/// * `a` and `b` are valid for reads of `V::BYTES` bytes from each offset on.
/// * The contract of `V`.
#[inline(always)]
unsafe fn choose_of_four<V: Vector>(a: *const u8, b: *const u8, offsets: [usize; 4]) -> Found<V> {
    let [o0, o1, o2, o3] = offsets;
    // SAFETY: the caller's.
    unsafe {
        let found = prefer(found_at::<V>(a, b, o2), found_at::<V>(a, b, o3));
        let found = prefer(found_at::<V>(a, b, o1), found);
        prefer(found_at::<V>(a, b, o0), found)
    }
}

/// The same offsets, the last first.
#[inline(always)]
fn reversed([o0, o1, o2, o3]: [usize; 4]) -> [usize; 4] {
    [o3, o2, o1, o0]
}

/// The kernels for one class of sizes, made of whole vectors.
///
/// # Safety
/// Every function has the contract of [`Kernel`].
pub(crate) trait Vectors {
    type V: Vector;

    /// The vectors in which the first mismatch is, or those that end at `n` if there is none.
    /// They lie in `0..n`, whatever another thread does to the bytes.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn first(a: *const u8, b: *const u8, n: usize) -> Found<Self::V>;

    /// The vectors in which the last mismatch is, or those that start at 0 if there is none.
    /// They lie in `0..n`, whatever another thread does to the bytes.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn last(a: *const u8, b: *const u8, n: usize) -> Found<Self::V>;

    /// Whether all bytes are equal.
    ///
    /// # Safety
    /// * The trait's contract.
    unsafe fn all_equal(a: *const u8, b: *const u8, n: usize) -> bool;
}

/// Nothing here branches on the result: the counts of an empty mask are those of the whole vector,
/// and if no byte differs, the first ones of any vector give 0.
impl<T: Vectors> Kernel for T {
    #[inline(always)]
    unsafe fn prefix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        let (mask, offset) = unsafe { T::first(a, b, n) };
        offset + mask.before()
    }

    #[inline(always)]
    unsafe fn suffix(a: *const u8, b: *const u8, n: usize) -> usize {
        // SAFETY: the caller's.
        let (mask, offset) = unsafe { T::last(a, b, n) };
        n - T::V::BYTES - offset + mask.behind()
    }

    #[inline(always)]
    unsafe fn equal(a: *const u8, b: *const u8, n: usize) -> bool {
        // SAFETY: the caller's.
        unsafe { T::all_equal(a, b, n) }
    }

    #[inline(always)]
    unsafe fn memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
        // SAFETY: the caller's; the vectors end at `n` or before, and the remainder is one of their
        // lanes.
        unsafe {
            let (mask, offset) = T::first(a, b, n);
            difference_at(a, b, offset + mask.before() % T::V::BYTES)
        }
    }
}

/// One vector up to two: `V::BYTES..=2 * V::BYTES` bytes.
pub(crate) struct Two<V>(PhantomData<V>);

impl<V: Vector> Vectors for Two<V> {
    type V = V;

    #[inline(always)]
    unsafe fn first(a: *const u8, b: *const u8, n: usize) -> Found<V> {
        // SAFETY: the vectors start at 0 or after it and end at `n` or before. They overlap or
        // meet, so each byte is seen.
        unsafe { prefer(found_at::<V>(a, b, 0), found_at::<V>(a, b, n - V::BYTES)) }
    }

    #[inline(always)]
    unsafe fn last(a: *const u8, b: *const u8, n: usize) -> Found<V> {
        // SAFETY: as in `first`.
        unsafe { prefer(found_at::<V>(a, b, n - V::BYTES), found_at::<V>(a, b, 0)) }
    }

    #[inline(always)]
    unsafe fn all_equal(a: *const u8, b: *const u8, n: usize) -> bool {
        // SAFETY: as in `first`.
        unsafe {
            !diff_at::<V>(a, b, 0)
                .or(diff_at::<V>(a, b, n - V::BYTES))
                .any()
        }
    }
}

/// Two vectors up to four: `2 * V::BYTES..=4 * V::BYTES` bytes. All four are loaded at once: where
/// a mismatch is, no predictor knows. One class for one vector up to four, with offsets that
/// overlap, saves a branch on the length, but took 1.6 times as long at 96 and 128 bytes of
/// AVX-512.
pub(crate) struct Four<V>(PhantomData<V>);

impl<V: Vector> Four<V> {
    /// Where the four vectors start, two from either end.
    #[inline(always)]
    fn offsets(n: usize) -> [usize; 4] {
        let w = V::BYTES;
        [0, w, n - 2 * w, n - w]
    }
}

impl<V: Vector> Vectors for Four<V> {
    type V = V;

    #[inline(always)]
    unsafe fn first(a: *const u8, b: *const u8, n: usize) -> Found<V> {
        // SAFETY: no offset is negative and no vector ends behind `n`. The first two cover `0..2 *
        // w`, the last two `n - 2 * w..n`. Where these overlap, the vector that is preferred has
        // seen every byte that lies before, or behind if the order is reversed.
        unsafe { choose_of_four::<V>(a, b, Self::offsets(n)) }
    }

    #[inline(always)]
    unsafe fn last(a: *const u8, b: *const u8, n: usize) -> Found<V> {
        // SAFETY: as in `first`.
        unsafe { choose_of_four::<V>(a, b, reversed(Self::offsets(n))) }
    }

    #[inline(always)]
    unsafe fn all_equal(a: *const u8, b: *const u8, n: usize) -> bool {
        // SAFETY: as in `first`.
        !unsafe { any_in_four::<V>(a, b, Self::offsets(n)) }
    }
}

/// More than four vectors: `4 * V::BYTES + 1` bytes and more.
pub(crate) struct Long<V>(PhantomData<V>);

impl<V: Vector> Long<V> {
    /// The bytes of a round.
    const ROUND: usize = 4 * V::BYTES;

    /// Half a round: if no more is left at the end, two vectors do. Without it 257 and 384 bytes
    /// took 1.3 times as long.
    const HALF: usize = 2 * V::BYTES;

    /// The offsets of the vectors of a round.
    #[inline(always)]
    fn round(offset: usize) -> [usize; 4] {
        let w = V::BYTES;
        [offset, offset + w, offset + 2 * w, offset + 3 * w]
    }

    /// By how much less than a round to go on after the first, so that what is `from` bytes from an
    /// aligned address becomes aligned. Up to four rounds it is not worth it: an aligned side saves
    /// a fifth of the time of a round, and the bytes compared again may cost one.
    #[inline(always)]
    fn realign(from: usize, n: usize) -> usize {
        if n > 4 * Self::ROUND {
            from & (V::BYTES - 1)
        } else {
            0
        }
    }
}

impl<V: Vector> Vectors for Long<V> {
    type V = V;

    #[inline(always)]
    unsafe fn first(a: *const u8, b: *const u8, n: usize) -> Found<V> {
        let (last, half) = (n - Self::ROUND, n - Self::HALF);
        // SAFETY: a round starts at 0, or below `last` and where the one before it ended or before
        // that, or at `last`, and half a round at `half`: every load ends at `n` or before, as does a
        // single vector at `n - V::BYTES`, and each byte is seen.
        unsafe {
            let round = 'round: {
                if any_in_four::<V>(a, b, Self::round(0)) {
                    break 'round 0;
                }
                let mut offset = Self::ROUND - Self::realign(b.addr(), n);
                while offset < last {
                    if any_in_four::<V>(a, b, Self::round(offset)) {
                        break 'round offset;
                    }
                    offset += Self::ROUND;
                }
                if offset >= half {
                    let (mask, offset) = Two::<V>::first(a.add(half), b.add(half), Self::HALF);
                    return (mask, half + offset);
                }
                // Long ranges that are equal up to here mostly are to the end.
                if !any_in_four::<V>(a, b, Self::round(last)) {
                    return found_at::<V>(a, b, n - V::BYTES);
                }
                last
            };
            let (mask, offset) = choose_of_four::<V>(a, b, Self::round(round));
            // A racing writer may have made equal what differed.
            prefer((mask, offset), (mask, n - V::BYTES))
        }
    }

    #[inline(always)]
    unsafe fn last(a: *const u8, b: *const u8, n: usize) -> Found<V> {
        let last = n - Self::ROUND;
        // SAFETY: as in `first`, from the other end.
        unsafe {
            let round = 'round: {
                if any_in_four::<V>(a, b, Self::round(last)) {
                    break 'round last;
                }
                let mut left = last + Self::realign((b.addr() + n).wrapping_neg(), n);
                while left > Self::ROUND {
                    left -= Self::ROUND;
                    if any_in_four::<V>(a, b, Self::round(left)) {
                        break 'round left;
                    }
                }
                if left <= Self::HALF {
                    return Two::<V>::last(a, b, Self::HALF);
                }
                // As in `first`.
                if !any_in_four::<V>(a, b, Self::round(0)) {
                    return found_at::<V>(a, b, 0);
                }
                0
            };
            let (mask, offset) = choose_of_four::<V>(a, b, reversed(Self::round(round)));
            // As in `first`.
            prefer((mask, offset), (mask, 0))
        }
    }

    #[inline(always)]
    unsafe fn all_equal(a: *const u8, b: *const u8, n: usize) -> bool {
        let (last, half) = (n - Self::ROUND, n - Self::HALF);
        // SAFETY: as in `first`.
        unsafe {
            if any_in_four::<V>(a, b, Self::round(0)) {
                return false;
            }
            let mut offset = Self::ROUND - Self::realign(b.addr(), n);
            while offset < last {
                if any_in_four::<V>(a, b, Self::round(offset)) {
                    return false;
                }
                offset += Self::ROUND;
            }
            if offset >= half {
                return Two::<V>::all_equal(a.add(half), b.add(half), Self::HALF);
            }
            !any_in_four::<V>(a, b, Self::round(last))
        }
    }
}

/// The algorithms over lanes that need no CPU.
#[cfg(test)]
mod tests {
    extern crate std;

    use std::cell::{Cell, RefCell};
    use std::vec::Vec;

    use super::{Four, Kernel, Long, Mask, Two, UpTo, Vector, Words};
    use crate::arch::vector::laws;

    std::thread_local! {
        /// The addresses that a load may read: a test that reads elsewhere fails.
        static READABLE: Cell<[(usize, usize); 2]> = const { Cell::new([(0, usize::MAX); 2]) };

        /// The addresses of all loads so far.
        static LOADS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    }

    /// Four lanes; a marked one is not 0.
    #[derive(Clone, Copy)]
    struct Bytes4([u8; 4]);

    impl Vector for Bytes4 {
        const BYTES: usize = 4;
        type Mask = Bytes4;

        unsafe fn load(p: *const u8) -> Self {
            let within = |&(start, end): &(usize, usize)| start <= p.addr() && p.addr() + 4 <= end;
            assert!(
                READABLE.get().iter().any(within),
                "a load outside both ranges"
            );
            LOADS.with_borrow_mut(|loads| loads.push(p.addr()));
            // SAFETY: the caller's, and checked above.
            Bytes4(unsafe { *p.cast() })
        }

        unsafe fn diff(self, other: Self) -> Self {
            Bytes4(core::array::from_fn(|i| self.0[i] ^ other.0[i]))
        }

        unsafe fn or(self, other: Self) -> Self {
            Bytes4(core::array::from_fn(|i| self.0[i] | other.0[i]))
        }

        unsafe fn mask(self) -> Self {
            self
        }
    }

    impl Mask for Bytes4 {
        fn is_empty(self) -> bool {
            self.0 == [0; 4]
        }

        fn before(self) -> usize {
            self.0.iter().take_while(|&&lane| lane == 0).count()
        }

        fn behind(self) -> usize {
            self.0.iter().rev().take_while(|&&lane| lane == 0).count()
        }
    }

    laws! { super::Bytes4, true }

    /// Every function of a kernel against the byte walk.
    fn check<K: Kernel>(a: &[u8], b: &[u8]) {
        let (p, q, n) = (a.as_ptr(), b.as_ptr(), a.len());
        assert_eq!(n, b.len());
        READABLE.set([p, q].map(|start| (start.addr(), start.addr() + n)));
        LOADS.take();
        // SAFETY: both slices are `n` bytes long, and the callers choose sizes that `K` is for.
        let found = unsafe {
            (
                K::prefix(p, q, n),
                K::suffix(p, q, n),
                K::equal(p, q, n),
                K::memcmp(p, q, n),
            )
        };
        let first = (0..n).find(|&i| a[i] != b[i]);
        let last = (0..n).rev().find(|&i| a[i] != b[i]);
        let expected = (
            first.unwrap_or(n),
            last.map_or(n, |i| n - 1 - i),
            first.is_none(),
            first.map_or(0, |i| i32::from(a[i]) - i32::from(b[i])),
        );
        assert_eq!(found, expected, "{a:?} {b:?}");
    }

    /// The classes for one vector up to four.
    type Short = UpTo<8, Two<Bytes4>, Four<Bytes4>>;

    /// The `n` bytes 0 and 1 that the bits of a number spell.
    fn spell(bits: u32, n: usize) -> Vec<u8> {
        (0..n).map(|i| (bits >> i & 1) as u8).collect()
    }

    #[test]
    fn every_two_short_inputs() {
        for n in 4..=8 {
            let inputs: Vec<Vec<u8>> = (0..1 << n).map(|bits| spell(bits, n)).collect();
            for a in &inputs {
                inputs.iter().for_each(|b| check::<Short>(a, b));
            }
        }
    }

    /// Every set of differences; more inputs `a` would only change the sign of the result.
    #[test]
    fn every_difference_of_short_inputs() {
        for n in 9..=12 {
            for bits in [0, 0xfff, 0x555, 0x333] {
                let a = spell(bits, n);
                (0..1 << n).for_each(|other| check::<Short>(&a, &spell(other, n)));
            }
        }
    }

    /// Every one, two and three differences in ranges of up to three rounds, at every alignment,
    /// and every one and two in ranges that are long enough to be aligned.
    #[test]
    fn a_ladder() {
        type Ladder = UpTo<5, Words, UpTo<16, Short, Long<Bytes4>>>;
        const MOST: usize = 80;
        let a = [7; MOST];
        let mut buffer = [7; MOST + 4];
        for (offset, n) in (0..4).flat_map(|k| (0..=40).chain(61..=MOST).map(move |n| (k, n))) {
            check::<Ladder>(&a[..n], &buffer[offset..offset + n]);
            for i in 0..n {
                for j in i..n {
                    for k in (j..if n <= 40 { n } else { j + 1 }).step_by(3) {
                        for (at, value) in [(k, 9), (j, 5), (i, 8)] {
                            buffer[offset + at] = value;
                        }
                        check::<Ladder>(&a[..n], &buffer[offset..offset + n]);
                        buffer = [7; MOST + 4];
                    }
                }
            }
        }
    }

    /// Between the first round and the end, up to four rounds follow one after the other, with half
    /// a round at the end if that is enough, and in more of them `b` is aligned.
    #[test]
    fn rounds() {
        type K = Long<Bytes4>;
        let (a, buffer) = ([7; 100], [7; 104]);
        for (start, n) in (0..4).flat_map(|start| (33..=100).map(move |n| (start, n))) {
            let (p, q) = (a.as_ptr(), buffer[start..].as_ptr());
            READABLE.set([p, q].map(|start| (start.addr(), start.addr() + n)));
            let loads = |call: &dyn Fn()| {
                LOADS.take();
                call();
                let mut loads = LOADS.take();
                loads.retain(|load| (q.addr()..q.addr() + n).contains(load));
                loads
            };
            // SAFETY: at least `n` bytes follow in both.
            let (prefix, suffix, equal) = unsafe {
                (
                    loads(&|| assert_eq!(K::prefix(p, q, n), n)),
                    loads(&|| assert_eq!(K::suffix(p, q, n), n)),
                    loads(&|| assert!(K::equal(p, q, n))),
                )
            };
            // After a whole round at the end, a count takes one vector more.
            let expected = [(16, 1), (n - 32, 1), (16, 0)];
            for (loads, (second, more)) in [prefix, suffix, equal].iter().zip(expected) {
                let second = q.addr() + second;
                if n <= 64 {
                    let (rounds, rest) = ((n - 1) / 16, (n - 1) % 16 + 1);
                    let count = 4 * rounds + if rest <= 8 { 2 } else { 4 + more };
                    assert_eq!((loads[4], loads.len()), (second, count), "{start} {n}");
                } else {
                    let middle = &loads[4..loads.len() - 4 - more];
                    assert!(middle.iter().all(|load| load % 4 == 0), "{start} {n}");
                }
            }
        }
    }

    std::thread_local! {
        /// The address of a byte that differs when it is loaded for the first time, but not again; 0
        /// once that has happened.
        static RACED: Cell<usize> = const { Cell::new(0) };
    }

    /// Lanes of which a racing writer changes one.
    #[derive(Clone, Copy)]
    struct Raced(Bytes4);

    impl Vector for Raced {
        const BYTES: usize = 4;
        type Mask = Bytes4;

        unsafe fn load(p: *const u8) -> Self {
            // SAFETY: the caller's.
            let mut bytes = unsafe { Bytes4::load(p) };
            if let Some(lane) = bytes.0.get_mut(RACED.get().wrapping_sub(p.addr())) {
                *lane ^= 1;
                RACED.set(0);
            }
            Raced(bytes)
        }

        unsafe fn diff(self, other: Self) -> Self {
            // SAFETY: the caller's.
            Raced(unsafe { self.0.diff(other.0) })
        }

        unsafe fn or(self, other: Self) -> Self {
            // SAFETY: the caller's.
            Raced(unsafe { self.0.or(other.0) })
        }

        unsafe fn mask(self) -> Bytes4 {
            self.0
        }
    }

    /// What differed once and is equal when it is loaded again gives its index, or `n`.
    #[test]
    fn raced() {
        type K = UpTo<8, Two<Raced>, UpTo<16, Four<Raced>, Long<Raced>>>;
        let (a, b) = ([7; 100], [7; 104]);
        for (start, n) in (0..4).flat_map(|start| (4..=100).map(move |n| (start, n))) {
            let (p, q) = (a.as_ptr(), b[start..].as_ptr());
            READABLE.set([p, q].map(|start| (start.addr(), start.addr() + n)));
            for i in 0..n {
                // SAFETY: at least `n` bytes follow in both.
                let (prefix, suffix) = unsafe {
                    RACED.set(q.addr() + i);
                    let prefix = K::prefix(p, q, n);
                    RACED.set(q.addr() + i);
                    (prefix, K::suffix(p, q, n))
                };
                assert!([i, n].contains(&prefix), "{start} {n} {i}: {prefix}");
                assert!(
                    [n - 1 - i, n].contains(&suffix),
                    "{start} {n} {i}: {suffix}"
                );
            }
        }
    }
}
