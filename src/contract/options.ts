// What the UI knows about options: each with its value, the source of that value, and what a change needs.
import { z } from 'zod'
import { call } from '../base/wire/define'
import { done, nothing } from './shapes'

const optionViewSchema = z.object({
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
  /** Current value as it would be typed; null = none. A secret reads `***`. */
  value: z.string().nullable(),
  /** The value without any setting; null = none. */
  defaultValue: z.string().nullable(),
  source: z.object({ kind: z.enum(['command line', 'environment', 'file', 'default']), name: z.string() }),
  /** Value in the config file now, for the next start; null = not set. A secret reads `***`. */
  inFile: z.string().nullable(),
  /** Why this connection may not change it here; empty when it may. */
  locked: z.enum(['', 'command line', 'environment', 'machine']),
})

const optionSectionSchema = z.object({ name: z.string(), title: z.string(), options: z.array(optionViewSchema) })

export const optionCalls = {
  /** Every option of this run that a config file may hold, and the file's path. */
  'app.options': call(nothing, z.object({ file: z.string(), sections: z.array(optionSectionSchema) })),
  /** Validated together with all others; null removes it. Options for keys and access need the right to approve. */
  'app.setOption': call(
    z.object({ key: z.string().max(100), value: z.string().max(10_000).nullable() }),
    z.object({ applies: z.enum(['live', 'service', 'process']) }),
    'control',
  ),
  /** Returns it this once; takes effect at the next start. At the machine itself, or with the right to approve. */
  'app.newToken': call(nothing, z.object({ token: z.string() }), 'control'),
  /** With the file's settings; pending requests are rejected. An invalid file fails with the reason, nothing stops. */
  'app.restart': call(nothing, done, 'control'),
  /** This build and its platform. `build`: hex digits, empty when run from sources. */
  'app.build': call(nothing, z.object({ build: z.string(), runtime: z.string(), system: z.string() })),
}

export type OptionView = z.infer<typeof optionViewSchema>
export type OptionSectionView = z.infer<typeof optionSectionSchema>

/** Saved, but not in effect until a restart. */
export function isPending({ applies, locked, value, inFile, source }: OptionView): boolean {
  if (applies === 'live' || locked === 'command line' || locked === 'environment') return false
  return (inFile !== null && inFile !== value) || (source.kind === 'file' && inFile === null)
}
