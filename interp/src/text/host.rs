//! A module as the machine's host. Items that the module lacks count as not understood; they are no errors.

use crate::host::{Host, KnownFn, LocationLayout, SourceLoc};
use crate::ir::{Body, CauseId, Code, CodeFlags, DataId, FnId, Global, GlobalId, Site, Trap, Vtable, VtableId};
use crate::text::Module;
use std::rc::Rc;
use std::sync::Arc;

/// The cause of an item that the module does not have.
const MISSING: CauseId = CauseId(u32::MAX);

impl Host for Module {
    fn code(&mut self, func: FnId) -> Rc<Code> {
        let missing = || {
            Rc::new(Code {
                name: format!("f{}", func.0).into(),
                body: Body::Unknown { cause: MISSING },
                frame_size: 0,
                frame_align: crate::ir::FRAME_ALIGN,
                params: Box::new([]),
                ret: (0, 0),
                instrs: Box::new([]),
                sites: Box::new([]),
                unwind: Box::new([]),
                flags: CodeFlags::default(),
            })
        };
        self.functions.get(&func).cloned().unwrap_or_else(missing)
    }

    fn global(&mut self, global: GlobalId) -> Arc<Global> {
        let missing = || {
            Arc::new(Global {
                name: format!("g{}", global.0).into(),
                size: 0,
                align: 1,
                init: FnId(u32::MAX),
                thread_local: false,
                is_static: false,
                lost: None,
            })
        };
        self.globals.get(&global).cloned().unwrap_or_else(missing)
    }

    fn data(&mut self, data: DataId) -> Arc<[u8]> {
        self.data.get(&data).cloned().unwrap_or_else(|| Arc::new([]))
    }

    fn vtable(&mut self, vtable: VtableId) -> Arc<Vtable> {
        let missing = || {
            let name = format!("v{}", vtable.0).into();
            Arc::new(Vtable { name, size: 0, align: 1, drop: None, methods: Box::new([]) })
        };
        self.vtables.get(&vtable).cloned().unwrap_or_else(missing)
    }

    fn trap_fn(&mut self, trap: Trap) -> Option<FnId> {
        self.traps.iter().find(|entry| entry.0 == trap).map(|entry| entry.1)
    }

    fn known_fn(&mut self, known: KnownFn) -> Option<FnId> {
        self.known.iter().find(|entry| entry.0 == known).map(|entry| entry.1)
    }

    /// The "file" is the function's name, the line the number of the site.
    fn locate(&mut self, func: FnId, site: Site) -> Option<SourceLoc> {
        let code = self.functions.get(&func)?;
        (site != Site::NONE).then(|| SourceLoc { file: code.name.clone(), line: site.0, column: 1 })
    }

    fn location_layout(&mut self) -> LocationLayout {
        self.location
    }

    fn cause(&mut self, cause: CauseId) -> Arc<str> {
        let missing = || {
            if cause == MISSING { "not in the module".into() } else { format!("c{}", cause.0).into() }
        };
        self.causes.get(&cause).cloned().unwrap_or_else(missing)
    }
}
