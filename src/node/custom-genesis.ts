// A user's own genesis file: every field is validated before use, and a fault says what is accepted. Unknown fields are
// ignored as in prlx, except those that request rules this program lacks. Source: prlx core/genesis.go,
// params/config.go (CheckConfigForkOrder)

import { z } from 'zod'
import { schemaFault } from '../base/errors'
import { fail, ok, type Result } from './codec/result'
import { type ConsensusParams, MAIN_CONSENSUS } from './consensus/params'

/** Forks active from block 0 on every network here. */
const FORKS_AT_GENESIS = [
  ...['homesteadBlock', 'eip150Block', 'eip155Block', 'eip158Block', 'byzantiumBlock', 'constantinopleBlock'],
  ...['petersburgBlock', 'istanbulBlock', 'berlinBlock'],
]

/** The forks by their names in a genesis file: Berlin rules from block 0, no London. */
export function forksAtGenesis(): Readonly<Record<string, number>> {
  return Object.fromEntries(FORKS_AT_GENESIS.map((name) => [name, 0]))
}

/** Settings that request rules these networks lack. */
const FOREIGN_RULES: readonly string[] = [
  ...['londonBlock', 'arrowGlacierBlock', 'grayGlacierBlock', 'mergeNetsplitBlock', 'terminalTotalDifficulty'],
  ...['shanghaiTime', 'cancunTime', 'daoForkBlock', 'daoForkSupport', 'clique'],
]

/** Below it no child could satisfy both gas limit rules. */
const MIN_GAS_LIMIT = 5_000n
const MAX_BITS_OF_DIFFICULTY = 80

/** The message for any invalid value: what it is and what is accepted. */
const wanted = (accepted: string) => ({
  error: ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? `missing; wanted ${accepted}` : `${shown(input)} is not ${accepted}`,
})

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 48 ? `${text.slice(0, 48)}...` : text
}

function numberIn(least: bigint, most: bigint, accepted: string) {
  const isInside = (value: string | number): boolean => {
    const isNumber =
      typeof value === 'number' ? Number.isSafeInteger(value) : /^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/.test(value)
    if (!isNumber || (typeof value === 'number' && value < 0)) return false
    return BigInt(value) >= least && BigInt(value) <= most
  }
  const text = `${accepted}, written as 0x hex or decimal`
  return z.union([z.string(), z.number()], wanted(text)).refine(isInside, wanted(text))
}

const bits = (count: number): bigint => (1n << BigInt(count)) - 1n
const textLike = (pattern: RegExp, accepted: string) => z.string(wanted(accepted)).regex(pattern, wanted(accepted))
const hexBytes = (count: number) =>
  textLike(new RegExp(`^(0x)?[0-9a-fA-F]{${2 * count}}$`), `0x and ${2 * count} hex digits`)
const zero = (accepted: string) =>
  z
    .union([z.string(), z.number()], wanted(accepted))
    .refine((value) => /^(0x)?0+$/.test(String(value)), wanted(accepted))
    .nullish()
const hexData = textLike(/^(0x)?([0-9a-fA-F]{2})*$/, '0x hex bytes')
const word = textLike(/^0x[0-9a-fA-F]{1,64}$/, '0x and up to 64 hex digits')
const uint64 = numberIn(0n, bits(64), 'a number under 2^64')
/** The format has 64 bits; a chain starting that far in the future could never have a second block. */
const seconds = numberIn(0n, bits(53), 'a number of seconds under 2^53')
const height = (least: number) =>
  z
    .number(wanted(`a whole number from ${least}`))
    .refine((value) => Number.isSafeInteger(value) && value >= least, wanted(`a whole number from ${least}`))

const accountSchema = z.object(
  {
    balance: numberIn(0n, bits(256), 'a number of wei under 2^256'),
    nonce: uint64.nullish(),
    code: hexData.nullish(),
    storage: z.record(word, word, wanted('an object from slots to words')).nullish(),
  },
  wanted('an account: {"balance": ...}'),
)

const xhashSchema = z.object(
  {
    coinbaseMaturityBlocks: height(0).nullish(),
    retargetIntervalBlocks: height(0).nullish(),
    /** Misnamed in the format: the first height under the rule. 0 = never; 1 would need a parent of genesis. */
    asertAnchorHeight: height(0)
      .refine((value) => value !== 1, wanted('0 (never) or a height from 2'))
      .nullish(),
  },
  wanted('an object: coinbaseMaturityBlocks, retargetIntervalBlocks, asertAnchorHeight'),
)

const configSchema = z
  .looseObject({ chainId: height(1), xhash: xhashSchema.nullish() }, wanted('an object with chainId'))
  .superRefine((config, context) => {
    const say = (name: string, message: string): void => context.addIssue({ code: 'custom', path: [name], message })
    for (const name of FORKS_AT_GENESIS) {
      const value = config[name]
      if (value === undefined || value === null) say(name, 'missing; wanted 0: these rules hold from the first block')
      else if (value !== 0) say(name, `${shown(value)} is not 0: these rules hold from the first block`)
    }
    for (const name of FOREIGN_RULES) {
      const value = config[name]
      if (value !== undefined && value !== null) say(name, 'this chain has no such rules; leave it out')
    }
  })

const fileSchema = z.object(
  {
    config: configSchema,
    gasLimit: numberIn(MIN_GAS_LIMIT, bits(63), `a number from ${MIN_GAS_LIMIT} to 2^63-1`),
    difficulty: numberIn(1n, bits(MAX_BITS_OF_DIFFICULTY), `a number from 1 to 2^${MAX_BITS_OF_DIFFICULTY}-1`),
    alloc: z
      .record(
        z.string().regex(/^(0x)?[0-9a-fA-F]{40}$/, wanted('an address of 40 hex digits')),
        accountSchema,
        wanted('an object from addresses to accounts'),
      )
      .superRefine((alloc, context) => {
        const seen = new Set<string>()
        for (const key of Object.keys(alloc)) {
          const address = key.replace(/^0x/, '').toLowerCase()
          if (seen.has(address)) context.addIssue({ code: 'custom', path: [key], message: 'given twice; wanted once' })
          seen.add(address)
        }
      }),
    nonce: uint64.nullish(),
    timestamp: seconds.nullish(),
    epochStartTime: seconds.nullish(),
    extraData: hexData.nullish(),
    mixHash: hexBytes(32).nullish(),
    coinbase: hexBytes(20).nullish(),
    number: zero('0: it is the first block'),
    gasUsed: zero('0: it has no transactions'),
    parentHash: zero('0: it has no parent'),
    baseFeePerGas: z.null(wanted('null: there is no base fee on this chain')).optional(),
  },
  wanted('a genesis file: an object with config, gasLimit, difficulty and alloc'),
)

/** The rules of the network in a genesis file (JSON text), or the first fault as `field: what is accepted`. */
export function readCustomGenesis(text: string): Result<ConsensusParams> {
  const json = parseJson(text)
  if (!json.ok) return json
  const parsed = fileSchema.safeParse(json.value)
  if (!parsed.success) return fail(schemaFault(parsed.error))
  const { chainId, xhash } = parsed.data.config
  const activation = xhash?.asertAnchorHeight ?? 0
  return ok({
    ...MAIN_CONSENSUS,
    chainId: BigInt(chainId),
    coinbaseMaturityBlocks: xhash?.coinbaseMaturityBlocks ?? 0,
    retargetIntervalBlocks: xhash?.retargetIntervalBlocks ?? 0,
    asertActivationHeight: activation === 0 ? null : activation,
  })
}

function parseJson(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text))
  } catch (error: unknown) {
    return fail(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
