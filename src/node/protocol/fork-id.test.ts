import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bytesOfHex, toHex } from '../../base/hex'
import { decodeRlp, encodeRlp } from '../codec/rlp'
import { forkIdAt, forkIdItem, forkSchedule, judgeForkId, readForkId } from './fork-id'

const id = z.object({ hash: z.string(), next: z.number().optional(), nextHex: z.string().optional() })
const VECTORS = z
  .object({
    creation: z.array(
      z.object({
        forkId: z.object({ hash: z.string(), next: z.number(), rlp: z.string() }),
        genesis: z.string(),
        head: z.number(),
        network: z.string(),
      }),
    ),
    encoding: z.array(id.extend({ rlp: z.string() })),
    mixedForkHeights: z.array(z.number()),
    mixedGenesis: z.string(),
    validation: z.array(z.object({ localHead: z.number(), remote: id, result: z.string() })),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/vectors/p2p/forkid.json'), 'utf8')))

const HEIGHTS = VECTORS.mixedForkHeights.map(BigInt)
const MIXED = forkSchedule(bytesOfHex(VECTORS.mixedGenesis), HEIGHTS)

describe('fork ids', () => {
  it.each(VECTORS.creation)("of $network at height $head equal prlx's", ({ forkId, ...row }) => {
    const schedule = forkSchedule(bytesOfHex(row.genesis), row.network === 'mixed-forks' ? HEIGHTS : [])

    const made = forkIdAt(schedule, BigInt(row.head))

    expect({ hash: toHex(made.hash), next: made.next }).toEqual({ hash: forkId.hash, next: BigInt(forkId.next) })
    expect(toHex(encodeRlp(forkIdItem(made)))).toBe(forkId.rlp)
  })

  it.each(VECTORS.validation)('at height $localHead judge $remote as prlx does', (row) => {
    const remote = { hash: bytesOfHex(row.remote.hash), next: BigInt(row.remote.next ?? 0) }

    expect(judgeForkId(MIXED, BigInt(row.localHead), remote)).toBe(row.result)
  })

  it.each(VECTORS.encoding)('have one encoding: $rlp', ({ hash, next, nextHex, rlp }) => {
    const wanted = { hash: bytesOfHex(hash), next: BigInt(nextHex ?? next ?? 0) }
    const item = decodeRlp(bytesOfHex(rlp))

    expect(toHex(encodeRlp(forkIdItem(wanted)))).toBe(rlp)
    expect(item.ok && !(item.value instanceof Uint8Array) && readForkId(item.value)).toEqual({
      ok: true,
      value: wanted,
    })
  })

  it('ignore forks at genesis, duplicates and order', () => {
    expect(forkSchedule(MIXED.genesisHash, [70_000n, 0n, 10n, 30n, 20n, 40n, 10n])).toEqual(MIXED)
  })

  it('with another shape are rejected', () => {
    expect(readForkId([Uint8Array.of(1, 2, 3), new Uint8Array(0)])).toMatchObject({ ok: false })
    expect(readForkId([new Uint8Array(4)])).toMatchObject({ ok: false })
    expect(readForkId([new Uint8Array(4), new Uint8Array(0), new Uint8Array(0)])).toMatchObject({ ok: false })
    expect(readForkId([new Uint8Array(4), new Uint8Array(9).fill(1)])).toMatchObject({ ok: false })
  })
})
