//! What real programs ask of `memcmp`: 20,000 calls of each, in a row.
//!
//! `traces/NAME.csv` has a line for every call: its length, the index of the first difference (the
//! length if there is none), and the addresses of both sides modulo 64.

use crate::calls::Row;

macro_rules! traces {
    ($($name:literal)+) => {
        /// The traces, by name.
        const TRACES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../traces/", $name, ".csv")))),+
        ];
    };
}

traces! {
    "git-log-p" "node" "php-mediawiki" "php-wordpress" "python3-json" "redis-server" "rustc"
    "sort-paths" "sqlite3"
}

/// The traces: a name and the calls of each.
pub fn all() -> impl Iterator<Item = (&'static str, Vec<Row>)> {
    TRACES.iter().map(|&(name, text)| (name, parse(name, text)))
}

fn parse(name: &str, text: &str) -> Vec<Row> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize::<(usize, usize, usize, usize)>()
        .map(|row| row.unwrap_or_else(|error| panic!("traces/{name}.csv: {error}")))
        .map(|(len, pos, a64, b64)| Row { len, pos, a64, b64 })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trace_is_whole() {
        for (name, rows) in all() {
            assert_eq!(rows.len(), 20_000, "{name}");
            for row in rows {
                assert!(
                    row.pos <= row.len && row.a64 < 64 && row.b64 < 64,
                    "{name}: {row:?}"
                );
            }
        }
    }
}
