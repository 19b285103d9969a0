//! Arguments of clap 3: a value parser or an action makes them as in clap 4; otherwise a conversion does.

use super::{
    super::tokens::{Quote, Tree},
    item::{Item, Shape, Type},
};

/// How a text becomes a value.
#[derive(Clone)]
pub(super) struct Conversion {
    from: From,
    function: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    Text { is_os: bool, may_fail: bool },
    Occurrences,
    Flag,
}

impl Conversion {
    /// Reads the argument of `parse`.
    pub(super) fn read<'a>(inside: &[Tree<'a>], quote: &mut Quote<'a>) -> Option<Conversion> {
        let (name, rest) = inside.split_first()?;
        let from = match name.ident()? {
            "from_str" => From::Text { is_os: false, may_fail: false },
            "try_from_str" => From::Text { is_os: false, may_fail: true },
            "from_os_str" => From::Text { is_os: true, may_fail: false },
            "try_from_os_str" => From::Text { is_os: true, may_fail: true },
            "from_occurrences" => From::Occurrences,
            "from_flag" => From::Flag,
            _ => return None,
        };
        let function = match (rest, from) {
            ([equals, function @ ..], _) if equals.is_punct('=') && !function.is_empty() => quote.of(function),
            ([], From::Text { is_os: false, may_fail: true }) => "::core::str::FromStr::from_str".to_owned(),
            ([], From::Text { may_fail: false, .. } | From::Flag) => "::core::convert::From::from".to_owned(),
            ([], From::Occurrences) => "|__count| __count as _".to_owned(),
            _ => return None,
        };
        Some(Conversion { from, function })
    }

    /// That of a type without attributes.
    fn usual(ty: &Type<'_>) -> Conversion {
        match ty.is_bool() {
            true => Conversion { from: From::Flag, function: "::core::convert::From::from".to_owned() },
            false => Conversion {
                from: From::Text { is_os: false, may_fail: true },
                function: "::core::str::FromStr::from_str".to_owned(),
            },
        }
    }

    fn value_parser(&self) -> &'static str {
        match self.from {
            From::Text { is_os: false, .. } => "clap::builder::ValueParser::string()",
            From::Text { is_os: true, .. } => "clap::builder::ValueParser::os_string()",
            From::Occurrences => "clap::value_parser!(u64)",
            From::Flag => "clap::builder::ValueParser::bool()",
        }
    }

    fn action(&self) -> &'static str {
        match self.from {
            From::Text { .. } => "clap::ArgAction::StoreValue",
            From::Occurrences | From::Flag => "clap::ArgAction::IncOccurrence",
        }
    }
}

/// An argument of clap 3.
pub(super) struct Argument<'i, 'a> {
    item: &'i Item,
    inner: &'i str,
    ty: &'i Type<'a>,
    shape: Shape,
    conversion: Conversion,
}

impl<'i, 'a> Argument<'i, 'a> {
    pub(super) fn new(item: &'i Item, ty: &'i Type<'a>, inner: &'i str) -> Argument<'i, 'a> {
        let has_conversion = item.conversion.is_some();
        let shape = match ty.shape {
            Shape::OptionOption if has_conversion => Shape::Other,
            Shape::Unit => Shape::Other,
            shape => shape,
        };
        let conversion = item.conversion.clone().unwrap_or_else(|| Conversion::usual(ty));
        Argument { item, inner, ty, shape, conversion }
    }

