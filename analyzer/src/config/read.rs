//! Reads the keys of a configuration. Errors say where they are and which key or name was probably meant.

use super::{Config, Entries, KEYS, MAX_RUNS, NamedType, ObjectKind, OwnObject, paths::Pattern};
use crate::{diagnostic::Level, escape, project::LoadError, rules::RULES};
use interp::{run::Jitter, sched::Strategy};
use std::{fmt::Display, ops::Range, str::FromStr};
use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue},
};

/// Maximum number of elements of a list.
const MOST: usize = 1_000;
/// Maximum length of a text, in bytes.
const LONGEST: usize = 1_000;
/// Longer names, in bytes, have no nearest one.
const MAX_COMPARED: usize = 64;
/// How similar a name must be to be suggested: 1 is equal.
const SIMILAR: f64 = 0.7;

/// A file.
pub(super) struct Text<'a> {
    /// Its path, as shown.
    pub(super) path: String,
    pub(super) text: &'a str,
}

type Result<T> = std::result::Result<T, LoadError>;
type Value<'a> = Spanned<DeValue<'a>>;
type Key<'a> = Spanned<DeString<'a>>;

impl Text<'_> {
    /// The configuration in a table of the file; `None` if there is no such table.
    pub(super) fn config(&self, table: &[&str]) -> Result<Option<Config>> {
        let whole = match DeTable::parse(self.text) {
            Ok(whole) => whole,
            // cargo tells what is wrong with a manifest.
            Err(_) if !table.is_empty() => return Ok(None),
            Err(error) => return Err(self.error(error.span().unwrap_or_default(), error.message())),
        };
        let mut at = whole.get_ref();
        for name in table {
            match at.get(*name).map(Spanned::get_ref) {
                Some(DeValue::Table(inner)) => at = inner,
                _ => return Ok(None),
            }
        }
        self.keys(at).map(Some)
    }

    fn error(&self, at: Range<usize>, what: impl Display) -> LoadError {
        LoadError::Config(format!("{}: {what}", self.position(at.start)))
    }

    /// `tsvd.toml:3:5`.
    fn position(&self, offset: usize) -> String {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{}:{line}:{column}", escape::line(&self.path))
    }

    fn keys(&self, table: &DeTable<'_>) -> Result<Config> {
        let mut config = Config::default();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "rules" => {
                    for (rule, level) in self.table(value)? {
                        let known = RULES.iter().find(|known| known.name == rule.get_ref().as_ref());
                        let names = || RULES.iter().map(|known| known.name);
                        let known = known.ok_or_else(|| self.unknown("rule", rule, names()))?;
                        let levels = [("error", Some(Level::Error)), ("warning", Some(Level::Warning)), ("off", None)];
                        config.levels.insert(known.name, self.one_of("level", level, &levels)?);
                    }
                }
                "exclude" => {
                    for it in self.list(value)? {
                        let pattern = Pattern::new(self.text_of(it)?);
                        config.exclude.push(pattern.map_err(|why| self.error(it.span(), why))?);
                    }
                }
                "entries" => config.entries = self.entries(value)?,
                "runs" => {
                    let runs = self.integer(value, 1, u64::from(MAX_RUNS))?;
                    config.runs = u32::try_from(runs).ok();
                }
                "seed" => config.seed = Some(self.integer(value, 0, u64::MAX)?),
                "strategy" => {
                    let names: Vec<String> = Strategy::ALL.iter().map(ToString::to_string).collect();
                    let text = self.text_of(value)?;
                    let strategy = Strategy::from_str(text).ok();
                    let unknown =
                        || self.unknown_name("strategy", text, value.span(), names.iter().map(String::as_str));
                    config.strategy = Some(strategy.ok_or_else(unknown)?);
                }
                "jitter" => {
                    let jitter = self.text_of(value)?.parse::<Jitter>();
                    config.jitter = Some(jitter.map_err(|why| self.error(value.span(), why.to_string()))?);
                }
                "known-safe" => {
                    let types = self.list(value)?.iter().map(|it| self.named_type(it));
                    config.known_safe = types.collect::<Result<_>>()?;
                }
                "objects" => {
                    let objects = self.list(value)?.iter().map(|it| self.object(it));
                    config.objects = objects.collect::<Result<_>>()?;
                }
                _ => return Err(self.unknown("key", key, KEYS.iter().map(|it| it.0))),
            }
        }
        Ok(config)
    }

    fn entries(&self, value: &Value<'_>) -> Result<Entries> {
        let mut entries = Entries::default();
        for (key, value) in self.table(value)? {
            let entry = match key.get_ref().as_ref() {
                "programs" => &mut entries.programs,
                "tests" => &mut entries.tests,
                "api" => &mut entries.api,
                _ => return Err(self.unknown("key", key, keys_of("entries"))),
            };
            *entry = value.get_ref().as_bool().ok_or_else(|| self.expected("true or false", value))?;
        }
        Ok(entries)
    }

    fn object(&self, value: &Value<'_>) -> Result<OwnObject> {
        let (mut of, mut reads, mut writes) = (None, Vec::new(), Vec::new());
        let names = |value| {
            let names = self.list(value)?.iter().map(|it| self.text_of(it).map(str::to_owned));
            names.collect::<Result<Vec<String>>>()
        };
        for (key, value) in self.table(value)? {
            let kind = match key.get_ref().as_ref() {
                "type" => ObjectKind::Type(self.named_type(value)?),
                "foreign" => match value.get_ref().as_bool() {
                    Some(true) => ObjectKind::Foreign { at: self.position(value.span().start) },
                    _ => return Err(self.expected("true", value)),
                },
                "reads" => {
                    reads = names(value)?;
                    continue;
                }
                "writes" => {
                    writes = names(value)?;
                    continue;
                }
                _ => return Err(self.unknown("key", key, keys_of("objects"))),
            };
            if of.replace(kind).is_some() {
                return Err(self.error(key.span(), "an object has a `type` or is `foreign`, not both"));
            }
        }
        let of =
            of.ok_or_else(|| self.error(value.span(), "an object has a `type = \"..\"` or is `foreign = true`"))?;
        if writes.is_empty() {
            return Err(self.error(value.span(), "an object has `writes`: two reads need no order"));
        }
        Ok(OwnObject { of, reads, writes })
    }

    fn named_type(&self, value: &Value<'_>) -> Result<NamedType> {
        let path = self.text_of(value)?.to_owned();
        let is_path = path.contains("::") && path.chars().all(|it| it.is_alphanumeric() || it == '_' || it == ':');
        if !is_path {
            return Err(self.expected("the path of a type with its crate, such as \"shop::stock::Stock\",", value));
        }
        Ok(NamedType { path, at: self.position(value.span().start) })
    }

    fn table<'v>(&self, value: &'v Value<'v>) -> Result<&'v DeTable<'v>> {
        value.get_ref().as_table().ok_or_else(|| self.expected("a table", value))
    }

    fn list<'v>(&self, value: &'v Value<'v>) -> Result<&'v [Value<'v>]> {
        let list = value.get_ref().as_array().ok_or_else(|| self.expected("a list", value))?;
        match list.len() > MOST {
            true => Err(self.error(value.span(), format!("more than {MOST} elements"))),
            false => Ok(list),
        }
    }

    fn text_of<'v>(&self, value: &'v Value<'v>) -> Result<&'v str> {
        let text = value.get_ref().as_str().ok_or_else(|| self.expected("a text", value))?;
        match text.len() > LONGEST {
            true => Err(self.error(value.span(), format!("more than {LONGEST} bytes"))),
            false => Ok(text),
        }
    }

    fn integer(&self, value: &Value<'_>, least: u64, most: u64) -> Result<u64> {
        let number = value.get_ref().as_integer();
        let number = number.and_then(|it| u64::from_str_radix(it.as_str(), it.radix()).ok());
        let range = || match most {
            u64::MAX => format!("a number from {least}"),
            most => format!("a number from {least} to {most}"),
        };
        number.filter(|it| (least..=most).contains(it)).ok_or_else(|| self.expected(&range(), value))
    }

    fn one_of<T: Copy>(&self, what: &str, value: &Value<'_>, all: &[(&str, T)]) -> Result<T> {
        let text = self.text_of(value)?;
        let found = all.iter().find(|(name, _)| *name == text).map(|it| it.1);
        found.ok_or_else(|| self.unknown_name(what, text, value.span(), all.iter().map(|it| it.0)))
    }

    fn expected(&self, what: &str, value: &Value<'_>) -> LoadError {
        self.error(value.span(), format!("{what} is expected here"))
    }

    fn unknown<'n>(&self, what: &str, key: &Key<'_>, known: impl Iterator<Item = &'n str> + Clone) -> LoadError {
        self.unknown_name(what, key.get_ref(), key.span(), known)
    }

    fn unknown_name<'n>(
        &self,
        what: &str,
        name: &str,
        at: Range<usize>,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> LoadError {
        let hint = match nearest(name, known.clone()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("known: {}", known.collect::<Vec<_>>().join(", ")),
        };
        let name: String = name.chars().take(60).collect();
        self.error(at, format!("unknown {what} `{}`; {hint}", escape::line(&name)))
    }
}

