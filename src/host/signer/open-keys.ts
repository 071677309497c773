// The key worker for all users of keys here: the signer, the node's own accounts, the commands.
import { join } from 'node:path'
import { Emitter } from '../../base/events'
import type { Logger } from '../../base/logger'
import type { Transport } from '../../base/wire/define'
import { denyDumps } from '../../native/system/system-calls'
import { isKeyUseAllowed } from '../../old-electron/old-electron'
import { KeystoreError } from '../../signer/errors'
import type { PasswordStore } from '../../signer/ports'
import type { TradesDeps } from '../trades-deps'
import { type Confinement, openKeyProcess } from '../workers/key-process'

/** Whether the signer's key worker is confined: what it last said, or why it said nothing. */
export class KeyConfinement {
  readonly events = new Emitter<{ changed: null }>()
  #last: Confinement | null = null

  readonly tell = (confinement: Confinement): void => {
    this.#last = confinement
    this.events.emit('changed', null)
  }

  /** Why the key worker isn't confined; null when it is, or when none has started. */
  readonly lack = (): string | null => (this.#last === null || this.#last.confined ? null : this.#last.reason)

  /** Waits until a key worker has said it, or has failed to. */
  known(): Promise<Confinement> {
    if (this.#last !== null) return Promise.resolve(this.#last)
    return new Promise((resolve) => {
      const listening = this.events.on('changed', () => {
        listening.dispose()
        if (this.#last !== null) resolve(this.#last)
      })
    })
  }
}

/**
 * The vault's passwords, for a confined key worker only: one that isn't could send out what it is given, without anybody
 * at the keyboard. @param allowed `--signer.unconfined`
 */
export function passwordsFor(
  confinement: KeyConfinement,
  vault: PasswordStore,
  { allowed, log }: { readonly allowed: boolean; readonly log: Logger },
): PasswordStore {
  return {
    storedFor: async (address) => {
      const { confined, reason } = allowed ? { confined: true, reason: '' } : await confinement.known()
      if (confined) return vault.storedFor(address)
      log.warn('a stored password is not used: the key worker is not confined; --signer.unconfined allows it', {
        reason,
      })
      return null
    },
  }
}

/**
 * Starts one; after a lost one, another.
 * @param electron version of the running Electron; undefined in plain Node
 * @returns a function that throws KeystoreError KEYSTORE_OLD_ELECTRON when this network's keys may not be opened
 */
export function keyWorkers(
  { config, platform, clock }: TradesDeps,
  log: Logger,
  {
    electron = process.versions.electron,
    confinement,
  }: { readonly electron?: string | undefined; readonly confinement?: KeyConfinement } = {},
): () => Transport {
  // Passwords pass through this process.
  const reason = denyDumps(platform.projectRoot)
  if (reason !== '') log.warn('this process can leave core files, with passwords that pass through it', { reason })
  const { network } = config.app
  const { chainId } = config.signer
  return () => {
    if (!isKeyUseAllowed(electron, { network, chainId })) {
      const refusal = new KeystoreError('KEYSTORE_OLD_ELECTRON', { version: electron ?? '' })
      confinement?.tell({ confined: false, reason: refusal.message })
      throw refusal
    }
    return openKeyProcess({
      entry: join(platform.workerDir, 'key-worker.cjs'),
      searchFrom: platform.projectRoot,
      start: platform.startProcess,
      log,
      clock,
      onConfined: confinement?.tell,
    })
  }
}
