//! What people write by hand: loops over bytes, and over words with xor.

use std::cmp::Ordering;
use std::hint::black_box;

/// The byte loop that finds a mismatch; `None` if there is none.
#[inline(always)]
pub fn position(a: &[u8], b: &[u8]) -> Option<usize> {
    a.iter().zip(b).position(|(x, y)| x != y)
}

/// The byte loop for C's `memcmp`.
#[inline(always)]
pub fn memcmp(a: &[u8], b: &[u8]) -> i32 {
    difference(a, b, position(a, b))
}

/// The byte loop for the common suffix.
#[inline(always)]
pub fn suffix_len(a: &[u8], b: &[u8]) -> usize {
    let pairs = a.iter().rev().zip(b.iter().rev());
    pairs.take_while(|(x, y)| x == y).count()
}

/// The order that a result of `memcmp` over the shorter length leads to.
#[inline(always)]
pub fn order(difference: i32, a: &[u8], b: &[u8]) -> Ordering {
    difference.cmp(&0).then(a.len().cmp(&b.len()))
}

#[inline(always)]
fn difference(a: &[u8], b: &[u8], position: Option<usize>) -> i32 {
    position.map_or(0, |i| i32::from(a[i]) - i32::from(b[i]))
}

/// The same, eight bytes at a time.
pub mod words {
    const WORD: usize = 8;

    #[inline(always)]
    fn word(bytes: &[u8]) -> u64 {
        u64::from_le_bytes(bytes.try_into().expect("chunks of eight bytes"))
    }

    /// The first mismatch: xor, then the lowest bit.
    #[inline(always)]
    pub fn position(a: &[u8], b: &[u8]) -> Option<usize> {
        let words = a.chunks_exact(WORD).zip(b.chunks_exact(WORD));
        let mut i = 0;
        for (x, y) in words {
            let xor = word(x) ^ word(y);
            if xor != 0 {
                return Some(i + xor.trailing_zeros() as usize / 8);
            }
            i += WORD;
        }
        super::position(&a[i..], &b[i..]).map(|k| i + k)
    }

    /// C's `memcmp`.
    #[inline(always)]
    pub fn memcmp(a: &[u8], b: &[u8]) -> i32 {
        super::difference(a, b, position(a, b))
    }

    /// Whether two slices are equal.
    #[inline(always)]
    pub fn equal(a: &[u8], b: &[u8]) -> bool {
        let (x, y) = (a.chunks_exact(WORD), b.chunks_exact(WORD));
        let (x_rest, y_rest) = (x.remainder(), y.remainder());
        a.len() == b.len()
            && x.zip(y).all(|(x, y)| word(x) ^ word(y) == 0)
            && super::position(x_rest, y_rest).is_none()
    }

    /// The common suffix: xor, then the highest bit.
    #[inline(always)]
    pub fn suffix_len(a: &[u8], b: &[u8]) -> usize {
        let words = a.rchunks_exact(WORD).zip(b.rchunks_exact(WORD));
        let mut len = 0;
        for (x, y) in words {
            let xor = word(x) ^ word(y);
            if xor != 0 {
                return len + xor.leading_zeros() as usize / 8;
            }
            len += WORD;
        }
        len + super::suffix_len(&a[..a.len() - len], &b[..b.len() - len])
    }
}

/// No comparison at all: the loads of `a` and `b` that any comparison must make, 32 bytes each.
/// What is left after the last 256 bytes is not loaded.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
pub fn loads_only(a: &[u8], b: &[u8]) {
    let rounds = a.len().min(b.len()) / 256;
    if rounds == 0 {
        return;
    }
    // SAFETY: each of the `rounds` loads 256 bytes of either side.
    unsafe {
        std::arch::asm!(
            "2:",
            "vmovdqu {x}, [{a}]", "vmovdqu {x}, [{b}]",
            "vmovdqu {x}, [{a} + 32]", "vmovdqu {x}, [{b} + 32]",
            "vmovdqu {x}, [{a} + 64]", "vmovdqu {x}, [{b} + 64]",
            "vmovdqu {x}, [{a} + 96]", "vmovdqu {x}, [{b} + 96]",
            "vmovdqu {x}, [{a} + 128]", "vmovdqu {x}, [{b} + 128]",
            "vmovdqu {x}, [{a} + 160]", "vmovdqu {x}, [{b} + 160]",
            "vmovdqu {x}, [{a} + 192]", "vmovdqu {x}, [{b} + 192]",
            "vmovdqu {x}, [{a} + 224]", "vmovdqu {x}, [{b} + 224]",
            "add {a}, 256",
            "add {b}, 256",
            "dec {rounds}",
            "jnz 2b",
            x = out(ymm_reg) _,
            a = inout(reg) a.as_ptr() => _,
            b = inout(reg) b.as_ptr() => _,
            rounds = inout(reg) rounds => _,
            options(nostack, readonly),
        );
    }
}

/// A chain of 1024 additions, one cycle each: what it takes tells the clock of the processor.
pub fn cycles_1024() {
    let mut x = 0_u64;
    for _ in 0..64 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: it changes one register.
        unsafe {
            std::arch::asm!(
                ".rept 16", "add {x}, 1", ".endr",
                x = inout(reg) x, options(nostack, nomem),
            );
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: it changes one register.
        unsafe {
            std::arch::asm!(
                ".rept 16", "add {x}, {x}, #1", ".endr",
                x = inout(reg) x, options(nostack, nomem),
            );
        }
    }
    black_box(x);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_agree_with_bytes() {
        for n in 0..40 {
            let a: Vec<u8> = (0..n).collect();
            for i in 0..=a.len() {
                let mut b = a.clone();
                if let Some(byte) = b.get_mut(i) {
                    *byte ^= 0x81;
                }
                assert_eq!(words::position(&a, &b), position(&a, &b));
                assert_eq!(words::memcmp(&a, &b), memcmp(&a, &b));
                assert_eq!(words::equal(&a, &b), a == b);
                assert_eq!(words::suffix_len(&a, &b), suffix_len(&a, &b));
            }
        }
    }
}
