// The plain words behind a command.
import { ConfigError } from '../config/errors'
import type { ParsedArgv } from '../config/parse-argv'

/** @throws ConfigError CONFIG_UNEXPECTED_WORD when there is one */
export function expectNoWords({ command, words }: ParsedArgv): void {
  const word = words[0]
  if (word !== undefined) throw new ConfigError('CONFIG_UNEXPECTED_WORD', { word, command, accepted: 'options only' })
}

/** The only word, one of `accepted`. @throws ConfigError CONFIG_UNEXPECTED_WORD */
export function oneWord<const W extends string>({ command, words }: ParsedArgv, accepted: readonly W[]): W {
  const word = accepted.find((candidate) => candidate === words[0])
  if (word !== undefined && words.length === 1) return word
  const unexpected = (word === undefined ? words[0] : words[1]) ?? '(nothing)'
  throw new ConfigError('CONFIG_UNEXPECTED_WORD', { word: unexpected, command, accepted: accepted.join(', ') })
}
