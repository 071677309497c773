// A program whose frames have another shape than the contract says: a newer one, a broken one, or not the program at
// all. No screen may vanish, and nothing of such a frame may be shown. Registered once for each shell.
import { expect, it } from 'vitest'
import { eventually } from './harness'
import { type StatesShell, WAITING } from './screen-states'

/** Fits no event: each has the time it was taken. */
const NO_EVENT = { takenAt: 'lately', devices: 'four', state: 7, entries: { length: 2 } }
const EVENTS = [
  ...['app.status', 'app.activity', 'miner.devices', 'miner.status', 'miner.pools', 'miner.rigs'],
  ...['node.head', 'signer.requests', 'signer.accounts'],
]
/** Calls that the screens make, and an invalid answer to each. */
const ANSWERS = [
  ['app.logs', { lines: 'none', next: 'soon' }],
  ['app.options', { options: 3 }],
  ['miner.history', { values: 'rising', firstAt: null }],
  ['miner.timeline', { spans: 1, marks: 2 }],
  ['node.blocks', { blocks: 'all' }],
  ['node.block', { header: 'here', block: 'here' }],
  ['node.poolPage', { rows: {} }],
  ['node.listeners', { listeners: 0 }],
  ['signer.audit', { rows: 'none', records: 'none' }],
] as const

export function lyingProgram(shell: () => StatesShell): void {
  it('keeps its frame and every screen when it receives frames of another shape', async () => {
    const { page, leave } = await shell().open(async (channel) => {
      for (const name of EVENTS) await channel.change(name, NO_EVENT)
      for (const [name, answer] of ANSWERS) await channel.change(name, answer)
    })

    for (const [path] of [['/'], ...WAITING, ['/welcome']] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      await page.getByTestId('nav-overview').waitFor()
      const main = page.locator('main')
      await eventually(`something on ${path}`, async () => {
        const hasWords = (await main.innerText()).trim() !== ''
        return hasWords || (await main.getByRole('status').count()) > 0 ? true : null
      })
      for (const broken of ['broken-screen', 'broken-panel', 'broken-line'])
        expect(await page.getByTestId(broken).count(), `${broken} on ${path}`).toBe(0)
      const text = await main.innerText()
      expect(text, path).not.toMatch(/NaN|undefined|\[object|Invalid Date|lately|rising/)
    }
    // The readings really had another shape: none of them is shown.
    await page.evaluate(`location.hash = '/gpus'`)
    await page.locator('main').getByRole('status').first().waitFor()
    expect(await page.getByTestId('gpu-row-0').count()).toBe(0)
    await leave()
  })
}
