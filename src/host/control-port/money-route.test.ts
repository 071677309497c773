// /api/v1/money and /api/v1/incidents over HTTP.
import { afterEach, describe, expect, it } from 'vitest'
import type { IncidentView } from '../../contract/incidents'
import type { MoneyView } from '../../contract/money'
import { ask, startPort, type TestPort, TOKEN, token } from '../testing/test-port'
import type { IncidentSource } from './money-route'

const DAY = 86_400_000
const open: TestPort[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ port }) => port.stop()))
})

async function start(options: Parameters<typeof startPort>[0] = {}) {
  const asked: (readonly number[])[] = []
  const acknowledged: string[] = []
  const incident = { id: 'i', cause: 'hot' } as unknown as IncidentView
  const incidents: IncidentSource = {
    open: () => [incident],
    recent: () => [],
    between: (from, to) => Array(to - from).fill({ ...incident, since: from, until: to }),
    acknowledge: (ids) => {
      acknowledged.push(...ids)
      return ids.filter((id) => id !== 'i')
    },
  }
  const money = {
    view: (bounds: readonly number[]) => {
      asked.push(bounds)
      return { network: 'main' } as unknown as MoneyView
    },
  }
  const port = await startPort(options, null, { money, incidents })
  open.push(port)
  return { port, asked, acknowledged }
}

const midnightOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

describe('money', () => {
  it.each([
    ['', 1],
    ['?period=today', 1],
    ['?period=week', 7],
    ['?period=month', 30],
  ])('%s is one period for each of %i local days, until now', async (query, days) => {
    const { port, asked } = await start()
    const { status, body } = await ask(port, `GET /api/v1/money${query}`)

    expect([status, JSON.parse(body)]).toEqual([200, { network: 'main' }])
    const [bounds = []] = asked
    expect(bounds).toHaveLength(days + 1)
    expect(bounds.at(-1)).toBe(port.clock.now())
    expect(bounds.slice(0, -1).every((at) => midnightOf(at) === at)).toBe(true)
  })

  it('takes any time, cut at local midnights', async () => {
    const { port, asked } = await start()
    const from = port.clock.now() - 3 * DAY + 5
    await ask(port, `GET /api/v1/money?from=${from}&to=${from + 2 * DAY}`)

    expect([asked[0]?.[0], asked[0]?.at(-1)]).toEqual([from, from + 2 * DAY])
    expect(asked[0]?.slice(1, -1).every((at) => midnightOf(at) === at)).toBe(true)
  })

  it.each([
    '?period=year',
    '?from=x',
    '?from=5&to=4',
    '?to=4',
    '?days=3',
    '?period=week&from=1',
    '?period=week&period=week',
    '?from=1&from=2&to=3',
    `?from=0&to=${401 * DAY}`,
  ])('refuses %s, and says what is accepted', async (query) => {
    const { port, asked } = await start()
    const { status, body } = await ask(port, `GET /api/v1/money${query}`)

    expect([status, JSON.parse(body).error, asked]).toEqual([400, expect.stringContaining('period=today'), []])
  })

  it('is one period per day up to the longest period, also when it begins in the middle of one', async () => {
    const { port, asked } = await start()
    const from = midnightOf(port.clock.now()) - 400 * DAY + 5
    expect((await ask(port, `GET /api/v1/money?from=${from}&to=${from + 400 * DAY}`)).status).toBe(200)

    const [bounds = []] = asked
    expect(bounds).toHaveLength(402)
    expect(Math.max(...bounds.slice(1).map((at, index) => at - (bounds[index] ?? 0)))).toBeLessThanOrEqual(DAY * 1.05)
  })

  it('isn’t shown without the token', async () => {
    const { port } = await start({ apiToken: token() })

    expect((await ask(port, 'GET /api/v1/money')).status).toBe(401)
    expect((await ask(port, 'GET /api/v1/incidents')).status).toBe(401)
    expect((await ask(port, 'GET /api/v1/money', [`Authorization: Bearer ${TOKEN}`])).status).toBe(200)
  })
})

describe('incidents', () => {
  it('are those that are open and recent, or those of a period', async () => {
    const { port } = await start()

    expect(JSON.parse((await ask(port, 'GET /api/v1/incidents')).body)).toEqual({
      open: [{ id: 'i', cause: 'hot' }],
      recent: [],
    })
    const between = async (to: number) => JSON.parse((await ask(port, `GET /api/v1/incidents?from=5&to=${to}`)).body)
    expect(await between(6)).toMatchObject({ incidents: [{ since: 5, until: 6 }], total: 1 })
    const { incidents, total } = await between(2_005)
    expect([incidents.length, total], 'more than one answer holds').toEqual([1_000, 2_000])
    expect((await ask(port, 'GET /api/v1/incidents?from=9&to=5')).status).toBe(400)
  })

  it('are acknowledged by those with control only', async () => {
    const JSON_TYPE = 'Content-Type: application/json'
    const login = `Authorization: Bearer ${TOKEN}`
    const body = JSON.stringify({ acknowledge: ['i'] })
    const reader = await start()
    expect((await ask(reader.port, 'POST /api/v1/incidents', [JSON_TYPE], body)).status).toBe(403)

    const { port, acknowledged } = await start({ apiToken: token(), allowControl: true })
    const post = (text: string, headers = [JSON_TYPE, login]) => ask(port, 'POST /api/v1/incidents', headers, text)
    expect((await post(body)).status).toBe(200)
    expect(acknowledged).toEqual(['i'])
    expect((await post(body, [login])).status).toBe(400)
    expect(await post('{"acknowledge": ["i", "j"]}'), 'one that is none').toMatchObject({
      status: 400,
      body: JSON.stringify({ error: 'no incident has the id j; the others are acknowledged' }),
    })
    for (const wrong of ['{', '{}', '{"acknowledge": ["i"], "more": 1}', '{"acknowledge": []}', '{"acknowledge": "i"}'])
      expect((await post(wrong)).status).toBe(400)
  })
})
