//! Many threads: the first use of the crate raced, and ranges that another thread is writing.
#![cfg(unix)]

mod shared;

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Barrier, LazyLock};
use std::thread;

use memdiff::{Backend, raw};
use shared::Shared;

/// What 64 threads found active. Every test of this binary asks for it before it uses the crate,
/// so that the first use in the process is the race.
static RACE: LazyLock<Vec<Backend>> = LazyLock::new(|| {
    const THREADS: usize = 64;
    let start = Barrier::new(THREADS);
    let first_use = |i| {
        start.wait();
        // Half of them compare first, half ask first.
        if i % 2 == 0 {
            assert_eq!(memdiff::memcmp(&[1; 100], &[2; 100]), -1);
        }
        Backend::active()
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|i| scope.spawn(move || first_use(i)))
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    })
});

#[test]
fn first_use_is_raced() {
    let found = &*RACE;
    let active = Backend::active();
    assert!(found.iter().all(|&backend| backend == active), "{found:?}");
    assert!(Backend::available().any(|backend| backend == active));
}

/// A writer changes the middle of a range while it is compared. Whatever mixture of old and new
/// bytes the kernels see: no crash (inaccessible pages lie around the ranges), a difference in
/// -255..=255, and an index in the middle or, if the middle was seen equal, `n`.
#[test]
fn racing_writer() {
    println!("{} threads found {}", RACE.len(), Backend::active());
    let memory = Shared::new();
    let half = memory.len() / 2;
    let lengths = (1..=70).chain([
        100, 127, 128, 129, 200, 255, 256, 257, 300, 1000, 1536, half,
    ]);
    for n in lengths {
        // `a` ends where the memory ends, `b` starts where it starts.
        let (a_at, b_at) = (memory.len() - n, 0);
        let middle = n / 4..n - n / 4;
        let (stop, writes) = (AtomicBool::new(false), AtomicUsize::new(0));
        thread::scope(|scope| {
            let _stop = StopOnDrop(&stop);
            scope.spawn(|| {
                for value in (0..=255_u8).cycle() {
                    // Half of the time equal to `b`, which is zeros.
                    let value = if value % 2 == 0 { 0 } else { value };
                    middle.clone().for_each(|i| memory.write(a_at + i, value));
                    writes.fetch_add(1, Relaxed);
                    if stop.load(Relaxed) {
                        break;
                    }
                }
                middle.clone().for_each(|i| memory.write(a_at + i, 0));
            });

            while writes.load(Relaxed) == 0 {
                thread::yield_now();
            }
            let (a, b) = (memory.read_at(a_at), memory.read_at(b_at));
            // Short ranges are read more than once a byte, so there is more to get wrong.
            for _ in 0..if n <= 16 { 100_000 } else { 2_000 } {
                // SAFETY: both ranges lie in the memory. Only the other mapping is written, with
                // volatile writes.
                let (difference, prefix, suffix) = unsafe {
                    black_box(raw::bcmp(a, b, n));
                    (
                        raw::memcmp(a, b, n),
                        raw::mismatch(a, b, n),
                        raw::rmismatch(a, b, n),
                    )
                };
                assert!((-255..=255).contains(&difference), "n = {n}: {difference}");
                let last = (n - 1).wrapping_sub(suffix);
                for (count, index) in [(prefix, prefix), (suffix, last)] {
                    assert!(count == n || middle.contains(&index), "n = {n}: {count}");
                }
            }
        });
    }
}

/// Ends the writer, at the end of the comparisons or at a failed assertion.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
