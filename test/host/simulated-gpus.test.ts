// Sixteen simulated devices in the whole program, as a user interface sees and controls them.
import { afterEach, describe, expect, it } from 'vitest'
import type { WireClient } from '../../src/base/wire/client'
import type { Contract } from '../../src/contract/contract'
import type { DeviceView } from '../../src/contract/miner'
import type { Backend } from '../../src/host/backend'
import { connect, makeBackend, notBuilt, temporaryDataDir } from './backend-fixture'

const LIMIT_MS = 240_000
const TOKEN = 'correct-horse-battery'

describe.skipIf(notBuilt !== null)(`simulated devices${notBuilt === null ? '' : ` (skipped: ${notBuilt})`}`, () => {
  const cleanUp: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step()
  })

  async function started(words: readonly string[]): Promise<Backend> {
    const { dir, remove } = temporaryDataDir()
    cleanUp.push(remove)
    const { backend } = await makeBackend(dir, words)
    cleanUp.push(() => backend.stop())
    await backend.start(new AbortController().signal)
    return backend
  }

  /** The first reading of all devices that satisfies the condition. */
  function seen(
    client: WireClient<Contract>,
    what: string,
    isWanted: (devices: readonly DeviceView[]) => boolean,
  ): Promise<readonly DeviceView[]> {
    return new Promise((resolve, reject) => {
      let last: readonly DeviceView[] = []
      const timer = setTimeout(() => {
        const states = last.map(({ state, restarts, pauseReasons }) => `${state}/${restarts}/${pauseReasons}`)
        reject(new Error(`not seen: ${what}; last ${states.join(' ')}`))
      }, LIMIT_MS)
      const watch = client.on('miner.devices', ({ devices }) => {
        last = devices
        if (!isWanted(devices)) return
        clearTimeout(timer)
        watch.dispose()
        resolve(devices)
      })
    })
  }

  it('mine, pause for a while, fail and recover, all sixteen independently', async () => {
    const backend = await started(['--simulated-gpus', '16', '--devices', 'gpu'])
    const client = connect(backend, { control: true })
    const all = await seen(
      client,
      'sixteen at work',
      (devices) => devices.length === 16 && devices.every(({ state, hashrate }) => state === 'mining' && hashrate.now),
    )
    expect(new Set(all.map(({ name }) => name))).toEqual(new Set(['Simulated GPU']))
    expect(new Set(all.map(({ pci }) => pci)).size).toBe(16)
    expect(all.every(({ temperature }) => (temperature.core ?? 0) > 20)).toBe(true)

    await client.call('miner.pause', { device: 3, forSeconds: 2 })
    const paused = await seen(client, 'one paused', (devices) => devices[3]?.paused === true)
    expect(paused.filter((device) => device.paused).map(({ index }) => index)).toEqual([3])
    expect(paused[3]?.pauseEndsAt).toBeGreaterThan(0)
    await seen(client, 'it goes on by itself', (devices) => devices[3]?.state === 'mining')

    await client.call('miner.simulateFault', { device: 5, fault: 'error' })
    await client.call('miner.simulateFault', { device: 6, fault: 'out-of-memory' })
    await client.call('miner.simulateFault', { device: 7, fault: 'sensor-lost' })
    const failed = await seen(
      client,
      'the three faults',
      (devices) =>
        devices[5]?.restarts === 1 &&
        devices[5].state === 'mining' &&
        devices[6]?.pauseReasons[0] === 'Insufficient GPU memory' &&
        devices[7]?.temperature.core === null,
    )
    const others = failed.filter(({ index }) => index < 5 || index > 7)
    expect(others.every(({ state, restarts }) => state === 'mining' && restarts === 0)).toBe(true)

    await client.call('miner.simulateFault', { device: 6, fault: 'none' })
    await client.call('miner.restart', {})
    await seen(client, 'all after a restart', (devices) => devices.every(({ state }) => state === 'mining'))
    await expect(client.call('miner.addSimulated', { count: 1 })).rejects.toThrow('there are 16 simulated devices')
  })

  it('are added by one call beside the existing CPU, for users with control', async () => {
    const backend = await started([])
    const watcher = connect(backend)
    await expect(watcher.call('miner.addSimulated', { count: 2 })).rejects.toThrow()
    const client = connect(backend, { control: true })
    await seen(client, 'the CPU', (devices) => devices.length === 1 && devices[0]?.backend === 'cpu')
    await expect(client.call('miner.simulateFault', { device: 0, fault: 'hang' })).rejects.toThrow('is real')
    await client.call('miner.addSimulated', { count: 2 })

    const devices = await seen(client, 'all three', (now) => now.length === 3 && now.every((d) => d.state === 'mining'))
    expect(devices.map(({ backend: kind }) => kind)).toEqual(['cpu', 'simulated', 'simulated'])
  })

  it("are tuned over the API and by a user interface, each seeing the other's settings", async () => {
    const backend = await started([
      '--simulated-gpus',
      '2',
      '--devices',
      'gpu',
      '--api-token',
      TOKEN,
      '--api-allow-control',
    ])
    const client = connect(backend, { control: true })
    // Sensors are read independently of the work: a device can mine before its first reading.
    await seen(
      client,
      'both at work and read',
      (now) => now.length === 2 && now.every(({ state, powerLimitWatts }) => state === 'mining' && powerLimitWatts),
    )
    const url = `http://${backend.ready().api}/api/v1/tuning`
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
    const post = async (body: object, more: object = {}): Promise<readonly [number, unknown]> => {
      const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
      return [answer.status, await answer.json()]
    }

    expect(await post({ gpu: 1, power: 130, fan: 70 })).toEqual([200, { result: true }])
    const cooled = await seen(client, 'the limit', (now) => now[1]?.powerLimitWatts === 130)
    expect(cooled[0]?.powerLimitWatts).toBe(220)
    const { hasTariff } = await client.call('miner.tuning', { device: 1 })
    expect(hasTariff).toBe(false)
    // Polled: a card that doesn't answer in time is missing from one answer.
    const knobs = async () => {
      const { card } = await client.call('miner.tuning', { device: 1 })
      return card?.knobs.map(({ knob, now, isSet }) => [knob, now, isSet])
    }
    await expect.poll(knobs).toEqual([
      ['power', 130, true],
      ['coreClock', null, false],
      ['memoryClock', null, false],
      ['fan', 70, true],
    ])

    await client.call('miner.tune', { device: 1, settings: { power: 140, fan: null } })
    await expect
      .poll(async () => (await fetch(url, { headers })).json())
      .toMatchObject({
        cards: [
          { gpu: 0, set: {} },
          { gpu: 1, set: { power: 140, fan: null } },
        ],
      })
    await client.call('miner.tuneReset', { device: 1 })
    await seen(client, 'its own limit again', (now) => now[1]?.powerLimitWatts === 220)

    expect(await post({ gpu: 1, power: 1_000 })).toMatchObject([400, { error: expect.stringContaining('115') }])
    expect((await post({ gpu: 1, power: 130 }, { Authorization: 'Bearer wrong' }))[0]).toBe(401)
    await expect(client.call('miner.tune', { device: 0, settings: { fan: 5 } })).rejects.toThrow('28')
    await expect(client.call('miner.tune', { device: 9, settings: { fan: 50 } })).rejects.toThrow('9')
    await expect(connect(backend).call('miner.tune', { device: 0, settings: { fan: 50 } })).rejects.toThrow()
    expect(await client.call('miner.tuning', { device: 9 })).toMatchObject({ card: null })
  })
})
