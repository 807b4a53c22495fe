//! aarch64: rbit + clz find the byte of a word, or the nibble of a narrowed mask.

pub(crate) mod neon;
