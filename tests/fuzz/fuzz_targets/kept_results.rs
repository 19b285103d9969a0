#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz::KEPT_RESULTS.run(input));
