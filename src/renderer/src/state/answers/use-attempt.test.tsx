// Actions of the dashboard whose request fails or is never answered: each says so where it was pressed.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import type { BlockJobView, DatabaseJobView } from '../../../../contract/node-control'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { anIncident, someRules } from '../../testing/scripted-money'
import { aPool, withPools } from '../../testing/scripted-pools'
import { aRig, someRigs } from '../../testing/scripted-rigs'
import { aGpu, anInfo } from '../../testing/scripted-values'
import { UNANSWERED_MS } from './use-answer'

afterEach(cleanup)

const press = async (testId: string) => {
  const button = await screen.findByTestId(testId)
  await act(async () => void fireEvent.click(button))
}
const type = async (testId: string, value: string) => {
  const field = await screen.findByTestId(testId)
  await act(async () => void fireEvent.change(field, { target: { value } }))
}
const pageText = (): string => document.body.textContent ?? ''

const database: DatabaseJobView = {
  state: 'running',
  stage: 'blocks',
  share: 0.25,
  startedAt: NOW,
  blocks: 10,
  faults: 0,
  damage: [],
  error: '',
}
const job: BlockJobView = {
  kind: 'export',
  file: '/b',
  state: 'running',
  share: 0.1,
  blocks: 1,
  startedAt: NOW,
  error: '',
}
const atTheNode =
  (running: { readonly database?: DatabaseJobView; readonly job?: BlockJobView }) =>
  (backend: ScriptedBackend): void => {
    fill(backend)
    backend.emit('node.control', {
      canNameFiles: true,
      isSwitchedOff: false,
      job: null,
      database: null,
      takenAt: NOW,
      ...running,
    })
  }
const withIncident = (backend: ScriptedBackend): void => {
  const values = { host: 'pool.example:1', trouble: 'share-unauthorized', answer: '' }
  const open = [anIncident({ cause: 'pool-trouble', kind: 'work', pool: 'pool.example:1', values })]
  withPools(aPool(0, { active: true }), aPool(1, { state: 'idle' }))(backend)
  backend.emit('miner.incidents', { open, recent: [], takenAt: NOW })
}
const withRigs = (backend: ScriptedBackend): void => {
  fill(backend)
  backend.emit('miner.rigs', someRigs([aRig('a')]))
}
const openIncidents = () => act(async () => void fireEvent.keyDown(document.body, { key: 'i' }))

/** The page, the call, what its backend sends, and the presses that send the call. */
const actions = {
  'canceling a check': ['/node', 'node.cancelCheck', atTheNode({ database }), () => press('database-cancel')],
  'canceling an export': ['/node/blocks', 'node.cancelBlocks', atTheNode({ job }), () => press('job-cancel')],
  'acknowledging an incident': [
    '/',
    'miner.incidentAcknowledge',
    withIncident,
    async () => {
      await openIncidents()
      await press('acknowledge-pool-trouble')
    },
  ],
  'switching to the pool of an incident': [
    '/gpus',
    'miner.poolActivate',
    withIncident,
    async () => {
      await openIncidents()
      await press('incident-switch')
    },
  ],
  'ending the welcome': [
    '/welcome',
    'app.setOption',
    (backend: ScriptedBackend) => {
      fill(backend)
      backend.answer('app.info', () => anInfo({ welcome: true }))
    },
    () => press('welcome-dismiss'),
  ],
  'changing a rule': ['/rigs', 'miner.incidentRulesSave', withRigs, () => type('alarm-rule-poolLostSeconds', '77')],
  'changing a level': [
    '/gpus/0/tuning',
    'miner.incidentRulesSave',
    (backend: ScriptedBackend) => fill(backend, [aGpu(0)]),
    () => type('level-fan-0', '77'),
  ],
  'resetting levels': [
    '/gpus/0/tuning',
    'miner.incidentRulesSave',
    (backend: ScriptedBackend) => fill(backend, [aGpu(0)]),
    () => press('gpu-levels-reset-0'),
  ],
} as const

describe.each(Object.entries(actions))('%s', (_name, [path, call, prepare, begin]) => {
  it('says why its request failed', async () => {
    await open(path, (backend) => {
      prepare(backend)
      backend.answer(call as 'app.restart', () => {
        throw new Error('no such luck')
      })
    })

    await begin()

    expect(pageText()).toContain('no such luck')
  })

  it('says that no answer came', async () => {
    const { pass } = await open(path, (backend) => {
      prepare(backend)
      backend.answer(call as 'app.restart', () => new Promise(() => undefined))
    })
    await begin()
    expect(pageText()).not.toContain('No answer')

    await pass(UNANSWERED_MS)

    expect(pageText()).toContain('No answer')
  })
})