    /// The calls that follow from the type.
    pub(super) fn calls(&self, is_update: bool) -> String {
        let Argument { item, inner, conversion, .. } = self;
        let by_clap = item.is_made_by_clap;
        let function = &conversion.function;
        match conversion.from {
            From::Occurrences if !by_clap && self.shape == Shape::Other => {
                return ".multiple_occurrences(true)".to_owned();
            }
            From::Flag if !by_clap && self.shape == Shape::Other => return ".takes_value(false)".to_owned(),
            _ => {}
        }
        let checked = match conversion.from {
            _ if by_clap => String::new(),
            _ if item.is_enum => format!(
                ".possible_values(<{inner} as clap::ValueEnum>::value_variants().iter()\
                 .filter_map(clap::ValueEnum::to_possible_value))"
            ),
            From::Text { is_os, may_fail: true } => {
                let validator = if is_os { "validator_os" } else { "validator" };
                format!(".{validator}(|__text| ({function})(__text).map(|_: {inner}| ()))")
            }
            _ => String::new(),
        };
        let action = match by_clap {
            true => item.action(self.ty),
            false => conversion.action().to_owned(),
        };
        let parser = match by_clap {
            true => item.value_parser(inner),
            false => conversion.value_parser().to_owned(),
        };
        let number = match self.shape {
            Shape::Option | Shape::Unit => String::new(),
            Shape::OptionOption => ".min_values(0).max_values(1).multiple_values(false)".to_owned(),
            Shape::Vec | Shape::OptionVec if !by_clap => ".multiple_occurrences(true)".to_owned(),
            Shape::Vec | Shape::OptionVec if item.is_positional => ".multiple_values(true)".to_owned(),
            Shape::Vec | Shape::OptionVec => String::new(),
            Shape::Other => format!(".required({} && {action}.takes_values())", !item.has_default() && !is_update),
        };
        let name = item.value_name();
        format!(".takes_value(true).value_name({name}) {number} {checked} .value_parser({parser}).action({action})")
    }

    /// The value from the matches; `None` if it is made as in clap 4. `old` is the value that is updated.
    pub(super) fn value(&self, old: Option<&str>) -> Option<String> {
        let Argument { item, inner, conversion, .. } = self;
        if item.is_made_by_clap {
            return None;
        }
        let (id, function) = (item.id(), &conversion.function);
        let invalid = format!(
            ".map_err(|__error| clap::Error::raw(clap::ErrorKind::ValueValidation, \
             ::std::format!(\"Invalid value for {{}}: {{}}\", {id}, __error)))"
        );
        let (text, convert) = match conversion.from {
            From::Occurrences if self.shape == Shape::Other => {
                return Some(format!("({function})(__matches.occurrences_of({id}))"));
            }
            From::Flag if self.shape == Shape::Other => {
                return Some(match old.filter(|_| self.ty.is_bool()) {
                    Some(old) => format!("*{old} || __matches.is_present({id})"),
                    None => format!("({function})(__matches.is_present({id}))"),
                });
            }
            From::Occurrences | From::Flag => return None,
            From::Text { is_os, may_fail } => {
                let text = if is_os { "::std::ffi::OsString" } else { "::std::string::String" };
                let convert = match may_fail {
                    _ if item.is_enum => {
                        format!("<{inner} as clap::ValueEnum>::from_str(__text, {}){invalid}", item.ignores_case())
                    }
                    true => format!("({function})(__text){invalid}"),
                    false => format!("::core::result::Result::Ok::<_, clap::Error>(({function})(__text))"),
                };
                (text, format!("|__text| {convert}"))
            }
        };
        let deref = "|__text| ::core::ops::Deref::deref(__text)";
        let one = format!("__matches.get_one::<{text}>({id}).map({deref})");
        let option = format!("{one}.map({convert}).transpose()?");
        let result = |ty: &str| format!("::core::result::Result<{ty}, clap::Error>");
        let many = format!(
            "__matches.get_many::<{text}>({id}).map(|__texts| __texts.map({deref}).map::<{}, _>({convert})\
             .collect::<{}>()).transpose()?.unwrap_or_else(::std::vec::Vec::new)",
            result(inner),
            result("::std::vec::Vec<_>")
        );
        let if_there = |value: &str| {
            format!(
                "if __matches.contains_id({id}) {{ ::core::option::Option::Some({value}) }} \
                 else {{ ::core::option::Option::None }}"
            )
        };
        Some(match self.shape {
            Shape::Option => option,
            Shape::OptionOption => if_there(&option),
            Shape::Vec => many,
            Shape::OptionVec => if_there(&many),
            Shape::Other | Shape::Unit => {
                format!("{one}.ok_or_else(|| {}).and_then({convert})?", item.version.is_missing(&id))
            }
        })
    }
}
