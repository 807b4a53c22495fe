//! The same everywhere: one fixed corpus, all answers folded into one number, which every subject
//! must give on every target.

use std::iter;

use crate::support::{AROUND, Answers, Random, SUBJECTS, Subject, oracle};

/// The number of comparisons.
const COMPARISONS: usize = 1 << 20;

/// What they fold into.
const DIGEST: u64 = 0x3fe2_dc9b_3c35_14bd;

/// Calls `compare` with each pair of ranges of the corpus.
fn corpus(mut compare: impl FnMut(&[u8], &[u8])) {
    let mut random = Random(2);
    let mut common = [0; 4096];
    random.fill(&mut common);
    let (mut left, mut right) = ([AROUND[0]; 640], [AROUND[1]; 640]);
    for _ in 0..COMPARISONS {
        let n = match random.below(64) {
            0 => random.below(576),
            1..32 => (16 * random.below(21) + random.below(3)).saturating_sub(1),
            _ => random.below(73),
        };
        let (i, j, start) = (
            random.below(64),
            random.below(64),
            random.below(common.len() - n),
        );
        let (a, b) = (&mut left[i..i + n], &mut right[j..j + n]);
        a.copy_from_slice(&common[start..start + n]);
        b.copy_from_slice(&common[start..start + n]);
        for _ in 0..random.below(4).min(n) {
            b[random.below(n)] = random.byte();
        }
        let cut = match random.below(8) {
            0 => random.below(n + 1),
            _ => n,
        };
        let b = &b[..cut];
        match random.below(2) {
            0 => compare(a, b),
            _ => compare(b, a),
        }
    }
}

/// Folds the answers into the digest so far.
fn fold(digest: u64, answers: Answers) -> u64 {
    let mismatch = answers.mismatch.map_or(u64::MAX, |i| i as u64);
    [
        answers.memcmp as u64,
        u64::from(answers.equal),
        answers.compare as u64,
        mismatch,
        answers.common_prefix_len as u64,
        answers.common_suffix_len as u64,
    ]
    .into_iter()
    .fold(digest, |digest, answer| {
        (digest.rotate_left(5) ^ answer).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// By the oracle and by every subject, each of which must come to the same digest.
#[test]
fn a_million_comparisons() {
    let mut digests = vec![0; 1 + SUBJECTS.len()];
    corpus(|a, b| {
        let subjects = SUBJECTS.iter().map(|subject| subject.answers(a, b));
        let all = iter::once(oracle(a, b)).chain(subjects);
        for (digest, answers) in digests.iter_mut().zip(all) {
            *digest = fold(*digest, answers);
        }
    });
    let names = iter::once("the oracle".into()).chain(SUBJECTS.iter().map(Subject::to_string));
    let mut digests: Vec<(String, u64)> = names.zip(digests).collect();
    for (name, digest) in &digests {
        println!("digest {digest:#018x} of {COMPARISONS} comparisons by {name}");
    }
    digests.retain(|&(_, digest)| digest != DIGEST);
    assert!(digests.is_empty(), "not {DIGEST:#018x} by {digests:#018x?}");
}
