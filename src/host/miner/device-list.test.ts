import { describe, expect, it } from 'vitest'
import { systemClock } from '../../base/time'
import { resolveConfig } from '../../config/resolve'
import { LogService } from '../log/log-service'
import { TextMetrics } from '../system/metrics-text'
import { type DeviceListing, listDevices } from './device-list'

const said: string[] = []

async function list(...argv: readonly string[]): Promise<DeviceListing> {
  const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/w' }
  const config = resolveConfig({ argv, surroundings, readFile: () => ({ missing: true }), windowless: true })
  const clock = systemClock()
  const standardError = (line: string): void => void said.push(line)
  const deps = {
    config,
    clock,
    platform: {
      workerDir: '/nowhere',
      projectRoot: import.meta.dirname,
      rendererDir: '/nowhere',
      isElectron: false,
      headless: true,
      version: '1.2.3',
      standardOutput: () => undefined,
      standardError,
    },
    logs: new LogService({ minLevel: 'warn', json: true, dir: '/nowhere' }, { clock, standardError }),
    metrics: new TextMetrics(),
    onChainLost: () => undefined,
    onExitAsked: () => undefined,
  }
  return listDevices(deps, new AbortController().signal)
}

const practice = ['devices', '--datadir', '/d', '--practice', '--simulated-gpus', '2'] as const
const chosen = ({ devices }: DeviceListing): readonly string[] =>
  devices.filter(({ selected }) => selected).map(({ select }) => select)

describe.skipIf(process.platform === 'win32')('the list of devices', () => {
  it('reports what each is, its memory, the word that names it, and what fits', async () => {
    const { epoch, devices } = await list(...practice, '--cpu-threads', '3')
    const own = devices.filter(({ backend }) => backend === 'cpu' || backend === 'simulated')

    expect(epoch).toBe(0) // the start of a practice chain is unknown
    expect(own.map(({ backend, select, threads }) => [backend, select, threads])).toEqual([
      ['cpu', 'cpu', 3],
      ['simulated', 'f000:01:00.0', null],
      ['simulated', 'f000:02:00.0', null],
    ])
    for (const { memoryBytes, fits, driver } of own) {
      expect(memoryBytes).toBeGreaterThan(2 ** 28)
      expect(fits).toMatchObject({ epoch: true, nextEpoch: true })
      expect(driver).not.toBe('')
    }
  })

  it("knows the main network's epoch from the calendar", async () => {
    // Five days each since 28 October 2025.
    const since = Date.now() / 1_000 - 0x690112b0

    const { epoch } = await list('devices', '--datadir', '/d', '--mainnet')

    expect(Math.abs(epoch - since / (600 * 720))).toBeLessThanOrEqual(1)
  })

  it.each([
    [['--devices=cpu'], ['cpu']],
    [['--devices=all,-cpu,-f000:02:00.0'], ['f000:01:00.0']],
    [['--devices=f000:02:00.0,cpu'], ['cpu', 'f000:02:00.0']],
    [
      ['--devices=all', '--devices=-cpu'],
      ['f000:01:00.0', 'f000:02:00.0'],
    ],
  ] as const)('shows what %s can mine', async (words, expected) => {
    const listing = await list(...practice, ...words)
    const names = ['cpu', 'f000:01:00.0', 'f000:02:00.0']

    expect(chosen(listing).filter((name) => names.includes(name))).toEqual(expected)
  })

  it('says which word names nothing, and still lists all', async () => {
    said.length = 0

    const { devices } = await list(...practice, '--devices=cpu,0a:00.0')

    expect(devices.length).toBeGreaterThanOrEqual(3)
    expect(said.join('\n')).toContain('0a:00.0')
  })

  it("needs no pool to list a miner's devices, and opens none of them", async () => {
    const { devices } = await list('miner', '--list-devices', '--datadir', '/d', '-P', 'stratum+tcp://u@127.0.0.1:1')

    expect(devices.some(({ backend }) => backend === 'cpu')).toBe(true)
  })
})
