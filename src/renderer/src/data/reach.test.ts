// What counts as the same computer, and what counts as an answer.
import { describe, expect, it } from 'vitest'
import { isAnswering, isThisComputer } from './reach'

describe('the host of a page', () => {
  it.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['[::1]', true],
    ['127.0.0.1.example', false],
    ['192.168.1.4', false],
    ['rig.local', false],
  ])('%s is this computer: %s', (host, expected) => {
    expect(isThisComputer(host)).toBe(expected)
  })
})

describe('an answer', () => {
  it('is any status, but not a refused connection', async () => {
    expect(await isAnswering(() => Promise.resolve(new Response('', { status: 404 })))).toBe(true)
    expect(await isAnswering(() => Promise.reject(new TypeError('Failed to fetch')))).toBe(false)
  })
})
