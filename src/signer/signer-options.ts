// The signer's options, ports and events.

import { checksumAddress } from '../base/checksum-address'
import type { Logger } from '../base/logger'
import type { MetricsRegistry } from '../base/metrics'
import type { Clock } from '../base/time'
import type { Transport } from '../base/wire/define'
import type { MarketPort } from './checks/fee-rules'
import type { CheckWorkerDeps } from './external/check-worker'
import type { SignerHttpOptions } from './external/http'
import type { SignerIpcOptions } from './external/ipc'
import type { HardwareKeys } from './hardware/hardware-keys'
import type { HardwareAccount } from './hardware/hardware-wallet'
import type { KeyFolder, KeyProblem } from './keystore/folder'
import type { Finding } from './model/findings'
import type { Caller, SignerRequest } from './model/request'
import type { OpenVault, RequestPreview } from './ports'
import type { SelectorOptions } from './selectors/selector-database'
import type { LineChannel } from './ui-api/line-peer'

export interface SignerServiceOptions {
  /** Folder of the key files; created when missing (mode 0700). */
  readonly keystore: string
  readonly keyListing?: string | null
  /** Bound into every signature. */
  readonly chainId: number
  /** Whether the network accepts dynamic-fee transactions. */
  readonly london: boolean
  /** Encrypts new keys with scrypt N 4096 p 6 instead of N 262144 p 1. */
  readonly lightKdf: boolean
  /** Reject a request with a WARNING or CRITICAL finding instead of displaying it. */
  readonly strict: boolean
  /** Null = no external API over HTTP. */
  readonly http: SignerHttpOptions | null
  /** Null or missing = no local socket. */
  readonly ipc?: SignerIpcOptions | null
  /** Missing: the shipped names, and nothing is learned. */
  readonly selectors?: SelectorOptions
  /** Folder of descriptors (ERC-7730); null or missing: only the shipped ones. */
  readonly descriptors?: string | null
  /** Ask the program on the standard streams every question of the UI API once, after startup. */
  readonly uiSelfTest?: boolean
  /** 0 = no timeout. */
  readonly approvalTimeoutMs: number
  /** File of the audit log; null = off. */
  readonly auditLog: string | null
  /** Path of the separately stored head of the log; null or missing = none. */
  readonly auditHead?: string | null
  /** True: no other process has requests in that log, so those left open are rejected at startup. */
  readonly ownsAuditLog?: boolean
}

export interface SignerServiceDeps {
  /** Starts a key worker (`serveKeys` on its other end). */
  readonly keys: () => Transport
  /** Starts a check worker (`serveChecks` on its other end); null or missing: all calls are checked on this thread. */
  readonly checks?: Pick<CheckWorkerDeps, 'open' | 'cpuMs'> | null
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: MetricsRegistry
  readonly randomBytes: (length: number) => Uint8Array
  /** The approving program on the standard streams; null or missing when a window approves. */
  readonly lines?: LineChannel | null
  /** For that program: what our node says that a request would change. */
  readonly preview?: RequestPreview | undefined
  /** Null or missing without a master seed. */
  readonly openVault?: OpenVault | null
  /** Accounts in devices; null or missing when disabled. */
  readonly hardware?: HardwareKeys | null
  /** Fees to compare with; missing when no node runs beside the signer. */
  readonly market?: MarketPort | undefined
  /**
   * Called with every external request; false: it is rejected immediately without asking. Missing: all are accepted.
   */
  readonly admits?: ((caller: Caller) => boolean) | undefined
}

/** The caller of `submit`, and the signal that aborts when it stops waiting. */
export interface RequestOrigin {
  readonly caller: Caller
  readonly callerGone: AbortSignal
}

/** The keystore's accounts; has the members of the contract's accounts view. */
export interface AccountsSnapshot {
  readonly accounts: readonly {
    /** EIP-55 spelling */
    readonly address: string
    /** Empty for a device account. */
    readonly file: string
    /** How many files hold this address; an account with more than one can't sign. */
    readonly files: number
    /** The device with the key, and its path; missing when the key is in a file. */
    readonly device?: Pick<HardwareAccount, 'kind' | 'path'>
  }[]
  readonly problems: readonly KeyProblem[]
  readonly keystore: string
}

export interface SignerEvents {
  /** Everything waiting or being worked on, oldest first. */
  requestsChanged: readonly SignerRequest[]
  accountsChanged: null
  /** An account was unlocked or locked. */
  keptChanged: null
  /** A request in its final state. */
  requestSettled: SignerRequest
  /** Strict mode rejected a call without asking the user. */
  requestRefused: { readonly caller: Caller; readonly findings: readonly Finding[] }
  /** The key worker has ended, and with it whatever it held open. */
  keysLost: null
  /** A call was rejected because too many are waiting. */
  queueOverflowed: Caller
}

/** The folder's current accounts, followed by device accounts. */
export function accountsSnapshot(folder: KeyFolder, devices: readonly HardwareAccount[]): AccountsSnapshot {
  const { keys, problems } = folder.content()
  const counts = new Map<string, number>()
  for (const { address } of keys) counts.set(address, (counts.get(address) ?? 0) + 1)
  const ofFiles = keys.map(({ address, file }) => ({
    address: checksumAddress(address),
    file,
    files: counts.get(address) ?? 0,
  }))
  const ofDevices = devices
    .filter(({ address }) => !counts.has(address))
    .map(({ kind, address, path }) => ({
      address: checksumAddress(address),
      file: '',
      files: 0,
      device: { kind, path },
    }))
  return { accounts: [...ofFiles, ...ofDevices], problems, keystore: folder.path }
}
