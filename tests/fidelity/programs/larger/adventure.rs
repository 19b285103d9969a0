//! A text adventure as a state machine driven by a script.
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Dir {
    North,
    East,
    South,
    West,
}
impl Dir {
    fn opposite(self) -> Dir {
        use Dir::*;
        match self {
            North => South,
            East => West,
            South => North,
            West => East,
        }
    }
}
impl TryFrom<&str> for Dir {
    type Error = ();
    fn try_from(s: &str) -> Result<Dir, ()> {
        Ok(match s {
            "n" | "north" => Dir::North,
            "e" | "east" => Dir::East,
            "s" | "south" => Dir::South,
            "w" | "west" => Dir::West,
            _ => return Err(()),
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Lamp { lit: bool, oil: u8 },
    Key(&'static str),
    Coin(u32),
}
impl Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Lamp { lit: true, oil } => write!(f, "a lit lamp ({oil})"),
            Item::Lamp { .. } => f.write_str("a lamp"),
            Item::Key(c) => write!(f, "a {c} key"),
            Item::Coin(1) => f.write_str("a coin"),
            Item::Coin(n) => write!(f, "{n} coins"),
        }
    }
}
impl Item {
    fn word(&self) -> &'static str {
        match self {
            Item::Lamp { .. } => "lamp",
            Item::Key(_) => "key",
            Item::Coin(_) => "coins",
        }
    }
}

#[derive(Default)]
struct Room {
    name: &'static str,
    dark: bool,
    exits: BTreeMap<Dir, Exit>,
    items: Vec<Item>,
}
#[derive(Clone, Copy)]
struct Exit {
    to: usize,
    locked: bool,
}

#[derive(Debug)]
enum Command<'a> {
    Go(Dir),
    Take(&'a str),
    Drop(&'a str),
    Use(&'a str, Option<&'a str>),
    Look,
    Inventory,
    Quit,
}

fn parse(line: &str) -> Result<Command<'_>, String> {
    let words: Vec<&str> = line.split_whitespace().filter(|w| !["the", "a", "at"].contains(w)).collect();
    Ok(match words.as_slice() {
        [] => return Err("Say something.".into()),
        ["go", d] | [d] if let Ok(d) = Dir::try_from(*d) => Command::Go(d),
        ["take" | "get", x] => Command::Take(x),
        ["drop", x] => Command::Drop(x),
        ["use", x] | ["light", x] => Command::Use(x, None),
        ["use", x, "on", y] => Command::Use(x, Some(y)),
        ["look"] | ["l"] => Command::Look,
        ["i" | "inventory"] => Command::Inventory,
        ["quit"] => Command::Quit,
        [verb, ..] => return Err(format!("I do not know how to {verb}.")),
    })
}

