// The standard streams as lines, for a program that decides the signer's requests.
import { StringDecoder } from 'node:string_decoder'
import type { LineChannel } from '../../signer/ui-api/line-peer'
import type { Platform } from '../system/platform'

/** Longer than any answer: a returned transaction has at most 5 MiB of call data as text. */
const LONGEST_LINE = 16 * 1024 * 1024

/** Standard input is only read once the channel opens. */
export function standardLines(platform: Pick<Platform, 'standardInput' | 'standardOutput'>): LineChannel {
  const held: { close: () => void } = { close: () => undefined }
  return {
    send: (line) => platform.standardOutput(line),
    open: ({ onLine, onEnd }) => {
      const input = platform.standardInput?.() ?? null
      if (input === null) {
        onEnd()
        return
      }
      const cutter = new LineCutter(onLine)
      const take = (chunk: Buffer | string): void => cutter.take(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
      input.on('data', take)
      input.on('end', onEnd)
      input.on('error', onEnd)
      held.close = () => {
        input.removeListener('data', take)
        input.pause()
      }
    },
    close: () => held.close(),
  }
}

class LineCutter {
  readonly #onLine: (line: string | null) => void
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #isTooLong = false

  constructor(onLine: (line: string | null) => void) {
    this.#onLine = onLine
  }

  take(chunk: Buffer): void {
    const parts = (this.#rest + this.#decoder.write(chunk)).split('\n')
    this.#rest = parts.pop() ?? ''
    for (const part of parts) {
      this.#onLine(this.#isTooLong ? null : part)
      this.#isTooLong = false
    }
    if (this.#rest.length <= LONGEST_LINE) return
    this.#rest = ''
    this.#isTooLong = true
  }
}
