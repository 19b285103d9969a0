//! What programs learn of the computer and of their limits: made up, as another one may say something else.

use super::Call;
use super::files::{Answer, NoResult};
use crate::files::errno::ENAMETOOLONG;
use crate::inputs::MadeUpInput;

const HOST: &[u8] = b"localhost";
/// The fields of `struct utsname`: system, name of the host, release, version, processor, domain.
const SYSTEM: [&[u8]; 6] = [b"Linux", HOST, b"6.1.0", b"#1 SMP", b"x86_64", b"(none)"];
/// Size of such a field.
const FIELD: usize = 65;

/// Numbers of limits on resources, and usual limits: the one in force, and the one up to which it can be raised.
const LIMITS: [(u64, [u64; 2]); 2] = [(3, [8 << 20, u64::MAX]), (7, [1024, 524_288])];
const UNLIMITED: [u64; 2] = [u64::MAX; 2];

impl Call<'_, '_> {
    fn note_host(&mut self) {
        let note = MadeUpInput::Text(b"the name of the host".to_vec(), HOST.to_vec());
        self.machine.choose(|inputs, _| inputs.note(note));
    }
}

/// `uname(system)`
pub(super) fn uname(call: &mut Call<'_, '_>) -> Answer {
    call.note_host();
    let to = call.arg(0)?;
    let mut system = Vec::new();
    for (index, field) in SYSTEM.iter().enumerate() {
        system.extend(*field);
        system.resize((index + 1) * FIELD, 0);
    }
    call.store_bytes(to, &system)?;
    Ok(0)
}

/// `gethostname(name, size)`
pub(super) fn gethostname(call: &mut Call<'_, '_>) -> Answer {
    call.note_host();
    let (to, room) = (call.arg(0)?, call.arg(1)?);
    if room <= HOST.len() as u64 {
        return Err(NoResult::Errno(ENAMETOOLONG));
    }
    call.store_bytes(to, &[HOST, b"\0"].concat())?;
    Ok(0)
}

/// `getrlimit(resource, limits)`
pub(super) fn getrlimit(call: &mut Call<'_, '_>) -> Answer {
    let (resource, to) = (call.arg(0)?, call.arg(1)?);
    let limits = LIMITS.iter().find(|it| it.0 == resource).map_or(UNLIMITED, |it| it.1);
    let note = MadeUpInput::Number(format!("the limit of the resource {resource}").into_bytes(), limits[0]);
    call.machine.choose(|inputs, _| inputs.note(note));
    call.store_bytes(to, limits.map(u64::to_le_bytes).as_flattened())?;
    Ok(0)
}
