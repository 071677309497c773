// Who holds JSON-RPC's accounts: an external signer (`--signer`), our own one, which asks its user, or key files only.
import { randomBytes } from 'node:crypto'
import { bytesOfHex } from '../../base/hex'
import type { SignerService } from '../../signer/signer-service'
import { LocalKeystore } from '../adapters/local-keystore'
import { NodeAccounts } from '../adapters/node-accounts'
import { remoteSigner, SignerProbe } from '../adapters/remote-signer'
import type { SignerCall } from '../adapters/signer-call'
import type { TradesDeps } from '../trades-deps'
import { auditHead, keyWorkers } from './running-vault'

interface NodeAccountsParts {
  readonly accounts: NodeAccounts
  /** Start it before the node: opens key files, or asks whether the remote signer is there; null: neither. */
  readonly keystore: LocalKeystore | SignerProbe | null
}

/** @param signer our own one; null in a run without it */
export function createNodeAccounts(deps: TradesDeps, signer: SignerService | null): NodeAccountsParts {
  const { config, logs } = deps
  const log = logs.logger.child({ module: 'accounts' })
  const { signer: remote, unlock } = config.accounts
  if (remote !== null) {
    const accounts = new NodeAccounts({ keystore: null, ask: remoteSigner(remote), unlocked: null, log })
    return { accounts, keystore: new SignerProbe(remote, deps.clock) }
  }
  if (signer === null) {
    const keystore = buildKeystore(deps, config.keystore.folder)
    const list = () => keystore.addresses()
    return { accounts: new NodeAccounts({ keystore: list, ask: null, unlocked: keystore.unlocked, log }), keystore }
  }
  const keystore = unlock.length === 0 ? null : buildKeystore(deps, config.signer.keystore)
  const unlocked = keystore?.unlocked ?? null
  const always = unlock.map((address) => bytesOfHex(address, 20))
  const ask = embeddedSigner(signer)
  return { accounts: new NodeAccounts({ keystore: null, ask, unlocked, always, log }), keystore }
}

function buildKeystore(deps: TradesDeps, folder: string): LocalKeystore {
  const { config, logs, clock } = deps
  const log = logs.logger.child({ module: 'keystore' })
  const { unlock, passwordFile } = config.accounts
  const { auditLog } = config.signer
  return new LocalKeystore(
    {
      folder,
      auditLog: auditLog === '' ? null : auditLog,
      auditHead: auditHead(config),
      unlock: unlock.map((address) => address.toLowerCase()),
      passwordFile,
    },
    {
      keys: keyWorkers(deps, log),
      clock,
      log,
      randomBytes: (length) => new Uint8Array(randomBytes(length)),
    },
  )
}

/** This program's signer on behalf of the node's callers: the user sees the original caller. @param signer receives the requests */
export function embeddedSigner(signer: Pick<SignerService, 'submit'>): SignerCall {
  return (method, params, { caller, signal }) => {
    const { transport, remote, local, userAgent, origin } = caller
    const shown = {
      transport: transport === 'ipc' ? ('ipc' as const) : ('http' as const),
      remote,
      local,
      userAgent,
      origin,
    }
    return signer.submit({ method, params }, { caller: shown, callerGone: signal })
  }
}
