import { describe, expect, it } from 'vitest'
import { silentLogger } from '../base/logger'
import { Deciders } from './deciders'
import type { Caller } from './model/request'

const caller: Caller = { transport: 'http', remote: '127.0.0.1:1', local: '', userAgent: 'tool', origin: '' }
const request = { content: { kind: 'listing', caller } } as never

describe('a request of a caller that is shut out', () => {
  const bench = (admits: (caller: Caller) => boolean) => {
    const queued: unknown[] = []
    const queue = {
      submit: (each: unknown) => {
        queued.push(each)
        return { id: 'a', result: Promise.resolve(['0x1']) }
      },
    }
    const vault = () => ({ passwords: null, rules: null })
    const deps = { queue: queue as never, lines: () => null, vault, admits, log: silentLogger }
    return { deciders: new Deciders(deps), queued }
  }

  it('is denied at once and comes before nobody', async () => {
    const { deciders, queued } = bench((asking) => asking.userAgent !== 'tool')

    await expect(deciders.submit(request)).rejects.toMatchObject({ code: 'SIGNER_REQUEST_DENIED' })
    expect(queued).toEqual([])
  })

  it('is put before whoever decides when the caller is heard', async () => {
    const { deciders, queued } = bench(() => true)

    expect(await deciders.submit(request)).toEqual(['0x1'])
    expect(queued).toHaveLength(1)
  })
})
