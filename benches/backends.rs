//! Every function of every backend on a few lengths, to see one change against another.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use memdiff::Backend;
use memdiff_bench::calls::{Calls, LastByte};

/// Below a word, in a word, in vectors of each width, and in the loop.
const SIZES: [usize; 6] = [5, 12, 30, 60, 200, 4096];

/// Benches one function of all backends.
fn bench<R>(c: &mut Criterion, name: &str, f: impl Fn(Backend, &[u8], &[u8]) -> R) {
    let mut group = c.benchmark_group(name);
    for size in SIZES {
        let calls = Calls::repeat(0, 1, size, LastByte::Equal, 1);
        let (a, b) = calls.pairs().next().expect("one call");
        group.throughput(Throughput::Bytes(size as u64));
        for backend in Backend::available() {
            group.bench_function(BenchmarkId::new(backend.name(), size), |bencher| {
                bencher.iter(|| f(backend, black_box(a), black_box(b)));
            });
        }
    }
    group.finish();
}

fn backends(c: &mut Criterion) {
    bench(c, "memcmp", |backend, a, b| backend.memcmp(a, b));
    bench(c, "compare", |backend, a, b| backend.compare(a, b));
    bench(c, "equal", |backend, a, b| backend.equal(a, b));
    bench(c, "mismatch", |backend, a, b| backend.mismatch(a, b));
    bench(c, "common_prefix_len", |backend, a, b| {
        backend.common_prefix_len(a, b)
    });
    bench(c, "common_suffix_len", |backend, a, b| {
        backend.common_suffix_len(a, b)
    });
}

fn quick() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400))
        .sample_size(20)
}

criterion_group! { name = benches; config = quick(); targets = backends }
criterion_main!(benches);