/// The known name that another is like, if there is one. To compare takes the product of both lengths.
pub(super) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let short = known.filter(|known| known.len() <= MAX_COMPARED && name.len() <= MAX_COMPARED);
    let likeness = short.map(|known| (known, strsim::jaro_winkler(known, name)));
    let nearest = likeness.filter(|it| it.1 >= SIMILAR).max_by(|one, two| one.1.total_cmp(&two.1));
    nearest.map(|it| it.0)
}

/// The keys of the tables under a key.
fn keys_of(key: &str) -> impl Iterator<Item = &'static str> + Clone {
    let table = KEYS.iter().find(|(name, _)| *name == key);
    table.into_iter().flat_map(|(_, keys)| keys.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::{Config, LoadError, Text};

    fn read(text: &str) -> Result<Config, LoadError> {
        Text { path: "tsvd.toml".to_owned(), text }.config(&[]).map(Option::unwrap_or_default)
    }

    #[test]
    fn errors_say_where_and_what() {
        let table = [
            ("seed = 1\nrunz = 3", "2:1: unknown key `runz`; did you mean `runs`?"),
            ("[rules]\ndata-rice = \"off\"", "2:1: unknown rule `data-rice`; did you mean `data-race`?"),
            ("[rules]\ndeadlock = \"of\"", "2:12: unknown level `of`; did you mean `off`?"),
            (
                "colour = 1",
                "1:1: unknown key `colour`; known: entries, exclude, jitter, known-safe, objects, rules, runs, seed, strategy",
            ),
            ("strategy = \"pct-9\"", "1:12: unknown strategy `pct-9`; did you mean `pct-5`?"),
            ("entries = { test = false }", "1:13: unknown key `test`; did you mean `tests`?"),
            ("runs = 0", "1:8: a number from 1 to 10000 is expected here"),
            ("runs = 10_001", "1:8: a number from 1 to 10000 is expected here"),
            ("exclude = \"vendor\"", "1:11: a list is expected here"),
            ("exclude = [\"../x\"]", "1:12: a path below the root of the workspace, with slashes, is expected"),
            (
                "known-safe = [\"Stock\"]",
                "1:15: the path of a type with its crate, such as \"shop::stock::Stock\", is expected here",
            ),
            ("[[objects]]\ntype = \"a::B\"\nforeign = true", "2:1: an object has a `type` or is `foreign`, not both"),
            ("[[objects]]\nwrites = [\"a\"]", "1:1: an object has a `type = \"..\"` or is `foreign = true`"),
            ("runs = ", "1:8: string values must be quoted, expected literal string"),
        ];
        let found = |text| read(text).unwrap_err().to_string();
        let differ = table.into_iter().filter(|(text, error)| found(text) != format!("tsvd.toml:{error}"));
        assert_eq!(differ.map(|(text, _)| found(text)).collect::<Vec<_>>(), Vec::<String>::new());
    }

    #[test]
    fn all_keys() {
        let text = "exclude = [\"vendor/**\"]\nruns = 1_000\nseed = 0xff\nstrategy = \"delays\"\nknown-safe = [\"a::B\"]\n\
                    rules = { deadlock = \"off\" }\nentries = { api = false }\n\
                    objects = [{ type = \"a::C\", writes = [\"push\"] }, { foreign = true, reads = [\"get\"], writes = [\"put\"] }]\n";
        let config = read(text).unwrap();
        assert_eq!((config.runs, config.seed), (Some(1000), Some(255)));
        assert_eq!((config.levels.len(), config.exclude.len(), config.known_safe.len()), (1, 1, 1));
        assert_eq!(config.objects.iter().map(|it| it.writes("put")).collect::<Vec<_>>(), [None, Some(true)]);
        assert!(!config.entries.api && config.entries.tests);
    }
}
