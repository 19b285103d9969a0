//! The C library's calendar. The machine's time zone is UTC.

use super::{Call, Outcome};
use crate::machine::Stop;

const DAY: i64 = 86_400;
/// Days of 400 years.
const ERA: i64 = 146_097;

/// Year, month from 0, day of the month from 1, and day of the year from 0, of a day since 1970 (proleptic Gregorian).
fn date(day: i64) -> (i64, i64, i64, i64) {
    // Years that start in March, so that the leap day is the last one; the first era starts in the year 0.
    let day = day.saturating_add(719_468);
    let (era, in_era) = (day.div_euclid(ERA), day.rem_euclid(ERA));
    let year = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year + year / 4 - year / 100);
    let march = (5 * in_year + 2) / 153;
    let of_month = in_year - (153 * march + 2) / 5 + 1;
    let month = (march + 2) % 12;
    let year = era * 400 + year + i64::from(month < 2);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let from_january = match month < 2 {
        true => in_year - 306,
        false => in_year + 59 + i64::from(is_leap),
    };
    (year, month, of_month, from_january)
}

/// `localtime_r` and `gmtime_r`: Linux's `struct tm` on 64 bits.
pub(super) fn localtime_r(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (time, to) = (call.arg(0)?, call.arg(1)?);
    let time = call.machine.load_word(time, 8)? as i64;
    let (day, second) = (time.div_euclid(DAY), time.rem_euclid(DAY));
    let (year, month, of_month, of_year) = date(day);
    let Ok(year) = i32::try_from(year - 1900) else {
        call.ret(0);
        return Ok(Outcome::Done);
    };
    let of_week = (day + 4).rem_euclid(7);
    let fields = [second % 60, second / 60 % 60, second / 3600, of_month, month, i64::from(year), of_week, of_year, 0];
    for (index, field) in (0..).zip(fields) {
        call.machine.store_word(to.wrapping_add(4 * index), 4, field as u32 as u64)?;
    }
    let zone = call.machine.c_string(b"UTC")?;
    call.machine.store_word(to.wrapping_add(40), 8, 0)?;
    call.machine.store_word(to.wrapping_add(48), 8, zone)?;
    call.ret(to);
    Ok(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days() {
        assert_eq!(date(0), (1970, 0, 1, 0));
        assert_eq!(date(-1), (1969, 11, 31, 364));
        assert_eq!(date(11_016), (2000, 1, 29, 59), "a leap day");
        assert_eq!(date(11_017), (2000, 2, 1, 60));
        assert_eq!(date(19_723), (2024, 0, 1, 0));
        assert_eq!(date(20_088), (2024, 11, 31, 365));
        assert_eq!(date(-719_528), (0, 0, 1, 0));
    }
}
