//! Which backends there are, which one is active, and what they are called.

use std::collections::HashSet;
use std::env;
use std::sync::Barrier;
use std::thread;

use memdiff::{Backend, BackendError};

use crate::support::SUBJECTS;

const ENDIAN: &str = if cfg!(target_endian = "little") {
    "little"
} else {
    "big"
};

fn names() -> Vec<&'static str> {
    Backend::available().map(Backend::name).collect()
}

/// Every job says what it tests, and can say beforehand what that has to be: a test run that is not
/// on the target it is meant for proves nothing.
#[test]
fn job() {
    let active = Backend::active();
    println!(
        "memdiff job: target={}-{} endian={ENDIAN} backend={active} available={}",
        env::consts::ARCH,
        env::consts::OS,
        names().join(","),
    );
    for (variable, found) in [
        ("MEMDIFF_EXPECT_TARGET_ARCH", env::consts::ARCH),
        ("MEMDIFF_EXPECT_ENDIAN", ENDIAN),
        ("MEMDIFF_EXPECT_BACKEND", active.name()),
    ] {
        if let Ok(expected) = env::var(variable) {
            assert_eq!(found, expected, "{variable}");
        }
    }
}

/// The backends are those of the target and the features, in order, that the standard library
/// detects too.
#[test]
fn available() {
    let mut expected = vec!["portable"];
    #[cfg(all(feature = "simd", target_arch = "x86_64", target_feature = "sse2"))]
    {
        /// Whether the features are promised at compile time, or looked for and found.
        macro_rules! has {
            ($($feature:tt),+ if $enabled:tt) => {
                cfg!(all($(target_feature = $feature),+))
                    || cfg!(feature = $enabled) $(&& is_x86_feature_detected!($feature))+
            };
        }
        expected.push("sse2");
        if has!("avx2", "bmi1" if "avx2") {
            expected.push("avx2");
        }
        if cfg!(target_pointer_width = "64")
            && has!("avx512f", "avx512bw", "avx512vl", "avx512vbmi2", "bmi1", "bmi2" if "avx512")
        {
            expected.push("avx512");
        }
    }
    if cfg!(all(
        feature = "simd",
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    )) {
        expected.push("neon");
    }
    assert_eq!(names(), expected);
}

/// The fastest, unless the build names one.
#[test]
fn active() {
    let pinned = ["portable", "sse2", "avx2", "avx512", "neon"]
        .into_iter()
        .zip([
            cfg!(memdiff_backend = "portable"),
            cfg!(memdiff_backend = "sse2"),
            cfg!(memdiff_backend = "avx2"),
            cfg!(memdiff_backend = "avx512"),
            cfg!(memdiff_backend = "neon"),
        ])
        .find_map(|(name, pinned)| pinned.then_some(name));
    let expected = pinned.or(names().last().copied());
    assert_eq!(Some(Backend::active().name()), expected);
    assert!(Backend::available().any(|backend| backend == Backend::active()));
}

#[test]
fn every_backend_is_a_subject() {
    assert_eq!(SUBJECTS.len(), 3 + Backend::available().count());
}

#[test]
fn names_and_formats() {
    let backends: HashSet<Backend> = Backend::available().collect();
    assert_eq!(backends.len(), names().len(), "no two are equal");
    for backend in backends {
        let name = backend.name();
        assert_eq!(name.parse(), Ok(backend));
        assert_eq!(
            format!("{backend}|{backend:>9}|"),
            format!("{name}|{name:>9}|")
        );
        assert_eq!(format!("{backend:?}"), format!("Backend({name})"));
    }
}

#[test]
fn unknown_names() {
    for name in ["", "Portable", "portable ", "avx", "mmx", "sve"] {
        let error: BackendError = name.parse::<Backend>().unwrap_err();
        let message = error.to_string();
        let listed = message.split_once(": ").map(|(_, listed)| listed);
        assert_eq!(listed, Some(&*names().join(" ")), "{message}");
    }
}

/// The first use chooses the backend; threads that race for it choose the same one.
#[test]
fn threads() {
    const THREADS: usize = 64;
    let start = Barrier::new(THREADS);
    thread::scope(|scope| {
        let threads = [(); THREADS].map(|()| {
            scope.spawn(|| {
                start.wait();
                let difference = memdiff::memcmp(&[3; 99], &[5; 99]);
                (difference, Backend::active())
            })
        });
        for thread in threads {
            assert_eq!(thread.join().unwrap(), (-2, Backend::active()));
        }
    });
}
