import { describe, expect, it } from 'vitest'
import { createLogger, type LogRecord, silentLogger } from '../base/logger'
import type { Caller } from './model/request'
import { RequestRouter } from './request-router'

const caller: Caller = { transport: 'http', remote: '127.0.0.1:1', local: '', userAgent: 'tool', origin: '' }
const request = { content: { kind: 'listing', caller } } as never

describe('a request that a person decides', () => {
  const shown = (transport: Caller['transport']) =>
    ({ request: { id: 'a', kind: 'listing', caller: { ...caller, transport } }, question: {} }) as never

  async function said(transport: Caller['transport'], lines: object | null): Promise<readonly string[]> {
    const texts: string[] = []
    const sink = { write: ({ level, message }: LogRecord) => void texts.push(`${level} ${message}`) }
    const log = createLogger('', { minLevel: 'info', now: () => 0, sink })
    const vault = () => ({ passwords: null, rules: null })
    await new RequestRouter({ queue: {} as never, lines: () => lines as never, vault, log }).decide(shown(transport))
    return texts
  }

  it('is logged if nobody may be watching', async () => {
    expect(await said('http', null)).toEqual(['warn request waits for approval'])
    expect(await said('ipc', null)).toEqual(['warn request waits for approval'])
  })

  it("isn't logged if its user just requested it in the window, or a program is asked", async () => {
    expect(await said('app', null)).toEqual([])
    expect(await said('http', { decide: async () => undefined })).toEqual([])
  })
})

describe('a request of a blocked caller', () => {
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
    return { router: new RequestRouter(deps), queued }
  }

  it('is denied immediately and shown to nobody', async () => {
    const { router, queued } = bench((asking) => asking.userAgent !== 'tool')

    await expect(router.submit(request)).rejects.toMatchObject({ code: 'SIGNER_REQUEST_DENIED' })
    expect(queued).toEqual([])
  })

  it('is shown to the user when the caller is allowed again', async () => {
    const { router, queued } = bench(() => true)

    expect(await router.submit(request)).toEqual(['0x1'])
    expect(queued).toHaveLength(1)
  })
})
