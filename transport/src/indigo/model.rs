use super::lstm::{Lstm, PARAMETERS};
use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The provenance of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The command that trained it.
    pub command: String,
    /// The commit of the repository.
    pub commit: String,
    /// The seed that determines the training links, the initial weights and the order of the data.
    pub seed: u64,
    /// The training data.
    pub data: String,
    /// Results of the training.
    pub figures: BTreeMap<String, f64>,
}

/// A trained network. The file is a line of JSON, then the parameters as little-endian 32-bit floats.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// How the network was trained.
    pub provenance: Provenance,
    /// The trained network.
    pub network: Lstm,
}

impl Model {
    /// Returns the path of the model in the repository's `models/`.
    #[must_use]
    pub fn default_path() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/indigo.bin")
    }

    /// Reads a model.
    ///
    /// # Errors
    /// The file is missing, or not a model of this network.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read the model {}", path.display()))?;
        Self::parse(&bytes)
            .with_context(|| format!("{} is not a model of Indigo; make one with `train`", path.display()))
    }

    fn parse(bytes: &[u8]) -> anyhow::Result<Self> {
        let end = bytes.iter().position(|&byte| byte == b'\n').context("it has no first line")?;
        let provenance = serde_json::from_slice(&bytes[..end])?;
        let weights = &bytes[end + 1..];
        ensure!(weights.len() == 4 * PARAMETERS, "it has {} bytes of weights, not {}", weights.len(), 4 * PARAMETERS);
        let parameters = weights.chunks_exact(4).map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let network = Lstm::from_parameters(parameters.collect()).context("a weight is not a finite number")?;
        Ok(Self { provenance, network })
    }

    /// Writes the model atomically.
    ///
    /// # Errors
    /// The folder is missing or not writable.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let mut bytes = serde_json::to_vec(&self.provenance)?;
        bytes.push(b'\n');
        bytes.extend(self.network.parameters().iter().flat_map(|value| value.to_le_bytes()));
        let partial = path.with_extension("partial");
        std::fs::write(&partial, bytes).with_context(|| format!("cannot write {}", partial.display()))?;
        std::fs::rename(&partial, path).with_context(|| format!("cannot write {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_wrote_and_refuses_what_is_cut_off() {
        let provenance = Provenance {
            command: "train".into(),
            commit: "c".into(),
            seed: 1,
            data: "d".into(),
            figures: BTreeMap::from([("loss".into(), 0.5)]),
        };
        let model = Model { provenance, network: Lstm::random(3) };
        let path = std::env::temp_dir().join(format!("indigo-{}.bin", std::process::id()));
        model.write(&path).unwrap();
        assert_eq!(Model::read(&path).unwrap(), model);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let error = Model::parse(&bytes[..bytes.len() - 4]).unwrap_err();
        assert!(error.to_string().contains("bytes of weights"), "{error}");
    }
}
