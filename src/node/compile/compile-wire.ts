// Between the host and the compiler worker: a source in, its last contract or the compiler's errors out.
import { z } from 'zod'
import { call } from '../../base/wire/define'

const contractSchema = z.object({
  kind: z.literal('compiled'),
  /** creation code, `0x` hex */
  code: z.string(),
  /** with commit and platform */
  compilerVersion: z.string(),
  abi: z.unknown(),
  userDoc: z.unknown(),
  developerDoc: z.unknown(),
})

export const compileWire = {
  calls: {
    compile: call(
      z.object({ source: z.string() }),
      z.union([contractSchema, z.object({ kind: z.literal('refused'), reason: z.string() })]),
    ),
  },
  events: {},
}

/** The type of `compileWire`. */
export type CompileWire = typeof compileWire
export type CompileOutcome = z.infer<typeof contractSchema> | { readonly kind: 'refused'; readonly reason: string }
