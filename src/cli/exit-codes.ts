// The exit codes for scripts: the only place that maps errors to them.
import { HeadframeError, messageOf } from '../base/errors'
import { visibleText } from '../base/language/visible-text'
import type { Surroundings } from '../config/paths'
import { flag } from '../config/values/value-types'

export const EXIT_DONE = 0
/** It failed while running. */
export const EXIT_FAILED = 1
/** The call or the configuration is invalid. */
export const EXIT_WRONG_CALL = 2

/** `CONFIG_*` 2, everything else 1. */
export function exitCodeOf(error: unknown): number {
  return error instanceof HeadframeError && error.code.startsWith('CONFIG_') ? EXIT_WRONG_CALL : EXIT_FAILED
}

/** Whether lines are JSON, where there is no configuration that says so: it may be what is wrong. */
export function asksForJson(argv: readonly string[], environment: Surroundings['environment']): boolean {
  const typed = argv.filter((word) => /^--?log\.json(?:=|$)/.test(word)).at(-1)
  const text = typed === undefined ? (environment.HEADFRAME_LOG_JSON ?? 'false') : (typed.split('=')[1] ?? 'true')
  return flag().parse(text) ?? false
}

const PREFIXES = { error: 'headframe: ', warn: 'headframe: note: ', info: 'headframe: ' } as const

/** One line, strangers' words made visible; with `json` an object like a log line's. */
function lineOf(level: keyof typeof PREFIXES, message: string, json: boolean, fields = {}): string {
  return json ? JSON.stringify({ level, module: 'cli', message, fields }) : `${PREFIXES[level]}${visibleText(message)}`
}

/** For any failure. */
export function failureLine(error: unknown, json: boolean): string {
  const code = error instanceof HeadframeError ? error.code : 'UNEXPECTED'
  return lineOf('error', messageOf(error).split('\n').join(' '), json, { code })
}

/** For the user, about what isn't a failure. */
export function noticeLine(message: string, json: boolean): string {
  return lineOf('warn', message, json)
}

/** About what was done. */
export function infoLine(message: string, json: boolean): string {
  return lineOf('info', message, json)
}
