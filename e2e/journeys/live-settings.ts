// Settings act while the program runs, and what was saved can be undone: the same process goes on under the same page.
import { describe, expect, it } from 'vitest'
import { eventually, rpc, rpcResult } from '../harness'
import type { Journey } from './journey'

const PAID = '0x52908400098527886E0F7030069857D2E4169EE7'

/** Registers what is changed and undone; the program has a simulated device that mines. */
export function liveSettings(journey: () => Journey): void {
  describe('settings', () => {
    const page = () => journey().page()
    const ready = () => journey().ready()
    const go = async (path: string): Promise<void> => {
      await page().evaluate(`location.hash = ${JSON.stringify(path)}`)
    }
    const save = async (key: string, value: string): Promise<void> => {
      await page().getByTestId(`option-${key}`).getByRole('textbox').fill(value)
      await page().getByTestId('options-save').click()
      await page().getByTestId('options-saved').waitFor()
    }
    const threads = async (count: number): Promise<void> => {
      await page()
        .getByTestId('gpu-row-0')
        .filter({ hasText: `${count} thread` })
        .waitFor()
    }

    it('mines on another number of threads, and on the former one after undo', async () => {
      await journey().open()
      await page().evaluate('globalThis.isSamePage = true')
      await go('/settings/mining')
      await save('miner.cpuThreads', '2')
      expect(await page().getByTestId('options-apply').count()).toBe(0)
      await go('/gpus')
      await threads(2)

      await go('/settings/mining')
      await save('miner.cpuThreads', '3')
      await page().getByTestId('options-undo').click()
      await page().getByTestId('options-undo').waitFor({ state: 'detached' })
      await go('/gpus')
      await threads(2)
    })

    it('leaves a device out and takes it in again', async () => {
      const row = (state: string) => page().locator(`[data-testid=gpu-state-1][data-state=${state}]`)
      await go('/settings/mining')
      await save('miner.devices', 'cpu')
      await go('/gpus')
      await row('paused').waitFor()

      await go('/settings/mining')
      await save('miner.devices', 'all')
      await go('/gpus')
      await row('mining').waitFor()
    })

    it('pays another account from the next block on', async () => {
      await go('/settings/node')
      await save('node.coinbase', PAID)

      await eventually('a block for it', async () => {
        const block = (await rpcResult(ready().http, 'eth_getBlockByNumber', ['latest', false])) as {
          readonly miner: string
        }
        return block.miner.toLowerCase() === PAID.toLowerCase() ? true : null
      })
    })

    it('serves other namespaces, and keeps its doors where another one cannot be opened', async () => {
      const served = () => rpc(ready().http, 'net_version', [])
      expect((await served()).error).toBeUndefined()
      await go('/settings/node')
      await save('rpc.httpApi', 'eth')
      expect((await served()).error).toMatchObject({ code: -32601 })
      await page().getByTestId('options-undo').click()
      await page().getByTestId('options-undo').waitFor({ state: 'detached' })
      expect((await served()).error).toBeUndefined()

      const taken = new URL(`http://${ready().api}`).port
      await page().getByTestId('settings-search').fill('ws.port')
      await save('rpc.wsPort', taken)
      await page().getByTestId('settings-search').fill('--ws')
      await page().getByTestId('option-rpc.ws').getByRole('checkbox').click()
      await page().getByTestId('options-save').click()
      await page().getByTestId('option-rpc.ws').getByRole('alert').filter({ hasText: taken }).waitFor()

      expect((await served()).error).toBeUndefined()
      expect(await page().evaluate('globalThis.isSamePage')).toBe(true)
    })
  })
}
