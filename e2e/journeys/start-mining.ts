// The first steps end with a program that runs as chosen, and the practice key stays on the practice network.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventually } from '../harness'
import type { Journey } from './journey'

const PAID = '0x52908400098527886E0F7030069857D2E4169EE7'
/** On the test network it contacts nobody, and its listeners are as open as on the practice network. */
export const ALONE = [
  ...['--nodiscover', '--netrestrict', '127.0.0.0/8', '--port', '0', '--nat', 'none'],
  ...['--http', '--signer.http'],
] as const

const SIMULATED = '[miner]\nsimulated-gpus = 2\n'

/**
 * Before the program starts: its simulated devices, in the file that is changed before it leaves the practice network.
 */
export function writeSimulated(datadir: string): void {
  writeFileSync(join(datadir, 'config.toml'), SIMULATED)
}

/** No other network accepts them. */
function withoutSimulated(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^simulated-gpus = .*$/m, ''))
}

/**
 * Registers the switch to the test network, after which the program can't be used for tasks that need the practice
 * network.
 */
export function startMining(journey: () => Journey): void {
  describe('Start', () => {
    const click = (testId: string) => journey().page().getByTestId(testId).click()

    it('switches from practice to the chosen network, and the practice key stays behind', async () => {
      const { datadir } = journey()
      await journey().open()
      const { address } = z
        .object({ address: z.string() })
        .parse(JSON.parse(readFileSync(join(datadir, 'practice.json'), 'utf8')))
      const keyName = address.slice(2).toLowerCase()
      withoutSimulated(join(datadir, 'config.toml'))
      // Users who were here before find their choices.
      await journey().page().evaluate(`localStorage.removeItem('headframe.preferences')`)
      await journey().page().evaluate(`location.hash = '/welcome'`)
      await journey().page().reload()
      await journey().page().getByTestId('welcome-test').getByRole('radio').click()
      await journey().page().getByTestId('welcome-coinbase').fill(PAID)

      const page = await journey().overRestart(() => click('welcome-start'))
      if (page === 'continued') {
        const running = 'Headframe is running with these settings'
        await journey().page().getByTestId('welcome-done').filter({ hasText: running }).waitFor()
        await click('welcome-leave')
      }
      await journey().page().getByTestId('network-badge').filter({ hasText: 'Test network' }).waitFor()
      const files = (folder: string) => readdirSync(join(datadir, folder)).map((name) => name.toLowerCase())
      await eventually('the key to be away', async () =>
        files('practice/keystore').some((name) => name.endsWith(keyName)) ? true : null,
      )
      expect(files('keystore').filter((name) => name.endsWith(keyName))).toEqual([])
      expect(await journey().page().getByTestId('restart-bar').count()).toBe(0)
      expect(await journey().page().getByTestId('health-chip-health.no-reward-account').count()).toBe(0)
    })
  })
}
