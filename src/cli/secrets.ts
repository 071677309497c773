// The passwords of one call: lines of --password FILE in order of use, or typed at a prompt.
import { wipe } from '../base/bytes'
import { untilAborted } from '../base/on-abort'
import { ConfigError, conflict } from '../config/errors'
import { textOf } from '../config/resolved-config'
import { readText } from '../host/settings/config-settings'
import type { CliCall } from './call'

interface SecretQuestion {
  /** `password of the new account` */
  readonly what: string
  /** A new password: typed twice at a prompt. */
  readonly isNew: boolean
}

/** Supplies passwords. */
export class Secrets {
  readonly #given: Uint8Array[] = []
  #lines: readonly string[] | null = null
  #used = 0

  /** @param signal ends a question; missing: nothing but the process's own end does */
  constructor(
    private readonly call: Pick<CliCall, 'parsed' | 'world'>,
    private readonly signal?: AbortSignal,
  ) {}

  /** UTF-8, wiped by `wipeAll`. @throws ConfigError CONFIG_FILE_UNREADABLE, CONFIG_CONFLICT; the signal's reason */
  async next(question: SecretQuestion): Promise<Uint8Array> {
    const { password: file } = this.call.parsed
    const text = file === null ? await this.#typed(question) : this.#fromFile(file, question)
    const bytes = new TextEncoder().encode(text)
    this.#given.push(bytes)
    return bytes
  }

  wipeAll(): void {
    for (const bytes of this.#given) wipe(bytes)
  }

  #fromFile(file: string, { what }: SecretQuestion): string {
    this.#lines ??= linesOf(file)
    const line = this.#lines[this.#used]
    this.#used += 1
    if (line !== undefined && (line !== '' || this.#used === 1)) return line
    const reason = `line ${this.#used}, the ${what}, is missing`
    throw new ConfigError('CONFIG_FILE_UNREADABLE', { where: '--password', file, reason })
  }

  async #typed({ what, isNew }: SecretQuestion): Promise<string> {
    const first = await this.#answer(`${what}: `)
    if (first === null) {
      throw conflict(`there is no terminal to ask for the ${what}: give --password FILE, one password per line`)
    }
    if (isNew && first !== (await this.#answer('repeat it: '))) {
      throw conflict('the two passwords differ')
    }
    return first
  }

  /** @throws the signal's reason */
  #answer(question: string): Promise<string | null> {
    return untilAborted(this.call.world.askSecret(question), this.signal)
  }
}

function linesOf(file: string): readonly string[] {
  return textOf('--password', file, readText).split(/\r?\n/)
}
