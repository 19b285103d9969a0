//! Types that lie among bytes.

pub use zerovec_derive::{derive, make_ule, skip_derive};

pub struct ZeroVec<'a, T>(pub std::marker::PhantomData<&'a T>);
pub struct ZeroSlice<T>(pub std::marker::PhantomData<T>);

pub mod maps {
    pub trait ZeroMapKV<'a> {
        type Container;
        type Slice: ?Sized;
        type GetType: ?Sized;
        type OwnedType;
    }
}

pub mod ule {
    pub use zerovec_derive::ULE;

    #[derive(Debug, PartialEq)]
    pub enum UleError {
        Length(usize),
        Parse,
    }

    impl UleError {
        pub fn length<T>(len: usize) -> UleError {
            UleError::Length(len)
        }

        pub fn parse<T>() -> UleError {
            UleError::Parse
        }
    }

    pub unsafe trait ULE: Copy + 'static {
        fn validate_bytes(bytes: &[u8]) -> Result<(), UleError>;

        fn slice_as_bytes(slice: &[Self]) -> &[u8] {
            unsafe { std::slice::from_raw_parts(slice.as_ptr().cast(), std::mem::size_of_val(slice)) }
        }

        fn parse_bytes_to_slice(bytes: &[u8]) -> Result<&[Self], UleError> {
            Self::validate_bytes(bytes)?;
            let len = bytes.len() / std::mem::size_of::<Self>();
            Ok(unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), len) })
        }
    }

    pub trait AsULE: Copy {
        type ULE: ULE;
        fn to_unaligned(self) -> Self::ULE;
        fn from_unaligned(unaligned: Self::ULE) -> Self;
    }

    /// The bytes of a number, the lowest first.
    #[repr(transparent)]
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct RawBytes<const N: usize>(pub [u8; N]);

    unsafe impl<const N: usize> ULE for RawBytes<N> {
        fn validate_bytes(bytes: &[u8]) -> Result<(), UleError> {
            if bytes.len() % N == 0 { Ok(()) } else { Err(UleError::length::<Self>(bytes.len())) }
        }
    }

    unsafe impl ULE for u8 {
        fn validate_bytes(_: &[u8]) -> Result<(), UleError> {
            Ok(())
        }
    }

    impl AsULE for u32 {
        type ULE = RawBytes<4>;
        fn to_unaligned(self) -> Self::ULE {
            RawBytes(self.to_le_bytes())
        }
        fn from_unaligned(unaligned: Self::ULE) -> Self {
            u32::from_le_bytes(unaligned.0)
        }
    }

    impl AsULE for u16 {
        type ULE = RawBytes<2>;
        fn to_unaligned(self) -> Self::ULE {
            RawBytes(self.to_le_bytes())
        }
        fn from_unaligned(unaligned: Self::ULE) -> Self {
            u16::from_le_bytes(unaligned.0)
        }
    }
}
