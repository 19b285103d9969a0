// Duration and Instant arithmetic, rounding, formatting, limits.
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
fn main() {
    let all = [Duration::ZERO, Duration::from_nanos(1), Duration::from_micros(1500), Duration::from_millis(999), Duration::from_secs(1), Duration::new(3, 999_999_999), Duration::from_secs_f64(1.5e-6), Duration::from_secs(86_400), Duration::MAX, Duration::from_nanos(100_000_001), Duration::from_millis(1_100)];
    for d in all {
        println!("{d:?} {d:.1?} {d:.0?} {d:>12.2?}| {d:<10.3?}| {d:+?}");
        println!("  {} {} {} {} {} {}", d.as_secs(), d.as_millis(), d.as_micros(), d.as_nanos(), d.subsec_millis(), d.subsec_nanos());
        println!("  {} {} {:?} {:?} {:?}", d.as_secs_f64(), d.as_secs_f32(), d.checked_mul(3), d.checked_div(7), d.checked_sub(Duration::from_secs(1)));
        println!("  {:?} {:?} {:?}", d.saturating_add(Duration::from_secs(1)), d.saturating_mul(1000), d.saturating_sub(Duration::from_millis(1)));
        println!("  {:?} {:?} {}", d / 3, d.abs_diff(Duration::from_secs(2)), d.is_zero());
    }
    println!("{:?} {:?} {:?}", Duration::from_secs(5) / 2, Duration::from_millis(300) * 7, 3 * Duration::from_millis(5));
    println!("{:?} {:?} {}", Duration::from_secs(3).mul_f64(0.1), Duration::from_secs(3).div_f32(7.0), Duration::from_secs(3).div_duration_f64(Duration::from_millis(7)));
    println!("{:?} {:?}", Duration::try_from_secs_f64(-1.0).map_err(|e| e.to_string()), Duration::try_from_secs_f64(1e30).map_err(|e| e.to_string()));
    println!("{:?} {:?} {:?}", Duration::from_secs_f32(0.1), Duration::from_secs_f64(0.1), Duration::from_secs_f64(2.7));
    println!("{:?} {:?}", [1u64, 2, 3].map(Duration::from_millis).iter().sum::<Duration>(), all.iter().max());
    let mut d = Duration::from_secs(1); d += Duration::from_millis(5); d *= 2; d -= Duration::from_nanos(1); d /= 3; println!("{d:?}");
    let now = Instant::now(); let later = now + Duration::from_millis(1500);
    println!("{:?} {:?} {:?}", later - now, later.duration_since(now), now.checked_duration_since(later));
    println!("{:?} {:?} {}", now.saturating_duration_since(later), later.checked_sub(Duration::from_millis(1500)) == Some(now), now < later);
    println!("{:?} {}", now.checked_add(Duration::MAX).is_none(), now.elapsed() < Duration::from_secs(3600));
    let t = UNIX_EPOCH + Duration::from_secs(1_000_000_000); println!("{:?} {:?}", t.duration_since(UNIX_EPOCH), UNIX_EPOCH.duration_since(t).map_err(|e| e.duration()));
    println!("{:?} {}", t.checked_sub(Duration::from_secs(2_000_000_000)).map(|e| UNIX_EPOCH.duration_since(e)), SystemTime::UNIX_EPOCH == UNIX_EPOCH);
    let start = Instant::now(); std::thread::sleep(Duration::from_millis(20)); println!("{}", start.elapsed() >= Duration::from_millis(20));
    for f in [|| Duration::MAX + Duration::from_nanos(1), || Duration::ZERO - Duration::from_nanos(1), || Duration::from_secs(1) / 0, || Duration::from_secs_f64(f64::NAN)] { println!("{}", std::panic::catch_unwind(f).is_err()) }
}