describe('a rule that was not saved', () => {
  it('says what stays in force, also after another one was saved', async () => {
    const sent: number[] = []
    const { backend } = await open('/rigs', (scripted) => {
      withRigs(scripted)
      scripted.answer('miner.incidentRulesSave', ({ poolLostSeconds, rigOfflineSeconds }) => {
        sent.push(poolLostSeconds, rigOfflineSeconds)
        if (poolLostSeconds === 77) throw new Error('the disk is full')
        return {}
      })
    })
    const { poolLostSeconds } = someRules()

    await type('alarm-rule-poolLostSeconds', '77')
    await type('alarm-rule-rigOfflineSeconds', '88')

    const kept = `Not saved, ${poolLostSeconds} stays in force. the disk is full`
    expect(pageText()).toContain(kept)
    expect(sent.slice(-2)).toEqual([poolLostSeconds, 88])
    backend.answer('miner.incidentRulesSave', () => ({}))
    await type('alarm-rule-poolLostSeconds', '78')
    expect(pageText()).not.toContain('stays in force')
  })
})

describe('what is asked for and fails is said where it would stand', () => {
  const broken = () => {
    throw new Error('no such luck')
  }
  it.each([
    ['the alarm rules', '/rigs', 'miner.incidentRules', 'Alarm rules'],
    ['the levels of a device', '/gpus/0/tuning', 'miner.incidentRules', 'Alarm levels'],
    ['the tuning of a device', '/gpus/0/tuning', 'miner.tuning', 'Tuning'],
    ['what is known of a device', '/gpus/0/about', 'miner.inventory', 'Device'],
    ['the solutions of a device', '/gpus/0', 'miner.solutions', 'Shares'],
    ['what happened to a device', '/gpus/0', 'miner.timeline', ''],
    ['which devices are left out', '/gpus', 'miner.inventory', ''],
  ] as const)('%s', async (_name, path, call, title) => {
    await open(path, (backend) => {
      fill(backend, [aGpu(0)])
      backend.emit('miner.rigs', someRigs([aRig('a')])).answer(call as 'app.restart', broken)
    })
    await waitFor(() => expect(pageText()).toContain('no such luck'))
    const part = screen.getAllByText('no such luck')[0]?.closest('section, li, div[class*=chart]')
    expect(pageText()).toContain(title)
    expect(part?.textContent ?? pageText()).toContain('Can’t read this part')
  })

  it('and not for those who may not read it', async () => {
    await open('/rigs', (backend) => {
      withRigs(backend)
      backend.answer('miner.incidentRules', () => {
        throw new WireError('CONTRACT_DENIED', { name: 'miner.incidentRules', access: 'read', reason: 'a view link' })
      })
    })
    expect(screen.queryByTestId('alarm-rules')).toBeNull()
    expect(pageText()).not.toContain('Can’t read this part')
  })
})

describe('the source of the window', () => {
  // What nobody pressed, or what a call after it says again.
  const unpressed = [
    "data/ipc.ts: link.call('app.info', {}).catch(() => undefined)",
    "data/websocket.ts: this.#link.call('app.info', {}).catch(() => undefined)",
    "screens/Gpus/GpuDetail.tsx: backend.call('miner.solutions', { device: index }).catch(() => ({ failed: null }))",
    "screens/Node/blocks/Transaction.tsx: backend.call('node.cancelTrace', {}).catch(() => undefined)",
    "state/in-sight.ts: backend.call('ui.sight', { inSight }).catch(() => undefined)",
  ]

  it('swallows the failure of no call that someone pressed for', () => {
    const root = join(__dirname, '../..')
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !file.includes('.test.') && !file.startsWith('testing'),
    )
    const found = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8').replace(/\s*\n\s*/g, '')
      return [...text.matchAll(/[\w#.]*\.call\([^()]*\)\.catch\(\(\) => (?:undefined|\(\{.*?\}\))\)/g)].map(
        ([call]) => `${file}: ${call}`,
      )
    })

    expect(found.sort()).toEqual(unpressed)
  })
})
