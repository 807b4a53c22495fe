//! Build script. `--cfg memdiff_backend="NAME"` pins a backend; a `cfg` expression can ask for one
//! name but not whether any was given, so this says that one was, and `arch/mod.rs` rejects the
//! names it does not know.

fn main() {
    println!("cargo::rerun-if-changed=arch/pin.rs");
    println!("cargo::rustc-check-cfg=cfg(memdiff_pinned)");
    if let Ok(names) = std::env::var("CARGO_CFG_MEMDIFF_BACKEND") {
        println!("cargo::rustc-cfg=memdiff_pinned");
        if names.contains(',') {
            println!("cargo::error=--cfg memdiff_backend is given more than once: {names}");
        }
    }
}
