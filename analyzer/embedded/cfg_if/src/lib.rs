//! Stands in for the crate of this name: chooses items by cfg.
#![no_std]

/// `if #[cfg(a)] { … } else if #[cfg(b)] { … } else { … }` over items.
#[macro_export]
macro_rules! cfg_if {
    (@items $($items:tt)*) => { $($items)* };
    (if #[cfg($($condition:tt)+)] { $($then:tt)* }) => {
        #[cfg($($condition)+)]
        $crate::cfg_if! { @items $($then)* }
    };
    (if #[cfg($($condition:tt)+)] { $($then:tt)* } else { $($other:tt)* }) => {
        #[cfg($($condition)+)]
        $crate::cfg_if! { @items $($then)* }
        #[cfg(not($($condition)+))]
        $crate::cfg_if! { @items $($other)* }
    };
    (if #[cfg($($condition:tt)+)] { $($then:tt)* } else $($rest:tt)+) => {
        #[cfg($($condition)+)]
        $crate::cfg_if! { @items $($then)* }
        #[cfg(not($($condition)+))]
        $crate::cfg_if! { $($rest)+ }
    };
}
