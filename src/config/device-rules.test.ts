import { describe, expect, it } from 'vitest'
import { messageOf } from '../base/errors'
import { temperatureLimits } from './device-rules'
import { resolveConfig } from './resolve'
import type { ResolvedConfig } from './resolved-config'

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
  it('leave devices alone when nothing is said', () => {
    const { miner } = resolve(['run'])

    expect(miner).toMatchObject({ devices: [], simulatedGpus: 0, hwmon: '2', dagLoadMode: '0', noEval: false })
    expect(temperatureLimits(miner)).toBeNull()
  })

  it('take the spellings that users bring along', () => {
    const { miner } = resolve(['run', '-L', '1', '--HWMON', '1', '--noeval', '--devices=all,-1', '--devices', 'cpu'])

    expect(miner).toMatchObject({ devices: ['all', '-1', 'cpu'], hwmon: '1', dagLoadMode: '1', noEval: true })
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
    [['--tstart', '60'], '--tstart means nothing without --tstop'],
    [['--simulated-gpus', '17'], 'in 0..16'],
    [['--devices', 'first'], 'comma list'],
    [['--hwmon', '3'], '3'],
  ])('refuse %j', (words, reason) => {
    expect(failure(['run', ...words])).toContain(reason)
  })

  it.each(['main', 'test'])('allow no simulated device on the %s network', (network) => {
    const words = ['miner', '-P', 'http://n:1', '--network', network, '--simulated-gpus', '1']
    expect(failure(words)).toContain(`--simulated-gpus and --network ${network} exclude each other`)
  })
})
