// What the user interface needs beside the signer itself, from the trades that this start has.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../base/time'
import type { ResolvedConfig } from '../config/resolved-config'
import { SendDesk } from './send-desk'
import type { Trades } from './trades'
import type { SignerDesk } from './ui/signer-desk-part'

/** Null without a signer. */
export function signerDesk({ signer: options }: ResolvedConfig, trades: Trades, clock: Clock): SignerDesk | null {
  const { signer, node, vault, books } = trades
  if (signer === null || books === null) return null
  const send = node === null ? null : new SendDesk({ signer, node, clock, randomBytes })
  return { vault, send, node, ...books, auditLog: options.auditLog }
}
