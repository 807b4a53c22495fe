//! What the targets share: the inputs, cut out of one buffer, and the byte loops that are right.

use arbitrary::Arbitrary;

/// Two ranges of one buffer: any overlap, every alignment.
///
/// The buffer is `bytes` over and over, so ranges that start a whole number of periods apart are
/// equal until one of the `flips` (an index, and what is XORed to that byte). Long equal runs are
/// then a matter of a few input bytes, where random bytes would differ at once.
///
/// As input of a fuzzer the fields stand in this order, little endian, and `bytes` is the rest: see
/// [`encode`](Ranges::encode).
#[derive(Arbitrary, Debug)]
pub struct Ranges<'a> {
    pub a: Range,
    pub b: Range,
    pub flips: [(u16, u8); 2],
    pub periods: u8,
    pub bytes: &'a [u8],
}

/// A range of the buffer; what lies outside it is cut off.
#[derive(Arbitrary, Debug, Clone, Copy)]
pub struct Range {
    pub start: u16,
    pub len: u16,
}

impl Range {
    /// The range of `all` that this is.
    pub fn of<T>(self, all: &[T]) -> &[T] {
        let start = usize::from(self.start).min(all.len());
        let len = usize::from(self.len).min(all.len() - start);
        &all[start..start + len]
    }
}

impl Ranges<'_> {
    /// The buffer.
    pub fn buffer(&self) -> Vec<u8> {
        let mut buffer = self.bytes.repeat(1 + usize::from(self.periods % 8));
        for (at, flip) in self.flips {
            if let Some(byte) = buffer.get_mut(usize::from(at)) {
                *byte ^= flip;
            }
        }
        buffer
    }

    /// Calls `check` with the two ranges: inside the one buffer, and each in a heap block of its
    /// own, at whose ends AddressSanitizer watches.
    pub fn check(&self, check: impl Fn(&[u8], &[u8])) {
        let buffer = self.buffer();
        let (a, b) = (self.a.of(&buffer), self.b.of(&buffer));
        check(a, b);
        check(&Box::<[u8]>::from(a), &Box::<[u8]>::from(b));
    }

    /// The input from which a fuzzer makes this value.
    pub fn encode(&self) -> Vec<u8> {
        let mut input = Vec::new();
        for Range { start, len } in [self.a, self.b] {
            input.extend(start.to_le_bytes());
            input.extend(len.to_le_bytes());
        }
        for (at, flip) in self.flips {
            input.extend(at.to_le_bytes());
            input.push(flip);
        }
        input.push(self.periods);
        input.extend(self.bytes);
        input
    }
}

/// The index of the first element that differs.
pub fn first_difference<T: PartialEq>(a: &[T], b: &[T]) -> Option<usize> {
    (0..a.len().min(b.len())).find(|&i| a[i] != b[i])
}

/// The number of equal elements at the start.
pub fn common_prefix_len<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    first_difference(a, b).unwrap_or(a.len().min(b.len()))
}

/// The number of equal elements at the end.
pub fn common_suffix_len<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    let n = a.len().min(b.len());
    (0..n)
        .find(|&i| a[a.len() - 1 - i] != b[b.len() - 1 - i])
        .unwrap_or(n)
}

/// `a[i] - b[i]` at the first byte that differs.
pub fn memcmp(a: &[u8], b: &[u8]) -> i32 {
    first_difference(a, b).map_or(0, |i| i32::from(a[i]) - i32::from(b[i]))
}
