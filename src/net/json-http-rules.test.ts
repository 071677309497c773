import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { hostOf, originForm, refusalOf } from './json-http-rules'

const post = (type: string | undefined, method = 'POST', url = '/') =>
  refusalOf({ method, url, headers: { 'content-type': type } } as unknown as IncomingMessage, 100)?.status ?? 0

describe('content types', () => {
  it.each([
    'application/json',
    'Application/JSON ',
    'application/json-rpc',
    'application/jsonrequest',
    'application/json;',
    'application/json; charset=utf-8',
    'application/json;charset="utf-8" ; q=1',
    'application/json; charset = utf-8;',
    'application/json; a=1; A=1',
    'application/json; charset=""',
  ])('%j is accepted', (type) => {
    expect(post(type)).toBe(0)
  })

  it.each([
    undefined,
    '',
    'text/plain',
    'application/json; charset',
    'application/json; charset=',
    'application/json; =utf-8',
    'application/json;;',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset=utf 8',
    'application/json; charset="utf-8',
    'application/json, text/plain',
  ])('%j is refused', (type) => {
    expect(post(type)).toBe(415)
  })
})

describe('requests without a body', () => {
  it.each(['GET', 'HEAD'])('are health checks with %s, also behind a proxy', (method) => {
    expect([post(undefined, method), post(undefined, method, 'http://127.0.0.1:8545')]).toEqual([200, 200])
    expect(post(undefined, method, '/?a=1')).toBe(415)
    expect(post(undefined, method, 'http://127.0.0.1/?a=1')).toBe(415)
  })
})

describe('the absolute form', () => {
  it.each([
    ['http://127.0.0.1:8545/', '/'],
    ['http://127.0.0.1:8545', '/'],
    ['HTTPS://node.example/graphql?a=/b', '/graphql?a=/b'],
    ['http://node?x', '/?x'],
    ['/http://a/b', '/http://a/b'],
    ['/', '/'],
    [undefined, '/'],
  ])('%j is the path %j', (url, path) => {
    expect(originForm(url)).toBe(path)
  })

  it.each([
    ['http://127.0.0.1:8545/', '127.0.0.1:8545'],
    ['http://evil.example/', 'evil.example'],
    ['/http://a/b', 'localhost'],
    ['/', 'localhost'],
    [undefined, 'localhost'],
  ])('%j is for the host %j, whatever the header says', (url, host) => {
    expect(hostOf({ url, headers: { host: 'localhost' } })).toBe(host)
  })
})
