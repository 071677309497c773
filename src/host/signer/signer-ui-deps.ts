// What the UI needs besides the signer itself, from this run's trades.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/time'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { Trades } from '../trades'
import type { SignerTools } from '../ui/signer/signer-tools-handlers'
import { SendRequests } from './send-form'

/** Null without a signer. */
export function signerTools({ signer: options }: ResolvedConfig, trades: Trades, clock: Clock): SignerTools | null {
  const { signer, node, vault, books } = trades
  if (signer === null || books === null) return null
  const send = node === null ? null : new SendRequests({ signer, node, clock, randomBytes })
  return { vault, send, node, ...books, auditLog: options.auditLog }
}
