// What the UI knows about options: each with its value, where that comes from, and what a change needs.
import { z } from 'zod'
import { call } from '../base/wire/define'
import { done, nothing } from './shapes'

export const optionViewSchema = z.object({
  /** `node.httpPort` */
  key: z.string(),
  /** `--http.port` without the dashes. */
  flag: z.string(),
  /** As in the config file: `node.http-port`. */
  fileKey: z.string(),
  kind: z.enum(['switch', 'number', 'text', 'choice', 'list', 'file', 'folder', 'secret']),
  help: z.string(),
  expected: z.string(),
  unit: z.string().nullable(),
  choices: z.array(z.string()).nullable(),
  range: z.object({ min: z.number(), max: z.number() }).nullable(),
  applies: z.enum(['live', 'service', 'process']),
  danger: z.string().nullable(),
  /** In effect now, as it would be typed; null = none. A secret reads `***`. */
  value: z.string().nullable(),
  /** The same without any setting; null = none. */
  defaultValue: z.string().nullable(),
  source: z.object({ kind: z.enum(['command line', 'environment', 'file', 'default']), name: z.string() }),
  /** What the config file says now, for the next start; null = nothing. A secret reads `***`. */
  inFile: z.string().nullable(),
  /** Why this connection may not change it here; empty when it may. */
  locked: z.enum(['', 'command line', 'environment', 'machine']),
})

export const optionSectionSchema = z.object({ name: z.string(), title: z.string(), options: z.array(optionViewSchema) })

export const optionCalls = {
  /** Every option of this start that a config file may hold, and the file's path. */
  'app.options': call(nothing, z.object({ file: z.string(), sections: z.array(optionSectionSchema) })),
  /**
   * Writes one option into the config file after it was checked together with all others; null takes it out. What guards
   * keys and doors also needs the right to approve.
   */
  'app.setOption': call(
    z.object({ key: z.string().max(100), value: z.string().max(10_000).nullable() }),
    z.object({ applies: z.enum(['live', 'service', 'process']) }),
    'control',
  ),
  /**
   * Puts a new token of the control port into the config file and tells it, this once. It counts from the next start. Only at
   * the machine itself, or with the right to approve.
   */
  'app.newToken': call(nothing, z.object({ token: z.string() }), 'control'),
  /**
   * Starts the program again with what the config file says now: everything stops for some seconds, waiting requests are
   * refused. Fails where the file would not start it, with the reason, and then nothing stops.
   */
  'app.restart': call(nothing, done, 'control'),
  /** Which build this is, and on what it runs. `build`: hex digits, empty when it runs from sources. */
  'app.build': call(nothing, z.object({ build: z.string(), runtime: z.string(), system: z.string() })),
}

export type OptionView = z.infer<typeof optionViewSchema>
export type OptionSectionView = z.infer<typeof optionSectionSchema>

/** Written, but not in effect before the next start. */
export function isPending({ applies, locked, value, inFile, source }: OptionView): boolean {
  if (applies === 'live' || locked === 'command line' || locked === 'environment') return false
  return (inFile !== null && inFile !== value) || (source.kind === 'file' && inFile === null)
}
