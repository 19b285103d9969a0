//! Hostile repositories, and sources that ask for too much work.

mod attacks_on_cache;
mod bombs;
mod descriptors;
mod fuzz_targets;
mod output_files;
mod outside;
mod panics;
mod special_files;
mod trust;
mod work_on_paths;
