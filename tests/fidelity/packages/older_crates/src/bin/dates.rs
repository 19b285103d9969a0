//! Descriptions of dates that are read at compile time.

use time::{Date, OffsetDateTime, Time, format_description::FormatItem, macros::format_description};

const SHORT: &[FormatItem<'_>] = format_description!("[year]-[month]-[day]");

fn main() {
    let at = OffsetDateTime::from_unix_timestamp(1_700_000_000).unwrap();
    println!("{}", at.format(SHORT).unwrap());
    let long = format_description!(
        "[weekday repr:short], [day padding:space] [month repr:long] [year repr:last_two] [[at] \
         [hour repr:12 padding:none]:[minute]:[second].[subsecond digits:3] [period case:lower] \
         [offset_hour sign:mandatory]:[offset_minute] w[week_number repr:monday] d[ordinal] [unix_timestamp]"
    );
    println!("{}", at.format(long).unwrap());
    println!("{:?}", Date::parse("2024-02-29", SHORT));
    println!("{:?}", Date::parse("2023-02-29", SHORT).is_err());
    println!("{:?}", Time::parse("7:05 PM", format_description!(version = 1, "[hour repr:12 padding:none]:[minute] [period]")));
}
