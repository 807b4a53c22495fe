//! The types whose equality is the equality of their bytes.

mod sealed {
    pub trait Sealed {
        /// Whether the order of the type is that of its one byte, unsigned.
        const IS_BYTE: bool = false;
    }
}

/// A type whose values are equal exactly if their bytes are.
///
/// Integers, `bool` and `char` are; floats are not (`0.0 == -0.0`, `NAN != NAN`), nor is anything
/// with padding. Slices of elements can be compared as bytes.
///
/// The trait is sealed: it cannot be implemented outside this crate.
///
/// # Safety
/// * Every byte of a value is initialised: no padding.
/// * `a == b` if and only if all their bytes are equal.
/// * The size is not 0.
pub unsafe trait Element: Copy + Eq + sealed::Sealed + 'static {}

macro_rules! element {
    ($($type:ty)+; $($byte:ty)+) => {
        $(
            impl sealed::Sealed for $type {}

            // SAFETY: no padding; `Eq` compares the whole value, and every value has one
            // representation.
            unsafe impl Element for $type {}
        )+
        $(
            impl sealed::Sealed for $byte {
                const IS_BYTE: bool = true;
            }

            // SAFETY: as above; one byte.
            unsafe impl Element for $byte {}
        )+
    };
}

element! { u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize char; u8 bool }
