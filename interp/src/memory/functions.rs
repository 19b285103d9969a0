//! Addresses of functions.

use super::{FN_BASE, FN_END, Fault};
use crate::ir::FnId;
use crate::table::Table;

/// The functions whose address was taken in a run. Only these can be called through a pointer. Their addresses follow
/// the order in which they were taken, and not the host's numbers, which depend on what it was asked for earlier
/// (invariant 4).
#[derive(Clone, Default)]
pub(crate) struct FunctionAddresses {
    functions: Vec<FnId>,
    addresses: Table<u64>,
}

impl FunctionAddresses {
    /// The address of a function.
    pub(crate) fn address(&mut self, func: FnId) -> u64 {
        if let Some(known) = self.addresses.get(func.0) {
            return *known;
        }
        let address = FN_BASE + ((self.functions.len() as u64) << 4);
        self.functions.push(func);
        self.addresses.insert(func.0, address);
        address
    }

    /// The function at an address.
    #[inline]
    pub(crate) fn function(&self, addr: u64) -> Result<FnId, Fault> {
        if (FN_BASE..FN_END).contains(&addr) && addr & 15 == 0 {
            let index = ((addr - FN_BASE) >> 4) as usize;
            self.functions.get(index).copied().ok_or(Fault::NotAFunction { addr })
        } else if addr >> 12 == 0 {
            Err(Fault::Null { addr })
        } else {
            Err(Fault::NotAFunction { addr })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_the_order_of_their_use() {
        let mut functions = FunctionAddresses::default();
        let last = functions.address(FnId(u32::MAX));
        let first = functions.address(FnId(0));
        assert_eq!((last, first), (FN_BASE, FN_BASE + 16));
        assert_eq!(functions.address(FnId(u32::MAX)), last);
        assert_eq!(functions.function(last), Ok(FnId(u32::MAX)));
        assert_eq!(functions.function(first), Ok(FnId(0)));
        assert_eq!(functions.function(first + 1), Err(Fault::NotAFunction { addr: first + 1 }));
        assert_eq!(functions.function(first + 16), Err(Fault::NotAFunction { addr: first + 16 }));
        assert_eq!(functions.function(8), Err(Fault::Null { addr: 8 }));
        const { assert!(FN_END < 1 << 47) }
    }
}
