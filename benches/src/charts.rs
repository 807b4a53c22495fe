//! Charts of what was measured at fixed sizes.

use std::ops::Range;
use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use crate::cells::Cell;

/// A line of a chart: sizes and values.
struct Line {
    label: String,
    points: Vec<(f64, f64)>,
}

/// Distinct for the colour-blind too (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// The operation and the peer of each line of the chart of ratios.
const PAIRS: [(&str, &str); 5] = [
    ("memcmp", "libc memcmp"),
    ("equal", "libc bcmp"),
    ("equal", "sz_equal"),
    ("mismatch", "u64 loop"),
    ("common_suffix_len", "u64 loop"),
];

/// Draws what the cells allow: `ratio-by-length.svg` and `bytes-a-cycle.svg`.
pub fn draw(folder: &Path, cells: &[Cell]) -> Result<()> {
    let of = |operation: &str, peer: &str, value: &dyn Fn(&Cell) -> Option<f64>| -> Vec<_> {
        cells
            .iter()
            .filter(|cell| cell.group == "fixed" && cell.workload.ends_with(" aligned"))
            .filter(|cell| cell.operation == operation && cell.peer == peer)
            .filter_map(|cell| Some((cell.size.filter(|&size| size > 0)? as f64, value(cell)?)))
            .collect()
    };

    let ratios = PAIRS.map(|(operation, peer)| Line {
        label: format!("{operation}, against {peer}"),
        points: of(operation, peer, &|cell| Some(cell.ratio)),
    });
    let title = "Time of the peer / time of memdiff: equal ranges, aligned, in cache if they fit";
    let parity = Line {
        label: String::new(),
        points: span(&ratios).map_or(vec![], |sizes| vec![(sizes.start, 1.0), (sizes.end, 1.0)]),
    };
    chart(
        &folder.join("ratio-by-length.svg"),
        title,
        "times as fast",
        &ratios,
        &parity,
    )?;

    let speed = |peer: &str, label: &str, pick: fn((f64, f64)) -> f64| Line {
        label: label.into(),
        points: of("equal", peer, &|cell| cell.bytes_a_cycle().map(pick)),
    };
    let speeds = [
        speed("libc bcmp", "memdiff equal", |(memdiff, _)| memdiff),
        speed("libc bcmp", "libc bcmp", |(_, peer)| peer),
        speed("sz_equal", "sz_equal", |(_, peer)| peer),
        speed("u64 loop", "u64 loop", |(_, peer)| peer),
    ];
    let mut limit = speed("loads only", "", |(_, loads)| loads);
    // Below, it is the call that takes the time.
    limit
        .points
        .retain(|&(size, _)| size >= 512.0 && size % 256.0 == 0.0);
    let title = "Bytes of each side compared in a cycle; grey: loads without comparing";
    chart(
        &folder.join("bytes-a-cycle.svg"),
        title,
        "bytes a cycle",
        &speeds,
        &limit,
    )
}

/// The smallest and the largest size.
fn span(lines: &[Line]) -> Option<Range<f64>> {
    let sizes = || {
        lines
            .iter()
            .flat_map(|line| line.points.iter().map(|point| point.0))
    };
    Some(sizes().reduce(f64::min)?..sizes().reduce(f64::max)?)
}

/// One chart with the sizes on a logarithmic axis; the reference line is grey and has no label.
fn chart(path: &Path, title: &str, unit: &str, lines: &[Line], reference: &Line) -> Result<()> {
    let Some(sizes) = span(lines).filter(|sizes| sizes.start < sizes.end) else {
        return Ok(());
    };
    let all = lines
        .iter()
        .chain([reference])
        .flat_map(|line| &line.points);
    let top = all.map(|point| point.1).fold(0.0, f64::max) * 1.08;
    let failed = |error: DrawingAreaErrorKind<_>| anyhow!("{}: {error}", path.display());
    let area = SVGBackend::new(path, (860, 460)).into_drawing_area();
    area.fill(&WHITE).map_err(failed)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 17))
        .margin(14)
        .margin_right(40)
        .x_label_area_size(44)
        .y_label_area_size(58)
        .build_cartesian_2d(sizes.log_scale().base(2.0), 0.0..top)
        .map_err(failed)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(225, 225, 225))
        .x_desc("bytes")
        .y_desc(unit)
        .x_labels(13)
        .x_label_formatter(&|&bytes| bytes_text(bytes))
        .axis_desc_style(("sans-serif", 15))
        .label_style(("sans-serif", 13))
        .draw()
        .map_err(failed)?;
    let grey = RGBColor(140, 140, 140).stroke_width(2);
    let points = reference.points.iter().copied();
    chart
        .draw_series(LineSeries::new(points, grey))
        .map_err(failed)?;
    for (line, colour) in lines.iter().zip(COLOURS) {
        if line.points.is_empty() {
            continue;
        }
        let style = colour.stroke_width(2);
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), style))
            .map_err(failed)?
            .label(&line.label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.9))
        .border_style(RGBColor(200, 200, 200))
        .label_font(("sans-serif", 14))
        .draw()
        .map_err(failed)?;
    area.present().map_err(failed)
}

/// A power of two as people write it.
fn bytes_text(bytes: f64) -> String {
    let power = bytes.log2().round() as i32;
    let (unit, shift) = match power {
        20.. => (" MiB", 20),
        10.. => (" KiB", 10),
        _ => ("", 0),
    };
    format!("{}{unit}", 2_f64.powi(power - shift))
}
