//! Link flags of the shared library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os != "linux") {
        return; // these are flags of GNU ld
    }
    for flag in [
        "-nostdlib",              // needs nothing, so it can be loaded before everything
        "-Wl,-z,noseparate-code", // few pages for all of it
        "-Wl,-z,norelro",         // it has no pointers to protect, and aarch64 pads them to 64 KiB
        "-Wl,-z,now",             // nothing to resolve at the first call
        "-Wl,--build-id=none",
        "-Wl,-soname,libmemdiff_preload.so",
    ] {
        println!("cargo::rustc-cdylib-link-arg={flag}");
    }
}
