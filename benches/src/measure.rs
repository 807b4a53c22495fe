//! Times contenders in turn, so that whatever else the machine does hits all of them.

use indicatif::{ProgressBar, ProgressStyle};
use regex::Regex;
use rustix::time::{ClockId, clock_gettime};

use crate::cells::{self, Cell, percentile};
use crate::contenders::{Contender, Operation, Origin};
use crate::loops;
use crate::task::Task;
use crate::workloads::Workload;

/// How many times as many rounds there are of what a round holds only a few times: random calls, which
/// are made once in each, and ranges of [`LONG`].
pub const FEW: usize = 4;

/// Bytes of which a round holds only a few calls.
const LONG: usize = 4 << 20;

/// How long and how often.
#[derive(Clone, Copy)]
pub struct Effort {
    pub rounds: usize,
    /// How long one contender runs in one round, in nanoseconds.
    pub round_ns: f64,
}

/// Times everything that the filter matches, but no peer whose results are wrong.
pub fn all(
    workloads: &[Workload],
    contenders: &[Contender],
    filter: &Regex,
    effort: Effort,
) -> Vec<Cell> {
    let style = "{bar:30} {pos}/{len} {msg} ({elapsed}, about {eta} left)";
    let style = ProgressStyle::with_template(style).expect("a template that is well-formed");
    let bar = ProgressBar::new(workloads.len() as u64).with_style(style);
    let mut cells = Vec::new();
    for workload in workloads {
        bar.set_message(format!("{} {}", workload.group, workload.name));
        let mut task = None;
        for operation in Operation::ALL {
            let chosen = choose(workload, operation, contenders, filter);
            if chosen.len() < 2 {
                continue;
            }
            let task = task.get_or_insert_with(|| workload.task());
            let expected = chosen[0].checksum(task);
            let (right, odd): (Vec<&Contender>, Vec<_>) = chosen.iter().partition(|contender| {
                contender.origin == Origin::Limit || contender.checksum(task) == expected
            });
            for Contender { name, .. } in odd {
                let (group, workload) = (workload.group, &workload.name);
                bar.suspend(|| eprintln!("wrong: {name} in {operation}, {group} {workload}"));
            }
            cells.extend(measure(workload, operation, &right, task, effort));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    cells
}

/// memdiff and the peers that the filter matches.
fn choose<'a>(
    workload: &Workload,
    operation: Operation,
    contenders: &'a [Contender],
    filter: &Regex,
) -> Vec<&'a Contender> {
    let (group, operation_name) = (workload.group.to_string(), operation.to_string());
    let mut chosen = workload.contenders(operation, contenders);
    chosen.retain(|contender| {
        let id = cells::id(&group, &workload.name, &operation_name, contender.name);
        contender.origin == Origin::Memdiff || filter.is_match(&id)
    });
    chosen
}

/// The processor time of this thread, in nanoseconds.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

fn time(f: impl FnOnce()) -> f64 {
    let start = now();
    f();
    now() - start
}

/// Times the contenders, memdiff first, on one task.
fn measure(
    workload: &Workload,
    operation: Operation,
    contenders: &[&Contender],
    task: &mut Task,
    effort: Effort,
) -> Vec<Cell> {
    let repeat = |contender: &Contender, task: &Task, times: usize| {
        time(|| (0..times).for_each(|_| contender.run(task)))
    };
    let mut random = fastrand::Rng::with_seed(3);
    let once = task.renew(&mut random);
    let times: Vec<usize> = contenders
        .iter()
        .map(|contender| {
            // The first run warms up; the second tells how many fill a round.
            repeat(contender, task, 1);
            let ns = repeat(contender, task, 1).max(1.0);
            let fill = (effort.round_ns / ns).ceil().min(1e6) as usize;
            if once { 1 } else { fill }
        })
        .collect();
    let few = once || workload.size >= Some(LONG);
    let rounds = effort.rounds * if few { FEW } else { 1 };
    let mut clocks = Vec::new();
    let mut samples = vec![Vec::new(); contenders.len()];
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    for _ in 0..rounds {
        task.renew(&mut random);
        clocks.push(256.0 * 1024.0 / time(|| (0..256).for_each(|_| loops::cycles_1024())));
        // What ran before decides what is left in the caches, so nobody always follows the same one.
        random.shuffle(&mut order);
        for &i in &order {
            let ns = repeat(contenders[i], task, times[i]);
            samples[i].push(ns / (times[i] * task.len()) as f64);
        }
    }
    let clock = percentile(&clocks, 0.75);
    let memdiff = &samples[0];
    let memdiff_ns = percentile(memdiff, 0.25);
    contenders[1..]
        .iter()
        .zip(&samples[1..])
        .map(|(peer, samples)| {
            let ratios: Vec<f64> = samples.iter().zip(memdiff).map(|(p, m)| p / m).collect();
            let peer_ns = percentile(samples, 0.25);
            Cell {
                group: workload.group.to_string(),
                workload: workload.name.clone(),
                size: workload.size,
                operation: operation.to_string(),
                peer: peer.name.into(),
                memdiff_ns,
                peer_ns,
                clock,
                ratio: peer_ns / memdiff_ns,
                low: percentile(&ratios, 0.1),
                high: percentile(&ratios, 0.9),
            }
        })
        .collect()
}
