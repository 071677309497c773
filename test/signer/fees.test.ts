// A mistaken fee is CRITICAL wherever the request is decided, and is rejected in strict mode.
import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../src/base/testing/fake-clock'
import type { FeeMarket, MarketPort } from '../../src/signer/checks/fee-rules'
import { Harness, TRANSFER } from './harness'

const LAX = 10n ** 18n
const GWEI = 10n ** 9n
/** For the plain transfer: 21,000 gas at 1 gwei. */
const FEE = 21_000n * GWEI
const running: Harness[] = []

afterEach(async () => {
  for (const harness of running.splice(0)) await harness.end()
})

const knowing =
  (change: Partial<FeeMarket> = {}): MarketPort =>
  async () => ({ balance: LAX, gasPrice: GWEI, ...change })

interface Start {
  readonly market?: MarketPort
  readonly strict?: boolean
}

async function start({ market, strict = false }: Start): Promise<Harness> {
  const harness = await Harness.start({ service: { strict }, ...(market === undefined ? {} : { market }) })
  running.push(harness)
  return harness
}

/** The findings shown for a transfer. */
async function told(market: MarketPort | undefined, change: object = {}): Promise<readonly string[]> {
  const harness = await start(market === undefined ? {} : { market })
  const answer = harness.call('account_signTransaction', [{ ...TRANSFER, ...change }])
  const request = await harness.nextRequest()
  await harness.reject(request)
  await answer
  return request.findings.map(({ severity, message }) => `${severity}: ${message}`)
}

const hex = (value: bigint): string => `0x${value.toString(16)}`

describe('a fee', () => {
  it.each<readonly [string, MarketPort, RegExp | null]>([
    ['of 1% of the balance is none', knowing({ balance: FEE * 100n }), null],
    ['of a wei more than 1% is', knowing({ balance: FEE * 100n - 1n }), /^CRITICAL: The fee may come to .* 1% /],
    ['of an account without a coin is', knowing({ balance: 0n }), /^CRITICAL: The fee may come to .* 0 LAX available/],
    ['just under ten times the usual price is none', knowing({ gasPrice: GWEI / 10n + 1n }), null],
    [
      'of ten times the usual price is',
      knowing({ gasPrice: GWEI / 10n }),
      /^CRITICAL: The gas price is 1 gwei, .*0\.1/,
    ],
    ['is no mistake where the node has no price yet', knowing({ gasPrice: 0n }), null],
  ])('%s a mistake', async (_title, market, expected) => {
    const found = await told(market)

    expect(found).toEqual(expected === null ? [] : [expect.stringMatching(expected)])
  })

  it.each([
    ['a fee cap', { gasPrice: undefined, maxFeePerGas: hex(10n * GWEI), maxPriorityFeePerGas: '0x1' }],
    ['gas that no call uses', { gas: hex(21_000_000n), gasPrice: hex(10n * GWEI) }],
    ['a call', { gasPrice: hex(10n * GWEI), data: '0xd0e30db0' }],
    ['a creation', { gasPrice: hex(10n * GWEI), to: null, data: `0x${'60'.repeat(50)}` }],
  ])('of ten times the usual price is found despite %s', async (_title, change) => {
    expect((await told(knowing(), change)).join()).toContain('at least ten times the usual 1 gwei')
  })

  it('above 1 LAX is a mistake if there is no node to compare it with', async () => {
    expect(await told(undefined, { gasPrice: hex(LAX / 21_000n) })).toEqual([])
    expect(await told(undefined, { gasPrice: hex(LAX / 21_000n + 1n) })).toEqual([
      expect.stringMatching(/^CRITICAL: The fee may come to 1\.0{4,}\d+ LAX; nodes refuse more than 1 LAX/),
    ])
  })

  it('says that nothing was compared if the node fails', async () => {
    const failing: MarketPort = () => Promise.reject(new Error('closed'))

    expect(await told(failing)).toEqual([expect.stringMatching(/^WARNING: The fee could not be compared/)])
  })

  it("says so too if the node doesn't answer in time", async () => {
    const clock = new FakeClock()
    let isAsked: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const market: MarketPort = () => {
      isAsked()
      return new Promise(() => undefined)
    }
    const harness = await Harness.start({ clock, market })
    running.push(harness)
    const answer = harness.call('account_signTransaction', [TRANSFER])
    await asked
    clock.advance(2_000)
    const request = await harness.nextRequest()
    await harness.reject(request)
    await answer

    expect(request.findings.map(({ severity }) => severity)).toEqual(['WARNING'])
  })

  it('that is a mistake is rejected in strict mode, before anyone is asked', async () => {
    const harness = await start({ market: knowing({ balance: FEE }), strict: true })

    const { error } = await harness.call('account_signTransaction', [TRANSFER])

    expect(error?.message).toMatch(/^validation failed: The fee may come to .*, more than 1% of the/)
    expect(harness.service.requests()).toEqual([])
  })

  it("isn't raised to a mistake by an edit", async () => {
    const harness = await start({ market: knowing() })
    const answer = harness.call('account_signTransaction', [TRANSFER])
    const { id } = await harness.nextRequest()

    expect(harness.service.queue.review(id, { gasPrice: (9n * GWEI).toString() })).toEqual({
      objection: '',
      findings: [],
    })
    expect(harness.service.queue.review(id, { gasPrice: (10n * GWEI).toString() }).objection).toMatch(
      /ten times the usual/,
    )
    harness.service.rejectAll()
    await answer
  })

  it('corrected by an edit is no longer a mistake', async () => {
    const harness = await start({ market: knowing({ gasPrice: GWEI / 10n }) })
    const answer = harness.call('account_signTransaction', [TRANSFER])
    const { id, findings } = await harness.nextRequest()

    expect(findings).toHaveLength(1)
    expect(harness.service.queue.review(id, { gasPrice: (GWEI / 10n).toString() })).toEqual({
      objection: '',
      findings: [],
    })
    harness.service.rejectAll()
    await answer
  })
})
