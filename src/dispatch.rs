//! The only place that chooses a kernel.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::arch;
use crate::hint::rarely;

macro_rules! define {
    ($($level:ident = $name:literal in $module:ident;)+) => {
        /// The backends that this target has, fastest first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub(crate) enum Level {
            $($level),+
        }

        impl Level {
            const ALL: &[Level] = &[$(Level::$level),+];

            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Level::$level => $name),+
                }
            }

            /// Whether the target promises at compile time that every CPU can run it.
            const fn is_static(self) -> bool {
                match self {
                    $(Level::$level => arch::$module::STATIC),+
                }
            }

            /// Whether this CPU can run it.
            fn is_available(self) -> bool {
                match self {
                    $(Level::$level => arch::$module::is_available()),+
                }
            }
        }

        /// The backend that `--cfg memdiff_backend="NAME"` asks for.
        const PINNED: Option<Level> = {
            $(
                #[cfg(memdiff_backend = $name)]
                let pinned = Some(Level::$level);
            )+
            #[cfg(not(any($(memdiff_backend = $name),+)))]
            let pinned = None;
            pinned
        };

        define! { @kernel memcmp -> i32 { $($level in $module;)+ } }
        define! { @kernel equal -> bool { $($level in $module;)+ } }
        define! { @kernel prefix -> usize { $($level in $module;)+ } }
        define! { @kernel suffix -> usize { $($level in $module;)+ } }
    };
    (@kernel $kernel:ident -> $result:ty { $($level:ident in $module:ident;)+ }) => {
        pub(crate) mod $kernel {
            use super::{ACTIVE, Level, Relaxed, arch, detect, known};

            /// Runs the kernel of a given backend.
            ///
            /// # Safety
            /// * `a` and `b` are valid for reads of `n` bytes; any pointer will do if `n` is 0.
            /// * `n` is at most `isize::MAX`.
            /// * `level.is_available()`.
            // If inlined, it brings the portable kernel along and makes the caller's code worse. The
            // level comes last, for the others to be where the kernels want them.
            #[inline(never)]
            pub(crate) unsafe fn on(a: *const u8, b: *const u8, n: usize, level: Level) -> $result {
                match level {
                    // SAFETY: the caller's.
                    $(Level::$level => unsafe { arch::$module::inlined::$kernel(a, b, n) },)+
                }
            }

            /// Runs the kernel of the active backend. The two fastest are called from here; the others,
            /// on old CPUs, by a function that finds out, to keep the caller's code short.
            ///
            /// # Safety
            /// * `a` and `b` are valid for reads of `n` bytes; any pointer will do if `n` is 0.
            /// * `n` is at most `isize::MAX`.
            #[inline(always)]
            pub(crate) unsafe fn active(a: *const u8, b: *const u8, n: usize) -> $result {
                match known() {
                    // SAFETY: the caller's. What is known to be active is available: it is static, or
                    // `ACTIVE` is its key, which only `detect` can have stored.
                    $(Some(Level::$level) => unsafe { arch::$module::inlined::$kernel(a, b, n) },)+
                    // SAFETY: the caller's.
                    None => unsafe { other(a, b, n) },
                }
            }

            /// Runs the kernel of a backend that is not `known`.
            ///
            /// # Safety
            /// * As for `active`.
            // Cold, so that what is inlined is contiguous in the caller's code.
            #[cold]
            #[inline(never)]
            unsafe fn other(a: *const u8, b: *const u8, n: usize) -> $result {
                let active = ACTIVE.load(Relaxed);
                $(
                    if Level::$level.is_candidate() && active <= Level::$level.key() {
                        // SAFETY: the caller's. `ACTIVE` is the key of an available candidate, or
                        // above all keys; those below this one's have been ruled out.
                        return unsafe { arch::$module::inlined::$kernel(a, b, n) };
                    }
                )+
                // SAFETY: the caller's.
                unsafe { first_use(a, b, n) }
            }

            /// Chooses a backend and runs its kernel.
            ///
            /// # Safety
            /// * As for `active`.
            #[cold]
            #[inline(never)]
            unsafe fn first_use(a: *const u8, b: *const u8, n: usize) -> $result {
                // SAFETY: the caller's; only what is available is detected.
                unsafe { on(a, b, n, detect()) }
            }
        }
    };
}

