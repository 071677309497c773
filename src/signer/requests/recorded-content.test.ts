import { describe, expect, it } from 'vitest'
import type { RequestContent } from '../model/request'
import { isCut, recordedContent } from './queue'

const content = (data: string): RequestContent =>
  ({
    kind: 'signData',
    caller: { transport: 'http', remote: '127.0.0.1:1', local: '', userAgent: 'a', origin: '' },
    transaction: null,
    data: {
      address: '0xaa',
      form: 'text',
      contentType: 'text/plain',
      hashed: data,
      hash: '0xbb',
      text: data,
      messages: [{ name: 'message', value: data, type: 'text/plain' }],
      raw: data,
    },
    accounts: null,
    findings: [{ severity: 'WARNING', message: data }],
    notUnderstood: ['bytes'],
  }) as RequestContent

describe('what is recorded of a request before it is decided', () => {
  it('is all of an ordinary one', () => {
    const short = content('hello')

    expect(recordedContent(short, JSON.stringify(short).length)).toBe(short)
  })

  it('is the first kilobyte of a long one, with its parties and its hash', () => {
    const long = content('ab'.repeat(2_400_000))
    const { length } = JSON.stringify(long)
    const text = JSON.stringify(recordedContent(long, length))

    expect(isCut(length)).toBe(true)
    expect(text.length).toBeLessThan(2_048)
    expect(JSON.parse(text)).toMatchObject({
      data: { address: '0xaa', contentType: 'text/plain', hash: '0xbb' },
      severities: ['WARNING'],
      cut: { length, beginning: 'ab'.repeat(512) },
    })
  })
})
