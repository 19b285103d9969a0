use std::sync::Mutex;

struct State {
    level: u8,
    history: Vec<u8>,
}

trait Device {
    fn state(&self) -> &Mutex<State>;

    fn level(&self) -> u8 {
        self.state().lock().unwrap().level //~ deadlock
    }

    fn set_level(&self, level: u8) {
        let mut state = self.state().lock().unwrap();
        let before = state.level;
        state.history.push(before);
        state.level = level;
    }
}

struct Lamp {
    state: Mutex<State>,
}

impl Device for Lamp {
    fn state(&self) -> &Mutex<State> {
        &self.state
    }

    fn set_level(&self, level: u8) {
        let mut state = self.state().lock().unwrap();
        if self.level() != level {
            state.level = level;
        }
    }
}

struct Fan {
    state: Mutex<State>,
}

impl Device for Fan {
    fn state(&self) -> &Mutex<State> {
        &self.state
    }
}

fn dim_all(devices: &[Box<dyn Device>]) {
    for device in devices {
        let half = device.level() / 2;
        device.set_level(half);
    }
}

// The lamp's own `set_level` calls a default method of the trait under the lock that it takes.
fn main() {
    let state = |level| Mutex::new(State { level, history: Vec::new() });
    let devices: Vec<Box<dyn Device>> = vec![Box::new(Fan { state: state(4) }), Box::new(Lamp { state: state(8) })];
    dim_all(&devices);
    println!("{:?}", devices.iter().map(|device| device.level()).collect::<Vec<_>>());
}
