use super::score::Trial;
use anyhow::{Context, ensure};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const COLUMNS: &str = "link,controller,rate_mbps,one_way_delay_ms,throughput_mbps,delay_p95_ms,loss";

/// The runs of an evaluation, optionally stored in a CSV file. The first line describes the evaluation.
pub struct Results {
    path: Option<PathBuf>,
    title: String,
    trials: Vec<Trial>,
}

impl Results {
    /// Reads the runs in `path`, if the file exists.
    ///
    /// # Errors
    /// The file has another set of links, or runs of another length.
    pub fn open(path: Option<&Path>, set: &str, seconds: f64) -> anyhow::Result<Self> {
        let title = format!("# links {}, {seconds} s", set.to_lowercase());
        let mut trials = Vec::new();
        if let Some(path) = path.filter(|path| path.exists()) {
            let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            let mut lines = text.lines();
            ensure!(
                lines.next() == Some(&title) && lines.next() == Some(COLUMNS),
                "{} has other runs; delete it, or name another file",
                path.display()
            );
            for line in lines {
                trials.push(parse(line).with_context(|| format!("{} has the line '{line}'", path.display()))?);
            }
        }
        Ok(Self { path: path.map(Path::to_path_buf), title, trials })
    }

    /// Whether the runs of a controller are complete.
    #[must_use]
    pub fn has(&self, controller: &str) -> bool {
        self.trials.iter().any(|trial| trial.controller == controller)
    }

    /// Returns all runs.
    #[must_use]
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// Adds runs, and rewrites the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, trials: Vec<Trial>) -> anyhow::Result<()> {
        self.trials.extend(trials);
        let Some(path) = &self.path else {
            return Ok(());
        };
        let mut text = format!("{}\n{COLUMNS}\n", self.title);
        for trial in &self.trials {
            let Trial { link, controller, rate_mbps, one_way_delay_ms, throughput_mbps, delay_p95_ms, loss } = trial;
            write!(text, "{link},{controller},{rate_mbps:.3},{one_way_delay_ms:.3},")?;
            writeln!(text, "{throughput_mbps:.4},{delay_p95_ms:.3},{loss:.5}")?;
        }
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }
}

fn parse(line: &str) -> anyhow::Result<Trial> {
    let cells: Vec<&str> = line.split(',').collect();
    let [link, controller, rest @ ..] = cells.as_slice() else {
        anyhow::bail!("it is too short");
    };
    let numbers = rest.iter().map(|cell| cell.parse()).collect::<Result<Vec<f64>, _>>()?;
    let [rate_mbps, one_way_delay_ms, throughput_mbps, delay_p95_ms, loss] = numbers[..] else {
        anyhow::bail!("it has {} cells, not 7", cells.len());
    };
    let (link, controller) = (link.parse()?, (*controller).into());
    Ok(Trial { link, controller, rate_mbps, one_way_delay_ms, throughput_mbps, delay_p95_ms, loss })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_runs_and_refuses_those_of_other_links() {
        let path = std::env::temp_dir().join(format!("results-{}.csv", std::process::id()));
        let trial = Trial {
            link: 3,
            controller: "reno".into(),
            rate_mbps: 10.0,
            one_way_delay_ms: 20.0,
            throughput_mbps: 9.5,
            delay_p95_ms: 31.25,
            loss: 0.0,
        };
        let mut results = Results::open(Some(&path), "Grid", 8.0).unwrap();
        results.add(vec![trial.clone()]).unwrap();
        let again = Results::open(Some(&path), "Grid", 8.0).unwrap();
        assert!(again.has("reno") && !again.has("cubic"));
        assert_eq!(again.trials(), [trial]);
        let error = Results::open(Some(&path), "Drawn", 8.0).err().unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(error.to_string().contains("has other runs"), "{error}");
    }
}
