// Which of --unlock, --password and --signer exclude each other, and where unlocking is refused.

import { isLoopback } from '../../base/ip-address'
import type { ConfigValues } from '../catalog'
import { ConfigError } from '../errors'
import type { CommandName } from '../schema'

const conflict = (reason: string) => new ConfigError('CONFIG_CONFLICT', { reason })

/** @throws ConfigError CONFIG_CONFLICT, CONFIG_DANGER */
export function checkAccounts(command: CommandName, values: ConfigValues): void {
  if (!['run', 'node'].includes(command)) return
  const { signer, unlock, passwordFile, allowInsecureUnlock } = values.accounts
  const { network } = values.app
  if (unlock.length === 0) {
    if (passwordFile !== null) throw conflict('--password is for --unlock: give the accounts or leave it out')
    return
  }
  if (signer !== null) throw conflict('--unlock and --signer exclude each other: the other signer holds the accounts')
  if (passwordFile === null) throw conflict('--unlock needs --password FILE')
  if ((network !== 'main' && network !== 'test') || allowInsecureUnlock) return
  const reason = `--unlock is refused on ${network}, where anyone who reaches JSON-RPC could spend real money; --allow-insecure-unlock allows it`
  throw new ConfigError('CONFIG_DANGER', { reason })
}

/** Valid but unwise. */
export function accountNotices(command: CommandName, { accounts, node, rpc }: ConfigValues): readonly string[] {
  if (!['run', 'node'].includes(command) || accounts.unlock.length === 0) return []
  const hosts = [...(node.http ? [node.httpAddr] : []), ...(rpc.ws ? [rpc.wsAddr] : [])]
  return hosts.some((host) => !isLoopback(host))
    ? ['--unlock with JSON-RPC open to other computers: they can spend what these accounts hold']
    : []
}
