// A sign-in requested by another page is CRITICAL for the user, in strict mode too.
import { afterEach, describe, expect, it } from 'vitest'
import { ACCOUNT_A, Harness } from './harness'

const running: Harness[] = []

afterEach(async () => {
  for (const harness of running.splice(0)) await harness.end()
})

const text = `shop.example wants you to sign in with your Ethereum account:
${ACCOUNT_A}

URI: https://shop.example
Version: 1
Chain ID: 2110
Nonce: 32891756abc
Issued At: 2020-01-01T00:00:00Z
Expiration Time: 2999-01-01T00:00:00Z`

async function told(origin: string, strict: boolean): Promise<readonly string[]> {
  const harness = await Harness.start({ service: { strict } })
  running.push(harness)
  const data = `0x${Buffer.from(text).toString('hex')}`
  const answer = harness.call('account_signData', ['text/plain', ACCOUNT_A, data], { origin })
  const request = await harness.nextRequest()
  await harness.reject(request)
  await answer
  return request.findings.map(({ severity, message }) => `${severity}: ${message}`)
}

describe('a sign-in over the external API', () => {
  it.each([false, true])('is compared with the requesting page, strict: %s', async (strict) => {
    expect(await told('https://shop.example', strict)).toEqual([])
    expect(await told('https://evil.example', strict)).toEqual([
      'CRITICAL: The text signs in at shop.example, but evil.example asks for it',
    ])
  })
})
