//! Comparisons laid out in memory, ready to be called.

use std::borrow::Cow;
use std::hint::black_box;
use std::slice;

/// What every byte is that is not a difference.
const FILL: u8 = b'=';
const LINE: usize = 64;
const PAGE: usize = 4096;

/// A comparison: its length, the index of the first difference (`len` if there is none), and where
/// both sides lie in their cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// How many bytes are compared.
    pub len: usize,
    /// The index of the first difference, `len` if there is none.
    pub pos: usize,
    /// The address of `a`, modulo 64.
    pub a64: usize,
    /// The address of `b`, modulo 64.
    pub b64: usize,
}

/// The last byte of `b`, in a comparison that differs nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastByte {
    /// That of `a`: no difference.
    Equal,
    /// Greater than that of `a`.
    Greater,
    /// Less than that of `a`.
    Less,
}

/// Two ranges of `n` bytes, as offsets into `Calls::memory`. Small, for thousands of them to stay
/// in the cache.
#[derive(Clone, Copy)]
struct Call {
    a: u32,
    b: u32,
    n: u32,
}

/// Comparisons and the bytes that they compare.
pub struct Calls {
    /// Never changed once the calls are laid out: both ranges of every call lie in it.
    memory: Cow<'static, [u8]>,
    calls: Vec<Call>,
}

impl Calls {
    /// The longest comparison that [`Calls::replay`] keeps as it is; it cuts longer ones.
    pub const LONGEST: usize = 32 * 1024;

    /// Lays out many comparisons so that their bytes stay in the cache: what is measured is
    /// computing and branching, not memory.
    ///
    /// Both sides are filled with one byte. A side that differs runs over one of 64 markers, one
    /// for every place in a cache line. The others start on a line of one page, chosen at random,
    /// so that ranges cross the end of a page as often as they do in a program.
    #[must_use]
    pub fn replay(rows: &[Row]) -> Calls {
        let longest = rows.iter().map(|row| row.len).max().unwrap_or(0);
        let span = longest.min(Self::LONGEST).next_multiple_of(LINE);
        // An odd number of lines spreads the markers over all sets of the cache.
        let stride = LINE * ((2 * span / LINE + 1) | 1);
        let equal = PAGE + LINE + span;
        let mut memory = Memory::new(2 * equal + LINE * stride + LINE + span);
        let markers = 2 * equal + span;
        let marker = |place: usize| markers + place * stride + place;
        for place in 0..LINE {
            let sign = if place.count_ones() % 2 == 0 { 1 } else { -1 };
            memory.set(marker(place), FILL.wrapping_add_signed(sign));
        }
        let mut random = fastrand::Rng::with_seed(1);
        let mut line = || LINE * random.usize(..PAGE / LINE);
        for row in rows {
            let len = row.len.min(Self::LONGEST);
            let a = line() + row.a64 % LINE;
            let b = if row.pos < len {
                marker((row.b64 + row.pos) % LINE) - row.pos
            } else {
                equal + line() + row.b64 % LINE
            };
            memory.call(a, b, len);
        }
        memory.calls()
    }

    /// The same comparison, `times` times: `n` bytes that differ in the last one at most, at the
    /// given offsets from the start of a page.
    ///
    /// # Panics
    /// If a difference is asked for without a byte to hold it.
    #[must_use]
    pub fn repeat(a: usize, b: usize, n: usize, last: LastByte, times: usize) -> Calls {
        let b = (a + n).next_multiple_of(PAGE) + PAGE + b;
        let mut memory = Memory::new(b + n);
        let delta = match last {
            LastByte::Equal => 0,
            LastByte::Greater => 1,
            LastByte::Less => -1,
        };
        if delta != 0 {
            assert!(n > 0, "no byte to differ in");
            memory.set(b + n - 1, FILL.wrapping_add_signed(delta));
        }
        for _ in 0..times {
            memory.call(a, b, n);
        }
        memory.calls()
    }

