//! Types of x86_64 Linux with glibc, at their real sizes.

use crate::*;

pub type size_t = usize;
pub type ssize_t = isize;
pub type uintptr_t = usize;
pub type intptr_t = isize;
pub type blkcnt_t = i64;
pub type blkcnt64_t = i64;
pub type blksize_t = i64;
pub type clockid_t = c_int;
pub type dev_t = u64;
pub type gid_t = u32;
pub type id_t = c_uint;
pub type idtype_t = c_uint;
pub type in_addr_t = u32;
pub type in_port_t = u16;
pub type ino_t = u64;
pub type ino64_t = u64;
pub type loff_t = i64;
pub type mode_t = u32;
pub type nfds_t = c_ulong;
pub type nlink_t = u64;
pub type off_t = i64;
pub type off64_t = i64;
pub type pid_t = i32;
pub type pthread_key_t = c_uint;
pub type pthread_t = c_ulong;
pub type sa_family_t = u16;
pub type sighandler_t = size_t;
pub type socklen_t = u32;
pub type suseconds_t = i64;
pub type time_t = i64;
pub type uid_t = u32;
pub type useconds_t = u32;

pub enum DIR {}

macro_rules! structs {
    ($($(#[$attribute:meta])* struct $name:ident { $($field:ident: $type:ty,)* })*) => {
        $(
            #[repr(C)]
            #[derive(Clone, Copy)]
            $(#[$attribute])*
            pub struct $name { $(pub $field: $type,)* }
        )*
    };
}

structs! {
    struct addrinfo {
        ai_flags: c_int,
        ai_family: c_int,
        ai_socktype: c_int,
        ai_protocol: c_int,
        ai_addrlen: socklen_t,
        ai_addr: *mut sockaddr,
        ai_canonname: *mut c_char,
        ai_next: *mut addrinfo,
    }
    struct cmsghdr { cmsg_len: size_t, cmsg_level: c_int, cmsg_type: c_int, }
    struct cpu_set_t { bits: [u64; 16], }
    struct dirent { d_ino: ino_t, d_off: off_t, d_reclen: c_ushort, d_type: c_uchar, d_name: [c_char; 256], }
    struct dirent64 { d_ino: ino64_t, d_off: off64_t, d_reclen: c_ushort, d_type: c_uchar, d_name: [c_char; 256], }
    struct dl_phdr_info {
        dlpi_addr: u64,
        dlpi_name: *const c_char,
        dlpi_phdr: *const Elf64_Phdr,
        dlpi_phnum: u16,
        dlpi_adds: c_ulonglong,
        dlpi_subs: c_ulonglong,
        dlpi_tls_modid: size_t,
        dlpi_tls_data: *mut c_void,
    }
    struct Elf64_Phdr {
        p_type: u32,
        p_flags: u32,
        p_offset: u64,
        p_vaddr: u64,
        p_paddr: u64,
        p_filesz: u64,
        p_memsz: u64,
        p_align: u64,
    }
    struct in_addr { s_addr: in_addr_t, }
    #[repr(align(4))]
    struct in6_addr { s6_addr: [u8; 16], }
    struct iovec { iov_base: *mut c_void, iov_len: size_t, }
    struct ip_mreq { imr_multiaddr: in_addr, imr_interface: in_addr, }
    struct ip_mreqn { imr_multiaddr: in_addr, imr_address: in_addr, imr_ifindex: c_int, }
    struct ipv6_mreq { ipv6mr_multiaddr: in6_addr, ipv6mr_interface: c_uint, }
    struct itimerspec { it_interval: timespec, it_value: timespec, }
    struct linger { l_onoff: c_int, l_linger: c_int, }
    struct msghdr {
        msg_name: *mut c_void,
        msg_namelen: socklen_t,
        msg_iov: *mut iovec,
        msg_iovlen: size_t,
        msg_control: *mut c_void,
        msg_controllen: size_t,
        msg_flags: c_int,
    }
    struct passwd {
        pw_name: *mut c_char,
        pw_passwd: *mut c_char,
        pw_uid: uid_t,
        pw_gid: gid_t,
        pw_gecos: *mut c_char,
        pw_dir: *mut c_char,
        pw_shell: *mut c_char,
    }
    struct pidfd_info {
        mask: u64,
        cgroupid: u64,
        pid: u32,
        tgid: u32,
        ppid: u32,
        ruid: u32,
        rgid: u32,
        euid: u32,
        egid: u32,
        suid: u32,
        sgid: u32,
        fsuid: u32,
        fsgid: u32,
        exit_code: i32,
    }
    struct pollfd { fd: c_int, events: c_short, revents: c_short, }
    struct posix_spawn_file_actions_t { __allocated: c_int, __used: c_int, __actions: *mut c_int, __pad: [c_int; 16], }
    struct posix_spawnattr_t {
        __flags: c_short,
        __pgrp: pid_t,
        __sd: sigset_t,
        __ss: sigset_t,
        __sp: sched_param,
        __policy: c_int,
        __pad: [c_int; 16],
    }
    struct pthread_attr_t { __size: [u64; 7], }
    #[repr(align(8))]
    struct pthread_cond_t { size: [u8; 48], }
    #[repr(align(4))]
    struct pthread_condattr_t { size: [u8; 4], }
    #[repr(align(8))]
    struct pthread_mutex_t { size: [u8; 40], }
    #[repr(align(4))]
    struct pthread_mutexattr_t { size: [u8; 4], }
    struct sched_param { sched_priority: c_int, }
    struct sigaction {
        sa_sigaction: sighandler_t,
        sa_mask: sigset_t,
        sa_flags: c_int,
        sa_restorer: Option<extern "C" fn()>,
    }
    struct sigset_t { __val: [u64; 16], }
    struct sockaddr { sa_family: sa_family_t, sa_data: [c_char; 14], }
    struct sockaddr_in { sin_family: sa_family_t, sin_port: in_port_t, sin_addr: in_addr, sin_zero: [u8; 8], }
    struct sockaddr_in6 {
        sin6_family: sa_family_t,
        sin6_port: in_port_t,
        sin6_flowinfo: u32,
        sin6_addr: in6_addr,
        sin6_scope_id: u32,
    }
    struct sockaddr_storage { ss_family: sa_family_t, __ss_pad: [u8; 118], __ss_align: size_t, }
    struct sockaddr_un { sun_family: sa_family_t, sun_path: [c_char; 108], }
    struct stack_t { ss_sp: *mut c_void, ss_flags: c_int, ss_size: size_t, }
    struct stat {
        st_dev: dev_t,
        st_ino: ino_t,
        st_nlink: nlink_t,
        st_mode: mode_t,
        st_uid: uid_t,
        st_gid: gid_t,
        __pad0: c_int,
        st_rdev: dev_t,
        st_size: off_t,
        st_blksize: blksize_t,
        st_blocks: blkcnt_t,
        st_atime: time_t,
        st_atime_nsec: i64,
        st_mtime: time_t,
        st_mtime_nsec: i64,
        st_ctime: time_t,
        st_ctime_nsec: i64,
        __unused: [i64; 3],
    }
    struct stat64 {
        st_dev: dev_t,
        st_ino: ino64_t,
        st_nlink: nlink_t,
        st_mode: mode_t,
        st_uid: uid_t,
        st_gid: gid_t,
        __pad0: c_int,
        st_rdev: dev_t,
        st_size: off64_t,
        st_blksize: blksize_t,
        st_blocks: blkcnt64_t,
        st_atime: time_t,
        st_atime_nsec: i64,
        st_mtime: time_t,
        st_mtime_nsec: i64,
        st_ctime: time_t,
        st_ctime_nsec: i64,
        __unused: [i64; 3],
    }
    struct statx {
        stx_mask: u32,
        stx_blksize: u32,
        stx_attributes: u64,
        stx_nlink: u32,
        stx_uid: u32,
        stx_gid: u32,
        stx_mode: u16,
        __pad0: [u16; 1],
        stx_ino: u64,
        stx_size: u64,
        stx_blocks: u64,
        stx_attributes_mask: u64,
        stx_atime: statx_timestamp,
        stx_btime: statx_timestamp,
        stx_ctime: statx_timestamp,
        stx_mtime: statx_timestamp,
        stx_rdev_major: u32,
        stx_rdev_minor: u32,
        stx_dev_major: u32,
        stx_dev_minor: u32,
        __spare: [u64; 14],
    }
    struct statx_timestamp { tv_sec: i64, tv_nsec: u32, __pad: [i32; 1], }
    struct timespec { tv_sec: time_t, tv_nsec: c_long, }
    struct timeval { tv_sec: time_t, tv_usec: suseconds_t, }
    struct ucred { pid: pid_t, uid: uid_t, gid: gid_t, }
    #[repr(align(8))]
    struct siginfo_t { si_signo: c_int, si_errno: c_int, si_code: c_int, __pad: [c_int; 29], }
}

impl siginfo_t {
    pub unsafe fn si_addr(&self) -> *mut c_void {
        ((self.__pad[2] as u32 as usize) << 32 | self.__pad[1] as u32 as usize) as *mut c_void
    }

    pub unsafe fn si_pid(&self) -> pid_t {
        self.__pad[1]
    }

    pub unsafe fn si_uid(&self) -> uid_t {
        self.__pad[2] as uid_t
    }

    pub unsafe fn si_status(&self) -> c_int {
        self.__pad[3]
    }
}
