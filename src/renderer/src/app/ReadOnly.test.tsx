// Every screen for a read-only user: presses everything that can be pressed, and nothing sends a command.
import { act, cleanup, fireEvent } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { contract } from '../../../contract/contract'
import { fill, NOW, open } from '../testing/open-app'
import type { ScriptedBackend } from '../testing/scripted'
import { aGpu, anInfo, aPeer, aSync, OTHER_ADDRESS, OWN_ADDRESS } from '../testing/scripted-values'
import '../screens/Accounts/Account'
import '../screens/Accounts/Accounts'
import '../screens/Accounts/Rules'
import '../screens/Activity/Activity'
import '../screens/Gpus/GpuDetail'
import '../screens/Gpus/Gpus'
import '../screens/Node/blocks/Address'
import '../screens/Node/blocks/Block'
import '../screens/Node/Node'
import '../screens/Pools/Pools'
import '../screens/Rigs/detail/RigDetail'
import '../screens/Rigs/Rigs'
import '../screens/Settings/Settings'

afterEach(cleanup)

const calls: Readonly<Record<string, { readonly access: string }>> = contract.calls
/** What can be pressed; links only lead elsewhere. */
const PRESSABLE = 'button, input[type=checkbox], input[type=radio], [role=menuitem], [role=switch], summary'

const SCREENS = [
  ...['/', '/gpus', '/gpus/0', '/pools', '/rigs', '/rigs/far'],
  ...['/node', '/node/peers', '/node/mempool', '/node/blocks', '/node/rpc', `/node/address/${OTHER_ADDRESS}`],
  ...['/accounts', `/accounts/${OWN_ADDRESS}`, '/accounts/rules', '/activity', '/activity/audit', '/activity/all'],
  ...[
    '/settings/general',
    '/settings/mining',
    '/settings/pools',
    '/settings/node',
    '/settings/signer',
    '/settings/api',
  ],
  ...['/settings/notifications', '/settings/accessibility', '/settings/updates', '/settings/about'],
]

const rates = { now: 1, s60: 1, m15: 1, effective: 1 }

function everything(access: { readonly control: boolean; readonly approve: boolean }) {
  return (backend: ScriptedBackend): void => {
    fill(backend, [aGpu(0), aGpu(1, { paused: true, canResume: true, pauseReasons: ['Api request'] })])
    const shares = { accepted: 0, rejected: 0, failed: 0 }
    const option = {
      key: 'miner.cpu',
      flag: 'cpu',
      fileKey: 'miner.cpu',
      kind: 'switch' as const,
      help: '',
      expected: '',
      unit: null,
      choices: null,
      range: null,
      applies: 'service' as const,
      danger: null,
      value: 'true',
      defaultValue: 'true',
      source: { kind: 'default' as const, name: '' },
      inFile: null,
      locked: '' as const,
    }
    const pool = {
      index: 0,
      url: 'stratum+tcp://u@a.example:1',
      host: 'a.example:1',
      user: 'u',
      worker: '',
      tls: false,
      verified: false,
      active: true,
      state: 'active' as const,
      lastFault: '',
      diagnosis: null,
      tries: 0,
      nextTryAt: null,
      connectedAt: null,
      difficulty: null,
      latency: null,
      shares: { accepted: 0, rejected: 0, lost: 0 },
      lastSwitch: null,
    }
    const far = {
      name: 'far',
      host: 'far.example:3333',
      local: false,
      online: true,
      error: '',
      ageSeconds: 1,
      labels: {},
      hasToken: true,
      figures: null,
      isFixed: false,
      reading: 1,
      group: '',
      usualHashrate: null,
      worker: null,
    }
    backend
      .answer('app.info', () => anInfo({ access, canSignIn: false }))
      .answer('app.options', () => ({
        file: '/f',
        sections: [
          { name: 'miner', title: 'Miner', options: [option] },
          { name: 'api', title: 'Port', options: [{ ...option, key: 'api.token', kind: 'secret' }] },
        ],
      }))
      .answer('app.viewLinks', () => ({ obstacle: '', isLocalOnly: false, links: [], watching: [] }))
      .emit('node.sync', aSync())
      .emit('node.peers', { self: null, maxPeers: 50, peers: [aPeer()], bans: [], takenAt: NOW })
      .emit('miner.pools', {
        kind: 'pools',
        pools: [pool, { ...pool, index: 1, active: false, state: 'idle' }],
        takenAt: NOW,
      })
      .emit('miner.rigs', {
        mining: true,
        isEditable: true,
        notKept: '',
        rigs: [far],
        totals: { rigs: 1, online: 1, gpus: 0, paused: 0, hashrate: rates, shares, powerWatts: 0, meteredHashrate: 0 },
        takenAt: NOW,
      })
  }
}

/** Presses everything there is, and everything that appears. */
async function pressAll(): Promise<number> {
  const pressed = new Set<Element>()
  for (let round = 0; round < 2; round++) {
    const found = [...document.querySelectorAll(PRESSABLE)].filter((element) => !pressed.has(element))
    await act(async () => {
      for (const element of found) {
        pressed.add(element)
        fireEvent.click(element)
      }
    })
  }
  return pressed.size
}

const asked = ({ calls: made }: ScriptedBackend): readonly string[] =>
  made.map(({ name }) => name).filter((name) => calls[name]?.access !== 'read')

describe('a read-only user', () => {
  it.each(SCREENS)('can press everything on %s, and controls nothing', async (path) => {
    const { backend } = await open(path, everything({ control: false, approve: false }))

    await pressAll()

    expect(asked(backend)).toEqual([])
    expect(document.querySelector('[data-testid=pause-all]')).toBeNull()
    expect(document.querySelector('[data-testid=save-bar]')).toBeNull()
  })

  it('differs from a user with control, whose presses do send commands', async () => {
    const { backend } = await open('/gpus', everything({ control: true, approve: true }))

    expect(await pressAll()).toBeGreaterThan(0)

    expect(asked(backend)).not.toEqual([])
  })
})
