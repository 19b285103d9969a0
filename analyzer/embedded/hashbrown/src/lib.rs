//! Stands in for the crate of this name: the maps under std's `HashMap` and `HashSet`.
//!
//! It is interpreted, not compiled into the product, so it is plain: open addressing with linear probing, few calls
//! an operation, one hash a lookup, `Eq` only on equal hashes. The order of iteration follows the hashes and never the
//! order of insertion. Its layout has the sizes of the real one.
#![no_std]
#![cfg_attr(feature = "in-std", feature(allocator_api))]

extern crate alloc;

mod list;
mod table;

pub mod hash_map;
pub mod hash_set;

pub use list::{Allocator, Global};
pub use table::TryReserveError;
