// What can be wrong with a call or a configuration: exit code 2, one line that says what is accepted. Codes are public.
import { defineErrors } from '../base/errors'

/** ` (did you mean X?)`, or nothing. */
const meant = (nearest: string | null): string => (nearest === null ? '' : `; did you mean ${nearest}?`)

export const ConfigError = defineErrors({
  CONFIG_UNKNOWN_COMMAND: (d: { word: string; nearest: string | null; accepted: string }) =>
    `${d.word === '' ? 'an empty word is not a command' : `unknown command ${d.word}`}${meant(d.nearest)}${d.nearest === null ? `; accepted: ${d.accepted}` : ''}`,
  CONFIG_UNKNOWN_OPTION: (d: { flag: string; nearest: string | null }) =>
    `unknown option ${d.flag}${d.nearest === null ? '; see: headframe help' : meant(d.nearest)}`,
  CONFIG_OPTION_ELSEWHERE: (d: { flag: string; command: string; commands: readonly string[] }) =>
    `${d.flag} is not an option of headframe ${d.command}; it belongs to: ${d.commands.join(', ')}`,
  CONFIG_OPTION_REFUSED: (d: { flag: string; instead: string }) => `${d.flag} is not supported: ${d.instead}`,
  CONFIG_COMMAND_REFUSED: (d: { word: string; instead: string }) => `headframe ${d.word} does not exist: ${d.instead}`,
  CONFIG_UNKNOWN_KEY: (d: { file: string; line: number; key: string; nearest: string | null }) =>
    `${d.file}:${d.line}: unknown key ${d.key}${meant(d.nearest)}`,
  CONFIG_VALUE_MISSING: (d: { flag: string; accepted: string }) =>
    `${d.flag}: a value is missing; accepted: ${d.accepted}`,
  /** `where` is the option as typed, the environment name, or `file:line: key`; a secret's value reads `***`. */
  CONFIG_VALUE_INVALID: (d: { where: string; value: string; expected: string }) =>
    `${d.where}: ${d.value} is not ${d.expected}`,
  /** `word` is empty where one is missing. */
  CONFIG_UNEXPECTED_WORD: (d: { word: string; command: string; accepted: string }) =>
    d.word === ''
      ? `headframe ${d.command} needs more words; accepted: ${d.accepted}`
      : `unexpected word ${d.word} after headframe ${d.command}; accepted: ${d.accepted}`,
  CONFIG_FILE_MISSING: (d: { file: string }) => `--config: ${d.file} does not exist`,
  CONFIG_FILE_UNREADABLE: (d: { where: string; file: string; reason: string }) =>
    `${d.where}: ${d.file} cannot be read: ${d.reason}`,
  CONFIG_FILE_SYNTAX: (d: { file: string; line: number; column: number; reason: string }) =>
    `${d.file}:${d.line}:${d.column}: not TOML: ${d.reason}`,
  CONFIG_CONFLICT: (d: { reason: string }) => d.reason,
  CONFIG_DANGER: (d: { reason: string }) => d.reason,
  CONFIG_FOLDER_LOST: (d: { file: string; reason: string }) =>
    `${d.file}: ${d.reason}; connect its disk, or delete this file to start with an empty data folder`,
  CONFIG_GENESIS_INVALID: (d: { file: string; reason: string }) => `${d.file} is not a genesis file: ${d.reason}`,
})

/** Settings that exclude or need each other. */
export function conflict(reason: string): Error {
  return new ConfigError('CONFIG_CONFLICT', { reason })
}
