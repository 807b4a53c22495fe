//! What has been measured.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// A peer's time against memdiff's for one operation on one workload.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Cell {
    pub group: String,
    pub workload: String,
    /// The length of each comparison, if there is but one.
    pub size: Option<usize>,
    pub operation: String,
    pub peer: String,
    /// Nanoseconds a comparison or a key, the 25th percentile of all rounds.
    pub memdiff_ns: f64,
    pub peer_ns: f64,
    /// The clock during this measurement, in cycles a nanosecond.
    pub clock: f64,
    /// `peer_ns / memdiff_ns`.
    pub ratio: f64,
    /// The 10th and the 90th percentile of the ratios within each round.
    pub low: f64,
    pub high: f64,
}

impl Cell {
    /// What filters are held against.
    pub fn id(&self) -> String {
        id(&self.group, &self.workload, &self.operation, &self.peer)
    }

    /// Bytes of one side that memdiff and the peer compare in a cycle.
    pub fn bytes_a_cycle(&self) -> Option<(f64, f64)> {
        let size = self.size? as f64;
        let each = |ns: f64| size / (ns * self.clock);
        Some((each(self.memdiff_ns), each(self.peer_ns)))
    }
}

/// The name of a cell: `group/workload/operation/peer`.
pub fn id(group: &str, workload: &str, operation: &str, peer: &str) -> String {
    format!("{group}/{workload}/{operation}/{peer}")
}

/// Writes the cells as CSV.
pub fn write(path: &Path, cells: &[Cell]) -> Result<()> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut writer = csv::Writer::from_writer(file);
    for cell in cells {
        writer.serialize(cell)?;
    }
    writer.flush()?;
    Ok(())
}

/// Reads what [`write()`] wrote.
pub fn read(path: &Path) -> Result<Vec<Cell>> {
    let context = || format!("cannot read {}", path.display());
    let mut reader = csv::Reader::from_path(path).with_context(context)?;
    reader
        .deserialize()
        .collect::<Result<_, _>>()
        .with_context(context)
}

/// The geometric mean; `None` of nothing.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

/// The value that `share` of the others are below.
pub fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics() {
        assert_eq!(geometric_mean([]), None);
        assert!((geometric_mean([1.0, 4.0]).unwrap() - 2.0).abs() < 1e-12);
        let values: Vec<f64> = (0..=20).rev().map(f64::from).collect();
        assert_eq!(
            [0.1, 0.25, 0.9].map(|share| percentile(&values, share)),
            [2.0, 5.0, 18.0]
        );
    }
}
