//! Items that were stopped at a budget, and their locations.

use super::{Location, Project};
use crate::{
    budget::{self, Call, Stop},
    ir::Site,
};

impl Project {
    pub(super) fn location_of_call(&self, call: &Call) -> Location {
        let (line, column) = (call.start.0 + 1, call.start.1 + 1);
        Location { path: self.shared.files.shown(call.file), line, column, end_line: line, end_column: column }
    }

    /// The items stopped in this process since the last call: the reason, and the locations, sorted and without
    /// duplicates.
    pub fn take_stopped(&self) -> Vec<(Stop, Vec<Location>)> {
        let mut found: Vec<(Stop, Vec<Location>)> = Vec::new();
        for stopped in budget::take_stopped() {
            let location = match (stopped.call, stopped.body) {
                (Some(call), _) => Some(self.location_of_call(&call)),
                (None, Some(body)) => self.location_of(body, Site::None),
                (None, None) => None,
            };
            match found.iter_mut().find(|(stop, _)| *stop == stopped.stop) {
                Some((_, locations)) => locations.extend(location),
                None => found.push((stopped.stop, location.into_iter().collect())),
            }
        }
        for (_, locations) in &mut found {
            locations.sort();
            locations.dedup();
        }
        found.sort();
        found
    }
}
