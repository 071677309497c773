import { describe, expect, it } from 'vitest'
import { corsHeaders, originAllowed } from './http-listener'

describe('the CORS answers', () => {
  const simple = { method: 'POST', origin: 'http://a.example', askedMethod: undefined, askedHeaders: undefined }
  const preflight = { ...simple, method: 'OPTIONS', askedMethod: 'POST', askedHeaders: 'content-type, x-own' }

  it('are none without listed origins', () => {
    expect(corsHeaders(simple, [])).toEqual({})
  })

  it.each([
    ['http://a.example', ['http://a.example'], 'http://a.example'],
    ['HTTP://A.Example', ['http://a.example'], 'HTTP://A.Example'],
    ['http://a.example', ['*'], '*'],
    ['http://x.a.example', ['http://*.a.example'], 'http://x.a.example'],
    ['http://a.example.evil', ['http://a.example'], undefined],
    ['http://b.example', ['http://a.example'], undefined],
    ['http://.a.exampl', ['http://*.a.example'], undefined],
    [undefined, ['*'], undefined],
  ])('let %s use %j: %s', (origin, origins, allowed) => {
    const headers = corsHeaders({ ...simple, origin }, origins)
    expect(headers['Access-Control-Allow-Origin']).toBe(allowed)
    expect(headers.Vary).toBe('Origin')
  })

  it('tell a preflight what it may send', () => {
    expect(corsHeaders(preflight, ['http://a.example'])).toEqual({
      Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      'Access-Control-Allow-Origin': 'http://a.example',
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'Content-Type, X-Own',
      'Access-Control-Max-Age': '600',
    })
  })

  it('allow no other method', () => {
    expect(corsHeaders({ ...preflight, askedMethod: 'DELETE' }, ['*'])).not.toHaveProperty(
      'Access-Control-Allow-Origin',
    )
  })
})

describe('the Origin rule of WebSocket', () => {
  it.each([
    [undefined, [], true],
    ['http://localhost', [], true],
    ['http://localhost:3000', [], true],
    ['http://box', [], true],
    ['https://localhost', [], false],
    ['http://localhost.evil.example', [], false],
    ['http://evil.example', [], false],
    ['null', [], false],
    ['http://evil.example', ['*'], true],
    ['http://a.example:8080', ['http://a.example'], true],
    ['http://a.example:8080', ['http://a.example:80'], false],
    ['https://a.example', ['a.example'], true],
    ['http://localhost', ['http://a.example'], false],
    ['http://a.example/@b', ['http://a.example'], false],
  ])('%s with %j: %s', (origin, rules, allowed) => {
    expect(originAllowed(origin, rules, 'box')).toBe(allowed)
  })
})
