//! What was stopped at a budget, and where it stands.

use super::{Place, Project};
use crate::{
    budget::{self, Stop},
    ir::Site,
};

impl Project {
    /// What was stopped in this process since the last call: why, and the places, each once and in order.
    pub fn take_stopped(&self) -> Vec<(Stop, Vec<Place>)> {
        let mut found: Vec<(Stop, Vec<Place>)> = Vec::new();
        for stopped in budget::take_stopped() {
            let place = match (stopped.call, stopped.body) {
                (Some((file, (line, column))), _) => {
                    let path = self.shared.files.shown(file);
                    let (line, column) = (line + 1, column + 1);
                    Some(Place { path, line, column, end_line: line, end_column: column })
                }
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