#[derive(Debug, PartialEq)]
enum State {
    Playing,
    Won { turns: u32, coins: u32 },
    Dead(&'static str),
    Quit,
}

struct Game {
    rooms: Vec<Room>,
    here: usize,
    bag: Vec<Item>,
    turns: u32,
    seen: BTreeSet<usize>,
}

impl Game {
    fn new() -> Game {
        let mut g = Game { rooms: vec![], here: 0, bag: vec![], turns: 0, seen: BTreeSet::new() };
        let mut room = |name, dark, items| {
            g.rooms.push(Room { name, dark, items, ..Default::default() });
            g.rooms.len() - 1
        };
        let hall = room("Hall", false, vec![Item::Lamp { lit: false, oil: 3 }]);
        let cellar = room("Cellar", true, vec![Item::Key("brass"), Item::Coin(7)]);
        let garden = room("Garden", false, vec![Item::Coin(1)]);
        let vault = room("Vault", false, vec![]);
        g.connect(hall, Dir::South, cellar, false);
        g.connect(hall, Dir::East, garden, false);
        g.connect(garden, Dir::North, vault, true);
        g
    }
    fn connect(&mut self, a: usize, d: Dir, b: usize, locked: bool) {
        self.rooms[a].exits.insert(d, Exit { to: b, locked });
        self.rooms[b].exits.insert(d.opposite(), Exit { to: a, locked: false });
    }
    fn has_light(&self) -> bool {
        self.bag.iter().any(|i| matches!(i, Item::Lamp { lit: true, oil: 1.. }))
    }
    fn look(&mut self) -> String {
        let light = self.has_light();
        let room = &self.rooms[self.here];
        if room.dark && !light {
            return "It is pitch dark.".to_string();
        }
        let mut s = format!("{}{}.", room.name, if self.seen.insert(self.here) { " (new)" } else { "" });
        if !room.items.is_empty() {
            let list: Vec<String> = room.items.iter().map(|i| i.to_string()).collect();
            s += &format!(" You see {}.", list.join(" and "));
        }
        let exits = room.exits.iter().map(|(d, e)| format!("{d:?}{}", if e.locked { "*" } else { "" }));
        s + " Exits: " + &exits.collect::<Vec<_>>().join(", ")
    }
    fn step(&mut self, c: Command<'_>) -> (String, State) {
        self.turns += 1;
        for i in &mut self.bag {
            if let Item::Lamp { lit: lit @ true, oil } = i {
                *oil = oil.saturating_sub(1);
                if *oil == 0 {
                    *lit = false;
                }
            }
        }
        let text = match c {
            Command::Go(d) => match self.rooms[self.here].exits.get(&d) {
                None => "No way.".into(),
                Some(Exit { locked: true, .. }) => "Locked.".into(),
                Some(&Exit { to, .. }) => {
                    if self.rooms[self.here].dark && self.rooms[to].dark && !self.has_light() {
                        return ("You fall.".into(), State::Dead("darkness"));
                    }
                    self.here = to;
                    if self.rooms[to].name == "Vault" {
                        let coins = self.bag.iter().filter_map(|i| if let Item::Coin(n) = i { Some(n) } else { None }).sum();
                        return (self.look(), State::Won { turns: self.turns, coins });
                    }
                    self.look()
                }
            },
            Command::Take(_) if self.rooms[self.here].dark && !self.has_light() => "You grope in vain.".into(),
            Command::Take(w) => {
                let items = &mut self.rooms[self.here].items;
                match items.iter().position(|i| i.word() == w) {
                    Some(k) => {
                        let i = items.remove(k);
                        let text = format!("Taken: {i}.");
                        match (self.bag.iter_mut().find(|b| b.word() == "coins"), &i) {
                            (Some(Item::Coin(n)), Item::Coin(m)) => *n += m,
                            _ => self.bag.push(i),
                        }
                        text
                    }
                    None => format!("There is no {w} here."),
                }
            }
            Command::Drop(w) => match self.bag.iter().position(|i| i.word() == w) {
                Some(k) => {
                    let i = self.bag.swap_remove(k);
                    self.rooms[self.here].items.push(i);
                    "Dropped.".into()
                }
                None => "You do not have that.".into(),
            },
            Command::Use(w, on) => match (self.bag.iter_mut().find(|i| i.word() == w), on) {
                (Some(Item::Lamp { lit, oil }), None) if *oil > 0 => {
                    *lit = !*lit;
                    format!("The lamp is {}.", if *lit { "lit" } else { "off" })
                }
                (Some(Item::Lamp { .. }), None) => "It is empty.".into(),
                (Some(Item::Key(_)), Some(d)) => match Dir::try_from(d).ok().and_then(|d| self.rooms[self.here].exits.get_mut(&d)) {
                    Some(e) if e.locked => {
                        e.locked = false;
                        "Click.".into()
                    }
                    Some(_) => "It is open.".into(),
                    None => format!("What {d}?"),
                },
                (Some(i), _) => format!("You cannot use {i} that way."),
                (None, _) => "You do not have that.".into(),
            },
            Command::Look => self.look(),
            Command::Inventory if self.bag.is_empty() => "You carry nothing.".into(),
            Command::Inventory => {
                let mut b: Vec<_> = self.bag.iter().collect();
                b.sort();
                b.iter().map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
            }
            Command::Quit => return ("Bye.".into(), State::Quit),
        };
        (text, State::Playing)
    }
}

fn play(script: &str) -> State {
    let mut g = Game::new();
    for line in script.split(';').map(str::trim) {
        let (text, state) = match parse(line) {
            Ok(c) => g.step(c),
            Err(e) => (e, State::Playing),
        };
        println!("> {line}\n{text}");
        if state != State::Playing {
            return state;
        }
    }
    State::Playing
}

fn main() {
    println!("{:?}", play("look; i; take lamp; s; take key; light the lamp; look; take key; get coins; n; e; n; take coins; use coins; use key on north; i; use key on up; n; look"));
    println!("{:?}", play("dance; ; drop lamp; west; s; l; go north; take lamp; use lamp; l; l; l; use lamp; i; drop lamp; look; quit; look"));
}
