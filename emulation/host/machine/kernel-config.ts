/* Differences between the virtual machine's kernel and the default configuration of User-Mode Linux, as arguments of
 * the kernel's scripts/config. They start from the default because a kernel that started from `tinyconfig` panicked
 * at its first process. */
import { VIRTUAL } from './is-virtual.ts';

/** Splits a list of options at white space. */
const words = (text: string): string[] => text.split(/\s+/);

/** Features that the lab's runs need. */
export const ENABLED: readonly string[] = [
  // Required to disable some of the options below.
  'EXPERT',
  // A clock that stops during computation and skips idle time (time-travel=inf-cpu).
  ...words('UML_TIME_TRAVEL_SUPPORT HIGH_RES_TIMERS'),
  // The machine shares the host's files.
  ...words('HOSTFS TMPFS DEVTMPFS'),
  ...words('NAMESPACES NET_NS UTS_NS IPC_NS PID_NS USER_NS VETH TUN BRIDGE DUMMY IFB'),
  ...words('IP_ADVANCED_ROUTER IP_MULTIPLE_TABLES IPV6'),
  ...words('NET_SCHED NET_SCH_NETEM NET_SCH_TBF NET_SCH_FQ NET_SCH_FQ_CODEL NET_SCH_PRIO NET_SCH_HTB'),
  ...words('NET_SCH_INGRESS NET_CLS_ACT NET_CLS_U32 NET_ACT_MIRRED TCP_CONG_ADVANCED'),
  ...words('TCP_CONG_CUBIC TCP_CONG_BBR TCP_CONG_BIC TCP_CONG_WESTWOOD TCP_CONG_HTCP TCP_CONG_HSTCP'),
  ...words('TCP_CONG_HYBLA TCP_CONG_VEGAS TCP_CONG_NV TCP_CONG_SCALABLE TCP_CONG_LP TCP_CONG_VENO'),
  ...words('TCP_CONG_YEAH TCP_CONG_ILLINOIS TCP_CONG_DCTCP TCP_CONG_CDG'),
  // ss, and the TCP trace events that the lab's probe reads.
  ...words('INET_DIAG INET_TCP_DIAG FTRACE ENABLE_DEFAULT_TRACERS'),
];

/** Options with a value. */
export const VALUES: Readonly<Record<string, string>> = {
  // Identifies runs in such a machine in manifests (is-virtual.ts).
  LOCALVERSION: VIRTUAL,
  // 16 pages of 4 kB, because the frames of the kernel's signal handlers contain all registers (see `EDITS`).
  KERNEL_STACK_ORDER: '4',
};

/** An edit of the kernel's sources before they are compiled. */
export interface SourceEdit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const EDITS: readonly SourceEdit[] = [
  // The size of a processor's extended state, bytes. The kernel's own value, 2696, ends with AVX-512. On a processor
  // with AMX the host requires 11,008, and the machine would end at its first process.
  {
    file: 'arch/x86/um/user-offsets.c',
    from: 'DEFINE_LONGS(HOST_FP_SIZE, 2696)',
    to: 'DEFINE_LONGS(HOST_FP_SIZE, 12288)',
  },
  // Random numbers determine ports, hash keys and the addresses of programs. The kernel takes its seed from the host;
  // this edit replaces it with a constant sequence (splitmix64), and the next edit stops the kernel from mixing in
  // events.
  {
    file: 'arch/um/os-Linux/util.c',
    from: 'return getrandom(buf, len, flags);',
    to: `static unsigned long long state;
	size_t at;

	for (at = 0; at < len; at++) {
		unsigned long long z = (state += 0x9e3779b97f4a7c15ULL);

		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
		((unsigned char *)buf)[at] = z ^ (z >> 31);
	}
	return len;`,
  },
  {
    file: 'drivers/char/random.c',
    from: 'blake2s_update(&input_pool.hash, buf, len);',
    to: '(void)buf;',
  },
];

/** Features that take time to compile and that the lab does not use. */
export const DISABLED: readonly string[] = [
  ...words('MODULES DEBUG_KERNEL DEBUG_INFO DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT SLUB_DEBUG SCHED_DEBUG'),
  ...words('KALLSYMS_ALL IKCONFIG PROFILING RUNTIME_TESTING_MENU SOUND PPP SLIP BLOCK SWAP QUOTA AUTOFS_FS'),
  ...words('NETWORK_FILESYSTEMS MISC_FILESYSTEMS PROC_KCORE BINFMT_MISC UML_NET SSL PORT_CHAN XTERM_CHAN'),
  ...words(
    'CGROUPS BSD_PROCESS_ACCT SECURITY KEYS IO_URING SECCOMP KALLSYMS POSIX_MQUEUE NETFILTER WIRELESS',
  ),
  ...words('XFRM_USER RAS ETHERNET WLAN IPV6_SIT PTP_1588_CLOCK INPUT SERIO HID_SUPPORT FW_LOADER SUSPEND'),
  ...words(
    'DEVMEM LEGACY_PTYS CRYPTO_HW VIRTIO_MENU VHOST_MENU IOMMU_SUPPORT EXT4_FS REISERFS_FS ISO9660_FS',
  ),
  'COREDUMP',
  // Requests random numbers from the host at unpredictable times.
  'HW_RANDOM',
  ...words('FHANDLE AIO DEBUG_MEMORY_INIT ETHTOOL_NETLINK LOCALVERSION_AUTO'),
];
