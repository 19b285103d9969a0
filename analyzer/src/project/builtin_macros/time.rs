//! `time::macros::format_description!`: the description of a date's text, read when the program is compiled.

use super::{
    Call,
    tokens::{Quote, trees},
};
use ra_ap_tt::TopSubtree;

const DESCRIPTION: &str = "::time::format_description";

/// A component, and its modifiers: the word for each, the field that it sets, and the values that it can have.
type Component = (&'static str, &'static str, &'static [Modifier]);
type Modifier = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const PADDING: Modifier = (
    "padding",
    "padding",
    &[("space", "modifier::Padding::Space"), ("zero", "modifier::Padding::Zero"), ("none", "modifier::Padding::None")],
);
const SIGN: Modifier = ("sign", "sign_is_mandatory", &[("automatic", "false"), ("mandatory", "true")]);
const CASE_SENSITIVE: Modifier = ("case_sensitive", "case_sensitive", &[("false", "false"), ("true", "true")]);

/// All components but `ignore`.
const COMPONENTS: &[Component] = &[
    ("day", "Day", &[PADDING]),
    ("end", "End", &[]),
    ("hour", "Hour", &[PADDING, ("repr", "is_12_hour_clock", &[("12", "true"), ("24", "false")])]),
    ("minute", "Minute", &[PADDING]),
    (
        "month",
        "Month",
        &[
            PADDING,
            (
                "repr",
                "repr",
                &[
                    ("numerical", "modifier::MonthRepr::Numerical"),
                    ("long", "modifier::MonthRepr::Long"),
                    ("short", "modifier::MonthRepr::Short"),
                ],
            ),
            CASE_SENSITIVE,
        ],
    ),
    ("offset_hour", "OffsetHour", &[SIGN, PADDING]),
    ("offset_minute", "OffsetMinute", &[PADDING]),
    ("offset_second", "OffsetSecond", &[PADDING]),
    ("ordinal", "Ordinal", &[PADDING]),
    ("period", "Period", &[("case", "is_uppercase", &[("lower", "false"), ("upper", "true")]), CASE_SENSITIVE]),
    ("second", "Second", &[PADDING]),
    (
        "subsecond",
        "Subsecond",
        &[(
            "digits",
            "digits",
            &[
                ("1", "modifier::SubsecondDigits::One"),
                ("2", "modifier::SubsecondDigits::Two"),
                ("3", "modifier::SubsecondDigits::Three"),
                ("4", "modifier::SubsecondDigits::Four"),
                ("5", "modifier::SubsecondDigits::Five"),
                ("6", "modifier::SubsecondDigits::Six"),
                ("7", "modifier::SubsecondDigits::Seven"),
                ("8", "modifier::SubsecondDigits::Eight"),
                ("9", "modifier::SubsecondDigits::Nine"),
                ("1+", "modifier::SubsecondDigits::OneOrMore"),
            ],
        )],
    ),
    (
        "unix_timestamp",
        "UnixTimestamp",
        &[
            (
                "precision",
                "precision",
                &[
                    ("second", "modifier::UnixTimestampPrecision::Second"),
                    ("millisecond", "modifier::UnixTimestampPrecision::Millisecond"),
                    ("microsecond", "modifier::UnixTimestampPrecision::Microsecond"),
                    ("nanosecond", "modifier::UnixTimestampPrecision::Nanosecond"),
                ],
            ),
            SIGN,
        ],
    ),
    (
        "weekday",
        "Weekday",
        &[
            (
                "repr",
                "repr",
                &[
                    ("short", "modifier::WeekdayRepr::Short"),
                    ("long", "modifier::WeekdayRepr::Long"),
                    ("sunday", "modifier::WeekdayRepr::Sunday"),
                    ("monday", "modifier::WeekdayRepr::Monday"),
                ],
            ),
            ("one_indexed", "one_indexed", &[("false", "false"), ("true", "true")]),
            CASE_SENSITIVE,
        ],
    ),
    (
        "week_number",
        "WeekNumber",
        &[
            PADDING,
            (
                "repr",
                "repr",
                &[
                    ("iso", "modifier::WeekNumberRepr::Iso"),
                    ("sunday", "modifier::WeekNumberRepr::Sunday"),
                    ("monday", "modifier::WeekNumberRepr::Monday"),
                ],
            ),
        ],
    ),
    (
        "year",
        "Year",
        &[
            PADDING,
            (
                "repr",
                "repr",
                &[
                    ("full", "modifier::YearRepr::Full"),
                    ("century", "modifier::YearRepr::Century"),
                    ("last_two", "modifier::YearRepr::LastTwo"),
                ],
            ),
            (
                "range",
                "range",
                &[("standard", "modifier::YearRange::Standard"), ("extended", "modifier::YearRange::Extended")],
            ),
            ("base", "iso_week_based", &[("calendar", "false"), ("iso_week", "true")]),
            SIGN,
        ],
    ),
];

pub(super) fn format_description(call: &Call<'_>) -> Result<TopSubtree, String> {
    description(call, "BorrowedFormatItem")
}

/// The same of time before 0.3.35.
pub(super) fn old_format_description(call: &Call<'_>) -> Result<TopSubtree, String> {
    description(call, "FormatItem")
}

fn description(call: &Call<'_>, item: &str) -> Result<TopSubtree, String> {
    let tokens = trees(call.item);
    let text = match tokens.as_slice() {
        [text] => text,
        [version, equals, number, comma, text]
            if version.is_ident("version") && equals.is_punct('=') && comma.is_punct(',') =>
        {
            match number.literal().as_deref() {
                Some("1") => text,
                _ => return Err("its version".to_owned()),
            }
        }
        _ => return Err("its arguments".to_owned()),
    };
    let items = items(&text.string().ok_or("its argument")?, &format!("{DESCRIPTION}::{item}"))?;
    let text = format!("{{ const DESCRIPTION: &[{DESCRIPTION}::{item}<'_>] = &[{items}]; DESCRIPTION }}");
    Ok(Quote::default().made(tokens[0].span(), &text))
}

/// The items of a description, each with a comma.
fn items(mut text: &str, item: &str) -> Result<String, String> {
    let mut made = String::new();
    let literal = |text: &str| format!("{item}::Literal(b\"{}\"),", text.as_bytes().escape_ascii());
    while !text.is_empty() {
        let at = text.find('[').unwrap_or(text.len());
        let (before, rest) = text.split_at(at);
        if !before.is_empty() {
            made += &literal(before);
        }
        text = if let Some(rest) = rest.strip_prefix("[[") {
            made += &literal("[");
            rest
        } else if let Some(rest) = rest.strip_prefix('[') {
            let (inside, rest) = rest.split_once(']').ok_or("a component that does not end")?;
            made += &format!("{item}::Component({}),", component(inside)?);
            rest
        } else {
            rest
        };
    }
    Ok(made)
}

fn component(inside: &str) -> Result<String, String> {
    let mut words = inside.split_ascii_whitespace();
    let name = words.next().unwrap_or_default();
    let find = |it: &&Component| it.0.eq_ignore_ascii_case(name);
    let (_, ty, modifiers) = COMPONENTS.iter().find(find).ok_or_else(|| format!("the component `{name}`"))?;
    let mut set = String::new();
    for word in words {
        let unknown = || format!("the modifier `{word}`");
        let (key, value) = word.split_once(':').ok_or_else(unknown)?;
        let (_, field, values) = modifiers.iter().find(|it| it.0.eq_ignore_ascii_case(key)).ok_or_else(unknown)?;
        let (_, value) = values.iter().find(|it| it.0.eq_ignore_ascii_case(value)).ok_or_else(unknown)?;
        let path = if value.contains(':') { format!("{DESCRIPTION}::{value}") } else { (*value).to_owned() };
        set += &format!("__value.{field} = {path};");
    }
    let make = format!("let mut __value = {DESCRIPTION}::modifier::{ty}::default();");
    Ok(format!("{DESCRIPTION}::Component::{ty}({{ {make} {set} __value }})"))
}