arch::with_backends!(define);

/// The fastest backend that the target promises.
const BASE: Level = {
    let mut i = 0;
    while !Level::ALL[i].is_static() {
        i += 1;
    }
    Level::ALL[i]
};

impl Level {
    /// The level as a number in `ACTIVE`, the fastest lowest. The numbers lie apart and are
    /// compared by `<=`, fastest first: LLVM makes a binary search or a jump table of neighbours or
    /// of `==`.
    const fn key(self) -> u8 {
        self as u8 * 16
    }

    /// Whether it can become the active one on some CPU.
    const fn is_candidate(self) -> bool {
        match PINNED {
            Some(pinned) => self as u8 == pinned as u8,
            None => self as u8 <= BASE as u8,
        }
    }
}

/// The active backend if it is known at compile time: the one that is pinned or the fastest of all,
/// if the target promises it.
const STATIC: Option<Level> = {
    let level = match PINNED {
        Some(level) => level,
        None => Level::ALL[0],
    };
    if level.is_static() { Some(level) } else { None }
};

/// No level: nothing has been detected yet.
const UNKNOWN: u8 = u8::MAX;

/// The key of the active level. Threads that race to set it all store the same.
static ACTIVE: AtomicU8 = AtomicU8::new(UNKNOWN);

/// The active level, if the compiler knows it or if it is one of the two fastest.
#[inline(always)]
fn known() -> Option<Level> {
    const FIRST: Level = Level::ALL[0];
    const SECOND: Level = Level::ALL[if Level::ALL.len() > 1 { 1 } else { 0 }];
    if STATIC.is_some() {
        return STATIC;
    }
    let active = ACTIVE.load(Relaxed);
    if FIRST.is_candidate() && !rarely(active > FIRST.key()) {
        Some(FIRST)
    } else if SECOND.is_candidate() && active <= SECOND.key() {
        Some(SECOND)
    } else {
        None
    }
}

/// The backend that the crate's functions use; it `is_available`.
pub(crate) fn active() -> Level {
    if let Some(level) = STATIC {
        return level;
    }
    let active = ACTIVE.load(Relaxed);
    let known = Level::ALL.iter().find(|level| level.key() == active);
    known.copied().unwrap_or_else(detect)
}

/// Chooses the active backend. Needs neither the standard library nor a lock.
#[cold]
fn detect() -> Level {
    let level = match PINNED {
        Some(level) if level.is_available() => level,
        Some(level) => unavailable(level),
        None => available().next().unwrap_or(BASE),
    };
    ACTIVE.store(level.key(), Relaxed);
    level
}

/// The backends that this CPU can run, fastest first.
pub(crate) fn available() -> impl DoubleEndedIterator<Item = Level> {
    Level::ALL
        .iter()
        .copied()
        .filter(|level| level.is_available())
}

#[cold]
fn unavailable(level: Level) -> ! {
    panic!(
        "memdiff was built with --cfg memdiff_backend=\"{}\", which this CPU cannot run",
        level.name()
    );
}

#[cfg(test)]
mod tests {
    use super::{Level, PINNED, UNKNOWN};

    /// What can be detected, `active` must know: else every call would detect it again.
    #[test]
    fn candidates() {
        let base = Level::ALL.iter().position(|level| level.is_static());
        for (i, &level) in Level::ALL.iter().enumerate() {
            let wanted = match PINNED {
                Some(pinned) => level == pinned,
                None => Some(i) <= base,
            };
            assert_eq!(level.is_candidate(), wanted, "{level:?}");
        }
    }

    #[test]
    fn keys() {
        let keys = || Level::ALL.iter().map(|level| level.key());
        assert!(keys().is_sorted_by(|faster, slower| faster < slower));
        assert!(keys().all(|key| key < UNKNOWN));
    }
}
