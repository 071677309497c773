// Settings take effect while the program runs, and saved changes can be undone: the same process keeps running under
// the same page.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { eventually, rpc, rpcResult } from '../harness'
import type { Journey } from './journey'

const PAID = '0x52908400098527886E0F7030069857D2E4169EE7'

/** Registers what is changed and undone; the program has a simulated device that mines. */
export function liveSettings(journey: () => Journey): void {
  describe('settings', () => {
    const hand = new Hand(journey)
    mining(journey, hand)
    doors(journey, hand)
  })
}

class Hand {
  constructor(private readonly journey: () => Journey) {}

  get page(): Page {
    return this.journey().page()
  }

  async go(path: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(path)}`)
  }

  async save(key: string, value: string): Promise<void> {
    await this.page.getByTestId(`option-${key}`).getByRole('textbox').fill(value)
    await this.page.getByTestId('options-save').click()
    await this.page.getByTestId('options-saved').waitFor()
  }

  /** Until the CPU mines with that many threads. */
  async threads(count: number): Promise<void> {
    await this.page.getByTestId('gpu-row-0').getByText(`${count} thread`).waitFor()
  }
}

function mining(journey: () => Journey, hand: Hand): void {
  it('mine on another number of threads, and on the previous one after undo', async () => {
    await journey().open()
    await hand.page.evaluate('globalThis.isSamePage = true')
    await hand.go('/settings/mining')
    await hand.save('miner.cpuThreads', '2')
    expect(await hand.page.getByTestId('options-apply').count()).toBe(0)
    await hand.go('/gpus')
    await hand.threads(2)

    await hand.go('/settings/mining')
    await hand.save('miner.cpuThreads', '3')
    await hand.page.getByTestId('options-undo').click()
    await hand.page.getByTestId('options-undo').waitFor({ state: 'detached' })
    await hand.go('/gpus')
    await hand.threads(2)
  })

  it('exclude a device and include it again', async () => {
    const row = (state: string) => hand.page.locator(`[data-testid=gpu-state-1][data-state=${state}]`)
    await hand.go('/settings/mining')
    await hand.save('miner.devices', 'cpu')
    await hand.go('/gpus')
    await row('paused').waitFor()

    await hand.go('/settings/mining')
    await hand.save('miner.devices', 'all')
    await hand.go('/gpus')
    await row('mining').waitFor()
  })
}

function doors(journey: () => Journey, hand: Hand): void {
  it('pay another account from the next block on', async () => {
    await hand.go('/settings/node')
    await hand.save('node.coinbase', PAID)

    await eventually('a block for it', async () => {
      const block = (await rpcResult(journey().ready().http, 'eth_getBlockByNumber', ['latest', false])) as {
        readonly miner: string
      }
      return block.miner.toLowerCase() === PAID.toLowerCase() ? true : null
    })
  })

  it("serve other namespaces, and keep the old listeners if a new one can't be opened", async () => {
    const served = () => rpc(journey().ready().http, 'net_version', [])
    expect((await served()).error).toBeUndefined()
    await hand.go('/settings/node')
    await hand.save('rpc.httpApi', 'eth')
    expect((await served()).error).toMatchObject({ code: -32601 })
    await hand.page.getByTestId('options-undo').click()
    await hand.page.getByTestId('options-undo').waitFor({ state: 'detached' })
    expect((await served()).error).toBeUndefined()

    const taken = new URL(`http://${journey().ready().api}`).port
    await hand.page.getByTestId('settings-search').fill('ws.port')
    await hand.save('rpc.wsPort', taken)
    await hand.page.getByTestId('settings-search').fill('--ws')
    await hand.page.getByTestId('option-rpc.ws').getByRole('checkbox').click()
    await hand.page.getByTestId('options-save').click()
    await hand.page.getByTestId('option-rpc.ws').getByRole('alert').filter({ hasText: taken }).waitFor()

    expect((await served()).error).toBeUndefined()
    expect(await hand.page.evaluate('globalThis.isSamePage')).toBe(true)
  })
}
