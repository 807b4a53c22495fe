//! The cells as tables for a terminal, which are Markdown too.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};

use crate::cells::{Cell, geometric_mean};
use crate::contenders::Operation;

/// More workloads than this are summed up: their worst are listed, the rest is in the CSV.
const MOST_LINES: usize = 24;

/// A Markdown table, the columns after the first `left` aligned to the right.
pub fn table(header: &[&str], left: usize, lines: Vec<Vec<String>>) -> Table {
    let mut table = Table::new();
    table
        .load_preset(ASCII_MARKDOWN)
        .set_header(header)
        .add_rows(lines);
    for column in table.column_iter_mut().skip(left) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// For each group and operation: the ratio of every peer on every workload, and the geometric
/// means.
pub fn print(cells: &[Cell]) {
    for of_group in cells.chunk_by(|a, b| a.group == b.group) {
        for operation in Operation::ALL.map(|operation| operation.to_string()) {
            let chosen: Vec<&Cell> = of_group
                .iter()
                .filter(|cell| cell.operation == operation)
                .collect();
            if let Some(first) = chosen.first() {
                println!(
                    "\n{} {operation}: time of the peer / time of memdiff",
                    first.group
                );
                print_one(&chosen);
            }
        }
    }
}

fn print_one(cells: &[&Cell]) {
    let mut peers: Vec<&str> = Vec::new();
    let mut workloads: Vec<&str> = Vec::new();
    for cell in cells {
        if !peers.contains(&&*cell.peer) {
            peers.push(&cell.peer);
        }
        if workloads.last() != Some(&&*cell.workload) {
            workloads.push(&cell.workload);
        }
    }
    let of = |workload: &str, peer: &str| {
        cells
            .iter()
            .find(|cell| cell.workload == workload && cell.peer == peer)
    };
    let mut lines = Vec::new();
    if workloads.len() <= MOST_LINES {
        for workload in &workloads {
            let mut line = vec![(*workload).to_owned()];
            let found: Vec<_> = peers.iter().map(|peer| of(workload, peer)).collect();
            let memdiff_ns = found
                .iter()
                .flatten()
                .next()
                .map_or(f64::NAN, |cell| cell.memdiff_ns);
            line.push(format!("{memdiff_ns:.2}"));
            line.extend(
                found
                    .iter()
                    .map(|cell| cell.map_or(String::new(), |cell| ratio(cell))),
            );
            lines.push(line);
        }
    } else {
        let worst: Vec<_> = peers.iter().map(|peer| worst(cells, peer)).collect();
        for rank in 0..5 {
            let mut line = vec![format!("worst, {}", rank + 1), String::new()];
            line.extend(worst.iter().map(|worst| {
                let cell = worst.get(rank);
                cell.map_or(String::new(), |cell| {
                    format!("{:.2} at {}", cell.ratio, cell.workload)
                })
            }));
            lines.push(line);
        }
    }
    let mut means = vec![
        format!("geometric mean of {}", workloads.len()),
        String::new(),
    ];
    means.extend(peers.iter().map(|peer| mean(cells, peer)));
    lines.push(means);
    let mut header = vec!["workload", "memdiff, ns"];
    header.extend(peers);
    println!("{}", table(&header, 1, lines));
}

fn ratio(cell: &Cell) -> String {
    format!("{:.2} ({:.2}..{:.2})", cell.ratio, cell.low, cell.high)
}

fn mean(cells: &[&Cell], peer: &str) -> String {
    let mean = |value: fn(&Cell) -> f64| {
        let of_peer = cells.iter().filter(|cell| cell.peer == peer);
        geometric_mean(of_peer.map(|cell| value(cell))).unwrap_or(f64::NAN)
    };
    let [ratio, low, high] = [
        mean(|cell| cell.ratio),
        mean(|cell| cell.low),
        mean(|cell| cell.high),
    ];
    format!("{ratio:.2} ({low:.2}..{high:.2})")
}

/// The cells of a peer, the lowest ratio first.
fn worst<'a>(cells: &[&'a Cell], peer: &str) -> Vec<&'a Cell> {
    let mut worst: Vec<&Cell> = cells
        .iter()
        .filter(|cell| cell.peer == peer)
        .copied()
        .collect();
    worst.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    worst
}
