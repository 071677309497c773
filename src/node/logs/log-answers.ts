// How log searches cross a worker's wire: the question, and an answer as one text that is forwarded without parsing it.
import { z } from 'zod'
import { bytesOfHex, toHex } from '../../base/hex'
import type { LogPage, LogPosition } from './search'

const count = z.number().int().min(0)
const words = z.array(z.string())
const hashSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length === 32, 'want 32 bytes')

/** Lower-case `0x` hex, see log-filter.ts. */
const logFilterSchema = z.object({ addresses: words, topics: z.array(words) })

export const logSearchSchema = z.object({
  kind: z.literal('logs'),
  filter: logFilterSchema,
  range: z.object({
    from: z.object({
      number: count,
      within: z.object({ hash: hashSchema, transaction: count, log: count, at: count }).nullable(),
    }),
    to: count.nullable(),
  }),
})

/** A new block's logs: each that a filter matches, in a line after the numbers of those filters; see live-logs.ts. */
export const liveLogsSchema = z.object({
  kind: z.literal('liveLogs'),
  hash: hashSchema,
  isRemoved: z.boolean(),
  filters: z.array(logFilterSchema),
})

/** A first line with the next position, or empty, before the logs. */
export function logPageText({ text, next }: LogPage): string {
  if (next === null) return `\n${text}`
  const { number, within } = next
  const place = within === null ? [] : [toHex(within.hash), within.transaction, within.log, within.at]
  return `${[number, ...place].join(' ')}\n${text}`
}

/** The inverse of `logPageText`. */
export function logPageOf(answer: string): LogPage {
  const end = answer.indexOf('\n')
  return { text: answer.slice(end + 1), next: end === 0 ? null : positionOf(answer.slice(0, end).split(' ')) }
}

function positionOf([number, hash, transaction, log, at]: readonly string[]): LogPosition {
  if (hash === undefined) return { number: Number(number), within: null }
  const place = { transaction: Number(transaction), log: Number(log), at: Number(at) }
  return { number: Number(number), within: { hash: bytesOfHex(hash, 32), ...place } }
}
