//! The only place that chooses a kernel.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::arch;

macro_rules! define {
    ($($level:ident = $name:literal in $module:ident;)+) => {
        /// The backends that this target has, slowest first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub(crate) enum Level {
            $($level),+
        }

        impl Level {
            pub(crate) const ALL: &[Level] = &[$(Level::$level),+];

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
            pub(crate) fn is_available(self) -> bool {
                match self {
                    $(Level::$level => arch::$module::is_available()),+
                }
            }

            #[inline(always)]
            const fn from_u8(value: u8) -> Option<Level> {
                $(
                    if value == Level::$level as u8 {
                        return Some(Level::$level);
                    }
                )+
                None
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
        define! { @kernel find -> Option<usize> { $($level in $module;)+ } }
        define! { @kernel rfind -> Option<usize> { $($level in $module;)+ } }
    };
    (@kernel $kernel:ident -> $result:ty { $($level:ident in $module:ident;)+ }) => {
        #[doc = concat!("The kernel `", stringify!($kernel), "` of a backend.")]
        ///
        /// # Safety
        /// * `a` and `b` are valid for reads of `n` bytes; any pointer will do if `n` is 0.
        /// * `n` is at most `isize::MAX`.
        /// * `level.is_available()`.
        #[inline(always)]
        pub(crate) unsafe fn $kernel(
            level: Level,
            a: *const u8,
            b: *const u8,
            n: usize,
        ) -> $result {
            match level {
                // SAFETY: the caller's.
                $(Level::$level => unsafe { arch::$module::$kernel(a, b, n) },)+
            }
        }
    };
}

arch::with_backends!(define);

/// What the crate's functions use if it is known at compile time: a pinned backend, or the fastest,
/// that the target promises.
const STATIC: Option<Level> = {
    let level = match PINNED {
        Some(level) => level,
        None => Level::ALL[Level::ALL.len() - 1],
    };
    if level.is_static() { Some(level) } else { None }
};

/// No level: nothing has been detected yet.
const UNKNOWN: u8 = u8::MAX;

/// The level in use, as a number. Threads that race to set it all store the same value.
static ACTIVE: AtomicU8 = AtomicU8::new(UNKNOWN);

/// The backend that the crate's functions use; it `is_available`.
///
/// A cached number and a direct call. Nothing here needs the standard library or a lock.
#[inline(always)]
pub(crate) fn active() -> Level {
    if let Some(level) = STATIC {
        return level;
    }
    match Level::from_u8(ACTIVE.load(Relaxed)) {
        Some(level) => level,
        None => detect(),
    }
}

#[cold]
#[inline(never)]
fn detect() -> Level {
    let level = match PINNED {
        Some(level) => {
            if !level.is_available() {
                unavailable(level);
            }
            level
        }
        None => available().next_back().unwrap_or(Level::Portable),
    };
    ACTIVE.store(level as u8, Relaxed);
    level
}

/// The backends that this CPU can run, slowest first.
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
