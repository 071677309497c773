import { describe, expect, it } from 'vitest'
import { messageOf } from '../../base/errors'
import { resolveConfig } from '../resolve'
import type { ResolvedConfig } from '../resolved-config'
import { temperatureLimits } from './device-rules'

function resolve(argv: readonly string[]): ResolvedConfig {
  const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/w' }
  return resolveConfig({ argv, surroundings, readFile: () => ({ missing: true }), windowless: true })
}

function failure(argv: readonly string[]): string {
  try {
    resolve(argv)
  } catch (error) {
    return messageOf(error)
  }
  return 'no failure'
}

describe('options of devices', () => {
  it('leave devices alone by default', () => {
    const { miner } = resolve(['run'])

    expect(miner).toMatchObject({ devices: [], simulatedGpus: 0, hwmon: '2', dagLoadMode: '0', noEval: false })
    expect(temperatureLimits(miner)).toBeNull()
  })

  it('take the spellings that users know', () => {
    const { miner } = resolve(['run', '-L', '1', '--HWMON', '1', '--noeval', '--devices=all,-1', '--devices', 'cpu'])

    expect(miner).toMatchObject({ devices: ['all', '-1', 'cpu'], hwmon: '1', dagLoadMode: '1', noEval: true })
  })

  it('say when devices mine and how they switch epochs', () => {
    const { miner } = resolve([
      'run',
      '--dag-double',
      '--schedule',
      'mon-fri@22:00-06:00',
      '--schedule',
      'sun@00:00-24:00',
    ])

    expect(miner.dagDouble).toBe(true)
    expect(miner.schedule).toEqual([
      { days: [1, 2, 3, 4, 5], from: 1_320, to: 360 },
      { days: [0], from: 0, to: 1_440 },
    ])
    expect(resolve(['run']).miner).toMatchObject({ dagDouble: false, schedule: [], simulation: null })
  })

  it('let a miner run without a pool if it mines for its own account', () => {
    expect(resolve(['miner', '-Z', '720']).miner.simulation).toBe(720)
    expect(resolve(['miner', '-M', '720']).miner.simulation).toBe(720)
    expect(resolve(['miner', '--benchmark', '0']).miner.simulation).toBe(0)
    expect(failure(['miner', '--simulation', '1', '-P', 'http://n:1'])).toContain(
      '--simulation and -P exclude each other',
    )
  })

  it('turn a call that lists devices into the list command, without a pool', () => {
    const { command, trades } = resolve(['miner', '--list-devices', '--cpu-threads', '2'])

    expect({ command, trades }).toEqual({ command: 'devices', trades: { node: true, miner: true, signer: false } })
    expect(failure(['node', '--list-devices'])).toContain('--list-devices')
  })

  it.each([
    [['--tstop', '80'], { stop: 80, start: 70 }],
    [['--tstop', '80', '--tstart', '60'], { stop: 80, start: 60 }],
    [['--tstop', '30'], { stop: 30, start: 20 }],
  ])('make %j the limits', (words, limits) => {
    expect(temperatureLimits(resolve(['run', ...words]).miner)).toEqual(limits)
  })

  it.each([
    [['--tstop', '29'], 'in 30..100'],
    [['--tstop', '101'], '101'],
    [['--tstop', '60', '--tstart', '60'], '--tstart 60 must be under --tstop 60'],
    [['--tstart', '60'], '--tstart has no effect without --tstop'],
    [['--simulated-gpus', '17'], 'in 0..16'],
    [['--devices', 'first'], 'comma list'],
    [['--hwmon', '3'], '3'],
    [['--schedule', '22-06'], 'a comma list of hours'],
    [['--simulation', '-1'], 'in 0..'],
  ])('reject %j', (words, reason) => {
    expect(failure(['run', ...words])).toContain(reason)
  })

  it.each(['main', 'test'])('allow no simulated device on the %s network', (network) => {
    const words = ['miner', '-P', 'http://n:1', '--network', network, '--simulated-gpus', '1']
    expect(failure(words)).toContain(`--simulated-gpus and --network ${network} exclude each other`)
  })
})
