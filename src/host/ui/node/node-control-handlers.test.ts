// Who may do what with the node as a whole: files only from this computer, and their names only shown there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import type { NodeControlView } from '../../../contract/node-control'
import type { NodeService } from '../../../node/node-service'
import type { UiAccess } from '../ui-handlers'
import { nodeControl } from './node-control-handlers'

const folder = mkdtempSync(join(tmpdir(), 'headframe-node-control-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const never = new AbortController().signal

const WINDOW: UiAccess = { control: true, approve: false, canSignIn: false, isHere: true }
const BROWSER_HERE: UiAccess = { control: true, approve: true, canSignIn: false }
const BROWSER_ELSEWHERE: UiAccess = { control: true, approve: false, canSignIn: false }
const READER: UiAccess = { control: false, approve: false, canSignIn: true }

const node = {
  head: () => ({ number: 4 }),
  goBackTo: async (number: number) => (number < 2 ? 'blocks can be taken back down to block 2' : null),
  blockRange: async (first: number, last: number) => ({ bytes: new Uint8Array(10), count: last - first + 1 }),
} as unknown as NodeService

function setUp(given: NodeService | null = node) {
  const control = nodeControl({ node: given, supervised: null, clock: new FakeClock() })
  const view = async (access: UiAccess): Promise<NodeControlView> => {
    const seen: unknown[] = []
    const server = { emit: (_name: string, value: unknown) => seen.push(value), close: () => undefined }
    await control.topics[0]?.send(server as never, access)
    return seen[0] as NodeControlView
  }
  return { control, view }
}

describe('the control of the node', () => {
  it.each([
    ['the window', WINDOW, true],
    ['a browser at this computer', BROWSER_HERE, true],
    ['a browser elsewhere', BROWSER_ELSEWHERE, false],
    ['who may only read', READER, false],
  ])('lets %s name files: %s', async (_who, access, isAllowed) => {
    const { control, view } = setUp()
    expect((await view(access)).canNameFiles).toBe(isAllowed)

    const asked = Promise.resolve().then(() =>
      control
        .calls(access)
        ['node.exportBlocks']({ file: join(folder, `${Math.random()}.rlp`), first: 0, last: 1 }, never),
    )

    if (isAllowed) await expect(asked).resolves.toBeUndefined()
    else await expect(asked).rejects.toMatchObject({ code: 'HOST_NOT_HERE' })
  })

  it("rolls the chain back from this computer only, and reports why it can't", async () => {
    const { control } = setUp()
    const goBack = async (access: UiAccess, number: number) => control.calls(access)['node.goBack']({ number }, never)

    expect(await goBack(WINDOW, 3)).toBeUndefined()
    await expect(goBack(WINDOW, 1)).rejects.toMatchObject({
      code: 'HOST_NOT_TAKEN_BACK',
      message: 'the chain was not rewound to block 1: blocks can be taken back down to block 2',
    })
    for (const access of [BROWSER_ELSEWHERE, READER])
      await expect(goBack(access, 3)).rejects.toMatchObject({ code: 'HOST_NOT_HERE' })
  })

  it('reports a job to others without its path', async () => {
    const { control, view } = setUp()
    const file = join(folder, 'secret.rlp')
    await control.calls(WINDOW)['node.exportBlocks']({ file, first: 0, last: 1 }, never)

    expect((await view(WINDOW)).job).toMatchObject({ file, kind: 'export' })
    expect((await view(BROWSER_ELSEWHERE)).job).toMatchObject({ file: '', kind: 'export' })
  })

  it('has nothing to start or write without a node', async () => {
    const { control, view } = setUp(null)
    const calls = control.calls(WINDOW)

    expect(await view(WINDOW)).toMatchObject({ canNameFiles: false, isSwitchedOff: false })
    await expect(calls['node.start']({}, never)).rejects.toMatchObject({ code: 'HOST_SERVICE_OFF' })
    await expect(calls['node.importBlocks']({ file: join(folder, 'x.rlp') }, never)).rejects.toMatchObject({
      code: 'HOST_SERVICE_OFF',
    })
  })
})
