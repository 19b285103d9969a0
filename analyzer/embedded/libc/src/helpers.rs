//! What C has as macros.

use crate::*;

pub const fn WIFSTOPPED(status: c_int) -> bool {
    status & 0xff == 0x7f
}

pub const fn WSTOPSIG(status: c_int) -> c_int {
    status >> 8 & 0xff
}

pub const fn WIFCONTINUED(status: c_int) -> bool {
    status == 0xffff
}

pub const fn WIFSIGNALED(status: c_int) -> bool {
    ((status & 0x7f) + 1) as i8 >= 2
}

pub const fn WTERMSIG(status: c_int) -> c_int {
    status & 0x7f
}

pub const fn WIFEXITED(status: c_int) -> bool {
    status & 0x7f == 0
}

pub const fn WEXITSTATUS(status: c_int) -> c_int {
    status >> 8 & 0xff
}

pub const fn WCOREDUMP(status: c_int) -> bool {
    status & 0x80 != 0
}

pub const fn makedev(major: c_uint, minor: c_uint) -> dev_t {
    let (major, minor) = (major as dev_t, minor as dev_t);
    (major & 0xffff_f000) << 32 | (major & 0xfff) << 8 | (minor & 0xffff_ff00) << 12 | minor & 0xff
}

pub const fn major(device: dev_t) -> c_uint {
    (device >> 32 & 0xffff_f000 | device >> 8 & 0xfff) as c_uint
}

pub const fn minor(device: dev_t) -> c_uint {
    (device >> 12 & 0xffff_ff00 | device & 0xff) as c_uint
}

const fn cmsg_align(length: usize) -> usize {
    length + size_of::<usize>() - 1 & !(size_of::<usize>() - 1)
}

pub unsafe fn CMSG_FIRSTHDR(message: *const msghdr) -> *mut cmsghdr {
    unsafe {
        if (*message).msg_controllen >= size_of::<cmsghdr>() {
            (*message).msg_control.cast()
        } else {
            core::ptr::null_mut()
        }
    }
}

pub unsafe fn CMSG_NXTHDR(message: *const msghdr, header: *const cmsghdr) -> *mut cmsghdr {
    unsafe {
        let next = header as usize + cmsg_align((*header).cmsg_len);
        let end = (*message).msg_control as usize + (*message).msg_controllen;
        if next + size_of::<cmsghdr>() > end {
            core::ptr::null_mut()
        } else {
            next as *mut cmsghdr
        }
    }
}

pub unsafe fn CMSG_DATA(header: *const cmsghdr) -> *mut c_uchar {
    unsafe { header.add(1) as *mut c_uchar }
}

pub const unsafe fn CMSG_LEN(length: c_uint) -> c_uint {
    cmsg_align(size_of::<cmsghdr>()) as c_uint + length
}

pub const unsafe fn CMSG_SPACE(length: c_uint) -> c_uint {
    (cmsg_align(length as usize) + cmsg_align(size_of::<cmsghdr>())) as c_uint
}

pub unsafe fn CPU_COUNT(set: &cpu_set_t) -> c_int {
    let mut count = 0;
    for word in set.bits {
        count += word.count_ones() as c_int;
    }
    count
}
