//! Sites of the generic IR as site numbers of the machine.

use crate::ir;
use interp::ir::Site;
use la_arena::RawIdx;

/// The number of a site; [`decode`] is the inverse.
pub fn encode(site: ir::Site) -> Site {
    match site {
        ir::Site::Expr(id) => Site(u32::from(id.into_raw()) << 2),
        ir::Site::Pat(id) => Site(u32::from(id.into_raw()) << 2 | 1),
        ir::Site::Macro(number) => Site(number << 2 | 2),
        ir::Site::None => Site::NONE,
    }
}

/// The site with a number.
pub fn decode(site: Site) -> Option<ir::Site> {
    if site == Site::NONE {
        return None;
    }
    let number = site.0 >> 2;
    let raw = RawIdx::from(number);
    Some(match site.0 & 3 {
        0 => ir::Site::Expr(la_arena::Idx::from_raw(raw)),
        1 => ir::Site::Pat(la_arena::Idx::from_raw(raw)),
        _ => ir::Site::Macro(number),
    })
}
