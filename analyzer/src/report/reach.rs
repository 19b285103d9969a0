//! How far runs came with each synchronisation site: what a result without findings is worth, place by place.

use super::{BoundReached, PairCounts};
use crate::{
    project::{EntryName, Location},
    std_models::sites::SiteKind,
};
use serde::{Deserialize, Serialize};

/// How far runs came with the synchronisation sites of a package's crates.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reach {
    /// The sites, in the order of files and lines.
    pub sites: Vec<SiteReach>,
    /// Bodies that may have further sites and were left out: their names and locations.
    pub left_out: Vec<LeftOutBody>,
    /// Code that may have further sites and is switched off.
    pub switched_off: Vec<SwitchedOff>,
    /// The pairs of calls that each harness makes from two threads.
    #[serde(default)]
    pub pairs: Vec<PairsOfEntry>,
}

impl Reach {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty() && self.left_out.is_empty() && self.switched_off.is_empty() && self.pairs.is_empty()
    }
}

/// The pairs of calls that a harness makes from two threads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairsOfEntry {
    /// The harness.
    pub entry: EntryName,
    /// How many there are, and how many were under way at once.
    #[serde(flatten)]
    pub pairs: PairCounts,
}

/// How far runs came with a synchronisation site.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteReach {
    /// Its kind.
    pub kind: SiteKind,
    /// Where it is.
    pub location: Location,
    /// The function that it is in.
    pub function: String,
    /// The number of entries of which a run reached it.
    pub reached: usize,
    /// The number of entries of which a run reached it while another thread could run.
    pub concurrent: usize,
    /// The first entry that reached it, if possible while another thread could run.
    pub entry: Option<EntryName>,
    /// Why no run reached it.
    pub why_not: Option<WhyNot>,
}

/// Why no run reached a site.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum WhyNot {
    /// No entry leads to its function.
    NotCalled {
        /// Functions that nothing calls and that lead there: a test that calls one would change that.
        call: Vec<String>,
    },
    /// An entry leads there, but no run came as far as its function.
    NotEntered {
        /// The entry that is nearest.
        entry: EntryName,
        /// The last function on the way that a run entered; `None` if it is the entry itself that was not run.
        last: Option<String>,
        /// The next one, which no run entered.
        next: String,
        /// How runs of that entry ended before the program's own end.
        ends: Vec<BoundReached>,
        /// The number of its schedules.
        schedules: u32,
    },
    /// Runs entered its function, but did not come to this place.
    NotInFunction {
        /// The entry that is nearest.
        entry: EntryName,
        /// How runs of that entry ended before the program's own end.
        ends: Vec<BoundReached>,
        /// The number of its schedules.
        schedules: u32,
    },
    /// Runs reached it only after they went on behind a deadlock or a panic, where only deadlocks are told.
    Behind {
        /// The first entry that reached it so.
        entry: EntryName,
    },
}

/// A body that was left out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct LeftOutBody {
    /// Where it is.
    pub location: Location,
    /// Its name.
    pub function: String,
}

/// Code that a cfg switches off.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SwitchedOff {
    /// Where it is.
    pub location: Location,
    /// What it needs, as in the source.
    pub cfg: String,
}