    /// The same comparison, `times` times, in memory that is given: its last `n` bytes against its
    /// first.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn at_the_end(memory: &'static mut [u8], n: usize, times: usize) -> Calls {
        memory.fill(FILL);
        let a = memory.len() - n;
        let call = Call {
            a: u32::try_from(a).expect("less than 4 GiB"),
            b: 0,
            n: u32::try_from(n).expect("less than 4 GiB"),
        };
        Calls {
            memory: Cow::Borrowed(memory),
            calls: vec![call; times],
        }
    }

    /// How many calls there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no workload is empty")]
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Puts the calls in another order.
    pub fn shuffle(&mut self, random: &mut fastrand::Rng) {
        random.shuffle(&mut self.calls);
    }

    /// The two sides of every call.
    #[inline(always)]
    pub fn pairs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let memory = self.memory.as_ptr();
        self.calls.iter().map(move |call| {
            let n = call.n as usize;
            // SAFETY: `Memory::call` and `at_the_end` see to it that both ranges lie in the memory.
            unsafe {
                (
                    slice::from_raw_parts(memory.add(call.a as usize), n),
                    slice::from_raw_parts(memory.add(call.b as usize), n),
                )
            }
        })
    }

    /// Calls `compare` on every pair, each call waiting for the result of the one before: its
    /// pointers and its length depend on it.
    #[inline(always)]
    pub fn chain(&self, mut compare: impl FnMut(&[u8], &[u8]) -> u64) -> u64 {
        let zero = black_box(0_usize);
        let mut result = 0;
        for (a, b) in self.pairs() {
            let shift = result as usize & zero;
            // SAFETY: the shift is always 0, which the compiler does not know.
            result = unsafe {
                compare(
                    slice::from_raw_parts(a.as_ptr().add(shift), a.len() + shift),
                    slice::from_raw_parts(b.as_ptr().add(shift), b.len() + shift),
                )
            };
        }
        result
    }
}

/// `Calls` in the making; offsets count from the start of a page.
struct Memory {
    bytes: Vec<u8>,
    page: usize,
    calls: Vec<Call>,
}

impl Memory {
    fn new(len: usize) -> Memory {
        // A page before, to align, and one behind, for a peer that reads past the end.
        let bytes = vec![FILL; PAGE + len + PAGE];
        let page = bytes.as_ptr().align_offset(PAGE);
        let calls = Vec::new();
        Memory { bytes, page, calls }
    }

    fn set(&mut self, offset: usize, byte: u8) {
        self.bytes[self.page + offset] = byte;
    }

    fn call(&mut self, a: usize, b: usize, n: usize) {
        let (a, b) = (self.page + a, self.page + b);
        assert!(a + n <= self.bytes.len() && b + n <= self.bytes.len());
        let small = |number| u32::try_from(number).expect("less than 4 GiB");
        self.calls.push(Call {
            a: small(a),
            b: small(b),
            n: small(n),
        });
    }

    fn calls(self) -> Calls {
        Calls {
            memory: self.bytes.into(),
            calls: self.calls,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_laid_out_as_asked() {
        let mut rows = Vec::new();
        for len in [0_usize, 1, 7, 64, 1000] {
            for pos in [0, len / 2, len.saturating_sub(1), len] {
                for (a64, b64) in [(0, 0), (1, 63), (40, 8)] {
                    rows.push(Row { len, pos, a64, b64 });
                }
            }
        }
        let calls = Calls::replay(&rows);
        assert_eq!(calls.len(), rows.len());
        for ((a, b), row) in calls.pairs().zip(&rows) {
            let differing: Vec<_> = (0..row.len).filter(|&i| a[i] != b[i]).collect();
            let wanted = if row.pos < row.len {
                vec![row.pos]
            } else {
                vec![]
            };
            assert_eq!(differing, wanted, "{row:?}");
            assert_eq!((a.len(), b.len()), (row.len, row.len), "{row:?}");
            let places = (a.as_ptr().addr() % LINE, b.as_ptr().addr() % LINE);
            assert_eq!(places, (row.a64, row.b64), "{row:?}");
        }
    }

    #[test]
    fn repeated_calls_differ_in_the_last_byte() {
        for (last, order) in [
            (LastByte::Equal, std::cmp::Ordering::Equal),
            (LastByte::Greater, std::cmp::Ordering::Less),
            (LastByte::Less, std::cmp::Ordering::Greater),
        ] {
            let calls = Calls::repeat(4090, 3, 100, last, 2);
            assert_eq!(calls.len(), 2);
            for (a, b) in calls.pairs() {
                assert_eq!(a.cmp(b), order);
                assert_eq!(a[..99], b[..99]);
                let offsets = (a.as_ptr().addr() % PAGE, b.as_ptr().addr() % PAGE);
                assert_eq!(offsets, (4090, 3));
            }
        }
    }
}
