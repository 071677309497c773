// A link's screens: those with data are shown, the others say immediately that they are hidden.
import { describe, expect, it } from 'vitest'
import { parseRoute } from '../navigation/routes'
import { isWithheld } from './App'

const withheld = (path: string, hides: boolean) => isWithheld(parseRoute(`#${path}`), { hides })

describe('a visitor on a link', () => {
  it.each(['/', '/gpus', '/gpus/0', '/pools', '/rigs', '/node', '/node/blocks', '/settings/about'])(
    'sees %s',
    (path) => {
      expect([withheld(path, false), withheld(path, true)]).toEqual([false, false])
    },
  )

  it.each(['/activity', '/activity/audit', '/accounts/rules', '/accounts/approvals', '/settings/api', '/node/rpc'])(
    'never sees %s',
    (path) => {
      expect([withheld(path, false), withheld(path, true)]).toEqual([true, true])
    },
  )

  it.each(['/accounts', '/node/peers', '/node/mempool', `/node/address/0x${'1'.repeat(40)}`])(
    "sees %s on a link that doesn't hide",
    (path) => {
      expect([withheld(path, false), withheld(path, true)]).toEqual([false, true])
    },
  )
})
