//! Items that were stopped at a budget, and their locations.

use super::{Place, Project};
use crate::{
    budget::{self, Call, Stop},
    ir::Site,
};

impl Project {
    pub(super) fn place_of_call(&self, call: &Call) -> Place {
        let (line, column) = (call.start.0 + 1, call.start.1 + 1);
        Place { path: self.shared.files.shown(call.file), line, column, end_line: line, end_column: column }
    }

    /// The items stopped in this process since the last call: the reason, and the locations, sorted and without
    /// duplicates.
    pub fn take_stopped(&self) -> Vec<(Stop, Vec<Place>)> {
        let mut found: Vec<(Stop, Vec<Place>)> = Vec::new();
        for stopped in budget::take_stopped() {
            let place = match (stopped.call, stopped.body) {
                (Some(call), _) => Some(self.place_of_call(&call)),
                (None, Some(body)) => self.place_of(body, Site::None),
                (None, None) => None,
            };
            match found.iter_mut().find(|(stop, _)| *stop == stopped.stop) {
                Some((_, places)) => places.extend(place),
                None => found.push((stopped.stop, place.into_iter().collect())),
            }
        }
        for (_, places) in &mut found {
            places.sort();
            places.dedup();
        }
        found.sort();
        found
    }
}
