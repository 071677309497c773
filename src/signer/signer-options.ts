// What the signer is built from, and what it tells: its options, its ports, its events.

import { checksumAddress } from '../base/checksum-address'
import type { Logger } from '../base/logger'
import type { MetricsRegistry } from '../base/metrics'
import type { Clock } from '../base/time'
import type { Transport } from '../base/wire/define'
import type { MarketPort } from './checks/fee-rules'
import type { SignerHttpOptions } from './external/http'
import type { SignerIpcOptions } from './external/ipc'
import type { HardwareKeys } from './hardware/hardware-keys'
import type { HardwareAccount } from './hardware/hardware-wallet'
import type { KeyFolder, KeyProblem } from './keystore/folder'
import type { Finding } from './model/findings'
import type { Caller, SignerRequest } from './model/request'
import type { OpenVault } from './ports'
import type { SelectorOptions } from './selectors/selector-database'
import type { LineChannel } from './ui-api/line-peer'

export interface SignerServiceOptions {
  /** Folder of the key files; made when missing (mode 0700). */
  readonly keystore: string
  /** Bound into every signature. */
  readonly chainId: number
  /** Whether the network accepts dynamic-fee transactions. */
  readonly london: boolean
  /** New keys with scrypt N 4096 p 6 instead of N 262144 p 1. */
  readonly lightKdf: boolean
  /** Refuse a request with a WARNING or CRITICAL finding instead of showing it. */
  readonly strict: boolean
  /** Null = no external API over HTTP. */
  readonly http: SignerHttpOptions | null
  /** Null or missing = no local socket. */
  readonly ipc?: SignerIpcOptions | null
  /** Missing: the shipped names, and nothing is learned. */
  readonly selectors?: SelectorOptions
  /** Folder of descriptors (ERC-7730); null or missing: the shipped ones alone. */
  readonly descriptors?: string | null
  /** Ask the program on the standard streams every question of the UI API once, after the start. */
  readonly uiSelfTest?: boolean
  /** 0 = none. */
  readonly approvalTimeoutMs: number
  /** File of the record; null = off. */
  readonly auditLog: string | null
  /** Where the record's end is kept apart from it; null or missing = nowhere. */
  readonly auditHead?: string | null
  /** True: no other process has requests in that record, so what it left open is denied at the start. */
  readonly ownsAuditLog?: boolean
}

export interface SignerServiceDeps {
  /** Opens a key worker (`serveKeys` on its other end). */
  readonly keys: () => Transport
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: MetricsRegistry
  /** Cryptographically strong. */
  readonly randomBytes: (length: number) => Uint8Array
  /** The program on the standard streams that approves; null or missing where a window does. */
  readonly lines?: LineChannel | null
  /** Null or missing without a master seed. */
  readonly openVault?: OpenVault | null
  /** Accounts in devices; null or missing where none are wanted. */
  readonly hardware?: HardwareKeys | null
  /** What fees are compared with; missing where no node runs beside the signer. */
  readonly market?: MarketPort | undefined
  /** Told of every request from outside; false: it is denied at once and nobody is asked. Missing: all are heard. */
  readonly admits?: ((caller: Caller) => boolean) | undefined
}

/** Who asks through `submit`, and the signal that ends when it no longer waits. */
export interface RequestOrigin {
  readonly caller: Caller
  readonly callerGone: AbortSignal
}

/** The keystore's accounts; has the members of the contract's accounts view. */
export interface AccountsSnapshot {
  readonly accounts: readonly {
    /** EIP-55 spelling */
    readonly address: string
    /** Empty for an account in a device. */
    readonly file: string
    /** How many files hold this address; more than one cannot sign. */
    readonly files: number
    /** Which device has the key, and where in it; missing where the key is a file. */
    readonly device?: Pick<HardwareAccount, 'kind' | 'path'>
  }[]
  readonly problems: readonly KeyProblem[]
  readonly keystore: string
  /** UTC ms */
  readonly takenAt: number
}

export interface SignerEvents {
  /** Everything that waits or is being worked on, oldest first. */
  requestsChanged: readonly SignerRequest[]
  accountsChanged: AccountsSnapshot
  /** Another account is kept open, or one was locked. */
  keptChanged: null
  /** A request that came to its end, in its last state. */
  requestSettled: SignerRequest
  /** Strict mode refused a call before anybody was asked. */
  requestRefused: { readonly caller: Caller; readonly findings: readonly Finding[] }
  /** A call was denied at once because too many wait. */
  queueOverflowed: Caller
}

/** The folder as it is now, and behind it the accounts in devices. */
export function accountsSnapshot(
  folder: KeyFolder,
  devices: readonly HardwareAccount[],
  clock: Clock,
): AccountsSnapshot {
  const { keys, problems } = folder.content()
  const ofFiles = keys.map((key) => ({
    address: checksumAddress(key.address),
    file: key.file,
    files: keys.filter((other) => other.address === key.address).length,
  }))
  const ofDevices = devices
    .filter(({ address }) => !keys.some((key) => key.address === address))
    .map(({ kind, address, path }) => ({
      address: checksumAddress(address),
      file: '',
      files: 0,
      device: { kind, path },
    }))
  return {
    accounts: [...ofFiles, ...ofDevices],
    problems,
    keystore: folder.path,
    takenAt: clock.now(),
  }
}
