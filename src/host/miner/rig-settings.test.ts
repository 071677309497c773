import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createLogger } from '../../base/logger'
import { Secret } from '../../base/secret'
import { systemClock } from '../../base/time'
import { parseRig, type RigAddress } from '../../config/values/rig-address'
import { RigMonitor } from '../../miner/monitor/rig-monitor'
import { RigSettings, type TypedRig } from './rig-settings'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

const rig = (text: string): RigAddress => parseRig(text) ?? { name: text, host: '', port: 1, token: null, labels: {} }

function scene(
  rigs: readonly RigAddress[],
  change: { readonly fixed?: readonly string[]; readonly fault?: string } = {},
) {
  const written: (string | null)[] = []
  const logged: string[] = []
  const clock = systemClock()
  const monitor = new RigMonitor({ rigs, intervalMs: 5_000 }, { clock, random: () => 0 })
  const settings = {
    set: (_: string, value: string | null) => {
      if (change.fault !== undefined) throw new Error(change.fault)
      written.push(value)
      return 'service' as const
    },
  }
  const log = createLogger('rigs', {
    minLevel: 'debug',
    now: () => 5,
    sink: { write: (record) => void logged.push(JSON.stringify(record)) },
  })
  const rigSettings = new RigSettings({ monitor, fixed: change.fixed ?? [], ownName: 'here', settings, clock, log })
  return { rigSettings, monitor, written, logged }
}

const typed = (change: Partial<TypedRig>): TypedRig => ({
  replaces: null,
  name: 'shed',
  address: '10.0.0.7:3333',
  token: null,
  ...change,
})

it("adds a rig immediately and to the file, with its token in the option's form", () => {
  const { rigSettings, monitor, written, logged } = scene([rig('a=h:1#one')])

  expect(rigSettings.save(typed({ token: 'to,ken#=%' }))).toEqual({ kept: true, reason: '' })

  expect(monitor.list().map(({ name }) => name)).toEqual(['a', 'shed'])
  expect(monitor.hasToken('shed')).toBe(true)
  expect(written).toEqual(['a=h:1#one,shed=10.0.0.7:3333#to%2Cken%23%3D%25'])
  expect(parseRig(String(written[0]).split(',')[1] ?? '')?.token?.reveal()).toBe('to,ken#=%')
  expect(logged.join()).toContain('shed')
  expect(logged.join()).not.toContain('ken#')
})

it('keeps a stored token for the same address only', () => {
  const { rigSettings, monitor } = scene([rig('a=h:1#one'), rig('b=h:2#two'), rig('c=h:3#three')])

  rigSettings.save(typed({ replaces: 'a', name: 'first', address: 'h:1' }))
  rigSettings.save(typed({ replaces: 'b', name: 'b', address: 'elsewhere:2' }))
  rigSettings.save(typed({ replaces: 'c', name: 'c', address: 'h:3', token: '' }))

  expect(monitor.list().map(({ name, token }) => [name, token?.reveal() ?? null])).toEqual([
    ['first', 'one'],
    ['b', null],
    ['c', null],
  ])
})

it('says if the file could not be written, and still monitors the rig', () => {
  const { rigSettings, monitor } = scene([rig('a=h:1')], { fault: 'set by command line --rig' })

  expect(rigSettings.save(typed({}))).toEqual({ kept: false, reason: 'set by command line --rig' })
  expect(rigSettings.remove('a')).toEqual({ kept: false, reason: 'set by command line --rig' })
  expect(rigSettings.notKept).toBe('set by command line --rig')
  expect(monitor.list().map(({ name }) => name)).toEqual(['shed'])
})

it("doesn't change what is set in its own file", () => {
  const { rigSettings, written } = scene([rig('a=h:1'), rig('filed=h:2#two')], { fixed: ['filed'] })

  expect(() => rigSettings.remove('filed')).toThrow('is defined in the --rig-file')
  expect(() => rigSettings.save(typed({ replaces: 'filed' }))).toThrow('is defined in the --rig-file')
  rigSettings.remove('a')
  expect(written).toEqual([null])
})

it.each([
  [{ name: 'a' }, 'there is a rig named a already'],
  [{ name: 'here' }, 'there is a rig named here already'],
  [{ name: 'a/b' }, 'a/b is not a name of'],
  [{ address: 'h' }, 'the address is not HOST:PORT'],
  [{ address: 'x=h:1' }, 'the address is not HOST:PORT'],
  [{ address: 'h:1#token' }, 'the address is not HOST:PORT'],
  [{ token: 'two words' }, 'the token is not 1..512 visible ASCII characters'],
  [{ replaces: 'gone' }, 'no rig named gone is watched'],
])('rejects %j', (change, words) => {
  const { rigSettings, written } = scene([rig('a=h:1')])

  expect(() => rigSettings.save(typed(change))).toThrow(words)
  expect(written).toEqual([])
})

it('tests a connection as typed, and sends a stored token nowhere else', async () => {
  const seen: (string | undefined)[] = []
  const serve = async (): Promise<string> => {
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.end(
        JSON.stringify({ control: true, miner: { version: '9' }, pool: {}, hashrate: {}, shares: {}, gpus: [{}] }),
      )
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const [stored, other] = [await serve(), await serve()]
  const { rigSettings, monitor } = scene([{ ...rig(`a=${stored}`), token: new Secret('one') }])

  expect(await rigSettings.test(typed({ replaces: 'a', address: stored }))).toMatchObject({
    figures: { control: true, version: '9', gpus: [{}] },
  })
  await rigSettings.test(typed({ replaces: 'a', address: other }))
  await rigSettings.test(typed({ address: other, token: 'typed' }))
  expect(await rigSettings.test(typed({ address: '127.0.0.1:1' }))).toEqual({ fault: 'connection refused' })

  expect(seen).toEqual(['Bearer one', undefined, 'Bearer typed'])
  expect(monitor.list()).toHaveLength(1)
})
