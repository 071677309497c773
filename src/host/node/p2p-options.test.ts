import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../config/resolve'
import { p2pSettings } from './create-node'

function settings(...argv: readonly string[]) {
  const warnings: string[] = []
  const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/w' }
  const readFile = () => ({ missing: true }) as const
  const config = resolveConfig({ argv, surroundings, readFile, windowless: true })
  return { settings: p2pSettings(config, (message) => void warnings.push(message)), warnings }
}

describe.skipIf(process.platform === 'win32')('the network layer', () => {
  it('listens on main, without a notice', () => {
    const { settings: found, warnings } = settings('node', '--mainnet', '--port', '7')

    expect(found).toMatchObject({ listen: { port: 7 }, maxPeers: 50 })
    expect(warnings).toEqual([])
  })

  it('is off with --fakepow, with a notice', () => {
    const { settings: found, warnings } = settings('node', '--practice', '--fakepow', '--maxpeers', '5')

    expect(found).toBeNull()
    expect(warnings).toEqual(['no peers: a node that accepts any proof of work (--fakepow) must not listen to others'])
  })

  it('is off without peers, and for commands that only work on the chain', () => {
    expect(settings('node', '--maxpeers', '0')).toEqual({ settings: null, warnings: [] })
    expect(settings('import', 'blocks.rlp', '--practice', '--fakepow')).toEqual({ settings: null, warnings: [] })
  })
})
