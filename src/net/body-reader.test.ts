import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ByteBudget } from '../base/limits/byte-budget'
import { readBody, takeBody } from './body-reader'

const LIMIT = 10

describe('reading bodies', () => {
  const incoming = (...parts: readonly string[]) => {
    const request = new IncomingMessage(new Socket())
    for (const part of parts) request.push(part)
    return request
  }
  /** What may still be taken of a budget of 20 bytes. */
  const left = (budget: ByteBudget) => [20, 15, 10, 5, 0].find((bytes) => budget.take(bytes))

  it('returns the whole body, and its share of the budget', async () => {
    const budget = new ByteBudget(20)
    const request = incoming('{"a"', ':1}')
    request.push(null)

    expect(await readBody(request, LIMIT, budget)).toEqual({ text: '{"a":1}', isCut: false })
    expect(left(budget)).toBe(20)
  })

  it('cuts a body off at the limit, and returns its share once', async () => {
    const budget = new ByteBudget(20)
    budget.take(5)
    const request = incoming('12345678', '90abc')

    expect(await readBody(request, LIMIT, budget)).toEqual({ text: '1234567890', isCut: true })
    request.destroy()
    await new Promise((resolve) => setImmediate(resolve))
    expect(left(budget)).toBe(15)
  })

  it('gives up when the budget is spent', async () => {
    const budget = new ByteBudget(20)
    budget.take(15)

    expect(await readBody(incoming('123456'), LIMIT, budget)).toBeNull()
    expect(left(budget)).toBe(5)
  })

  it('rejects when the client disconnects, and returns its share', async () => {
    const budget = new ByteBudget(20)
    const request = incoming('1234')
    const body = readBody(request, LIMIT, budget)
    await new Promise((resolve) => setImmediate(resolve))
    request.destroy()

    await expect(body).rejects.toThrow('the client went away')
    expect(left(budget)).toBe(20)
  })

  it.each([
    ['the body was cut', ['12345678', '90abc'], 20, ['done']],
    ['the budget was spent', ['123456'], 3, ['done']],
    ['the connection failed', ['1234'], 20, ['failed: broken']],
  ])('reports one outcome only if %s and the client disconnects', async (_, parts, bytes, said) => {
    const heard: string[] = []
    const request = incoming(...parts)
    takeBody(request, {
      limitBytes: LIMIT,
      budget: new ByteBudget(bytes),
      done: () => heard.push('done'),
      failed: ({ message }) => heard.push(`failed: ${message}`),
    })
    await new Promise((resolve) => setImmediate(resolve))
    request.destroy(new Error('broken'))
    await new Promise((resolve) => setImmediate(resolve))

    expect(heard).toEqual(said)
  })
})
