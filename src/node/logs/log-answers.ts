// How log searches cross a worker's wire: the question, and an answer as one text that is forwarded without parsing the
// logs.
import { z } from 'zod'
import type { LogPage } from './search'

const height = z.number().int().min(0)
const words = z.array(z.string())

export const logSearchSchema = z.object({
  kind: z.literal('logs'),
  /** Lower-case `0x` hex, see log-filter.ts. */
  filter: z.object({ addresses: words, topics: z.array(words) }),
  range: z.object({ from: height, to: height }),
})

/** Logs of one block, see block-logs.ts; null when it is unknown or was never executed. */
export const blockLogsSchema = z.array(z.object({ address: z.string(), topics: words, text: z.string() })).nullable()

/** A first line with the next height, or empty, before the logs. */
export function logPageText({ text, next }: LogPage): string {
  return `${next ?? ''}\n${text}`
}

/** The inverse of `logPageText`. */
export function logPageOf(answer: string): LogPage {
  const end = answer.indexOf('\n')
  return { text: answer.slice(end + 1), next: end === 0 ? null : Number(answer.slice(0, end)) }
}
