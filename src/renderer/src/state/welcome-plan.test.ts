import { describe, expect, it } from 'vitest'
import { changesOf, commandLineOf, newToken, type Plan, planSchema } from './welcome-plan'

const NOTHING = { poolUrl: '', token: '' }
const start: Plan = planSchema.parse({})
const account = '0x52908400098527886e0f7030069857d2e4169ee7'

describe('the plan of a first start', () => {
  it('writes nothing for the practice network with defaults', () => {
    expect(changesOf(start, NOTHING)).toEqual([])
    expect(commandLineOf([])).toBe('headframe')
  })

  it('mines solo on a real network only with a reward account', () => {
    const keys = (plan: Plan) => changesOf(plan, NOTHING).map(({ key }) => key)

    expect(keys({ ...start, network: 'main' })).toEqual(['app.network'])
    expect(keys({ ...start, network: 'main', coinbase: account })).toEqual([
      'app.network',
      'node.coinbase',
      'node.mine',
    ])
  })

  it('masks the password of the pool and the token on the command line, and nothing else', () => {
    const plan: Plan = { ...start, network: 'main', work: 'pool', sharing: 'home' }
    const changes = changesOf(plan, { poolUrl: 'stratum+tcp://acct:secret@pool.example:4444', token: 'f00d' })

    expect(changes.map(({ key }) => key)).toEqual(['app.network', 'pool.urls', 'api.token', 'api.bind'])
    expect(commandLineOf(changes)).toBe(
      'headframe --network main --pool stratum+tcp://acct:***@pool.example:4444 --api-token *** --api-bind 0.0.0.0:3333',
    )
  })

  it.each([
    ['pool.example:4444', 'pool.example:4444'],
    ['stratum+ssl://me.rig@pool.example:4444', 'stratum+ssl://me.rig@pool.example:4444'],
    ['stratum+tcp://me:p@ss:word@pool.example:4444/x', 'stratum+tcp://me:***@pool.example:4444/x'],
    ['me:secret@pool.example:4444', 'me:***@pool.example:4444'],
    ['me@pool.example:1?proxy=socks5://a:b@10.0.0.1:1080&x=1', 'me@pool.example:1?proxy=***&x=1'],
    ['me@pool.example:1?proxy=a%3Ab%4010.0.0.1', 'me@pool.example:1?proxy=***'],
  ])('shows %s as %s', (poolUrl, shown) => {
    const plan: Plan = { ...start, work: 'pool' }
    expect(commandLineOf(changesOf(plan, { poolUrl, token: '' }))).toBe(`headframe --pool ${shown}`)
  })

  it('sets the token before it opens the port', () => {
    const keys = changesOf({ ...start, sharing: 'home' }, { poolUrl: '', token: 'f00d' }).map(({ key }) => key)

    expect(keys.indexOf('api.token')).toBeLessThan(keys.indexOf('api.bind'))
  })

  it('treats corrupt storage as empty', () => {
    expect(planSchema.parse({ network: 'mars', coinbase: 1, work: '', sharing: null })).toEqual(start)
  })

  it('creates tokens of 128 random bits', () => {
    const bytes = { getRandomValues: (to: Uint8Array) => to.fill(0xa5) } as unknown as Crypto

    expect(newToken(bytes)).toBe('a5'.repeat(16))
  })
})
