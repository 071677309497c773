// Request bodies: cut at the limit, and bounded over all connections together.
import type { IncomingMessage } from 'node:http'
import type { ByteBudget } from '../../../base/byte-budget'

/** Null when the budget is spent. Cut at the limit; what was cut does not parse. Rejects when the client goes away. */
export function readBody(request: IncomingMessage, limitBytes: number, budget: ByteBudget): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    const giveBack = (): void => {
      budget.give(length)
      length = 0 // once only: the connection may close after its body was cut
    }
    const end = (outcome: 'whole' | 'cut' | 'busy'): void => {
      request.removeListener('data', onData)
      request.removeListener('end', onEnd)
      giveBack()
      if (outcome !== 'whole') request.pause()
      const only = parts.length === 1 ? parts[0] : undefined
      resolve(outcome === 'busy' ? null : (only ?? Buffer.concat(parts)).toString('utf8'))
    }
    const onData = (part: Buffer): void => {
      const kept = part.subarray(0, limitBytes - length)
      if (!budget.take(kept.length)) {
        end('busy')
        return
      }
      parts.push(kept)
      length += kept.length
      if (kept.length < part.length) end('cut')
    }
    const onEnd = (): void => end('whole')
    request.on('data', onData)
    request.on('end', onEnd)
    request.on('close', () => {
      if (request.complete) return
      giveBack()
      reject(new Error('the client went away'))
    })
  })
}
