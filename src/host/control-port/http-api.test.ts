import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IncidentView } from '../../contract/incidents'
import { parseControl } from '../../miner/api/control'
import { isFailure } from '../../miner/api/http-errors'
import { parseRigControl } from '../../miner/api/rig-control'
import { parseTuning } from '../../miner/api/tuning'
import { ask, startPort, type TestPort } from '../testing/test-port'
import { HTTP_API, type HttpRoute, methodOf, openApi } from './http-api'
import { acknowledgeAnswer } from './money-route'

const routeOf = (method: string, path: string): HttpRoute | undefined =>
  HTTP_API.find((route) => methodOf(route) === method && route.path === path)
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
const JSON_TYPE = 'application/json'
const NO_INCIDENTS: readonly IncidentView[] = []

describe('the routes on record', () => {
  let port: TestPort
  beforeAll(async () => {
    const incidents = {
      open: () => NO_INCIDENTS,
      recent: () => NO_INCIDENTS,
      between: () => NO_INCIDENTS,
      acknowledge: () => [],
    }
    port = await startPort({ allowControl: true }, null, { incidents })
  })
  afterAll(() => port.port.stop())

  it('are those of the router', () => {
    const source = readFileSync(join(import.meta.dirname, 'router.ts'), 'utf8')
    const named = [...source.matchAll(/'(\/(?:api\/v1\/[\w/]+|metrics|getstat1))'/g)].map(([, path]) => path)

    expect([...new Set(named)].sort()).toEqual([...new Set(HTTP_API.map(({ path }) => path))].sort())
  })

  it.each(['/api/v1/summary', '/api/v1/rigs', '/api/v1/rigs?limit=1&online=true', '/api/v1/sd', '/api/v1/epochs'])(
    'describe the real answer of %s completely',
    async (path) => {
      const { status, body } = await ask(port, `GET ${path}`)
      const answer: unknown = JSON.parse(body)

      expect(status).toBe(200)
      expect(routeOf('GET', path.replace(/\?.*/, ''))?.answer?.parse(answer)).toEqual(answer)
    },
  )

  it.each(['/api/v1/incidents', '/api/v1/incidents?period=week'])('describe both answers of %s', async (path) => {
    const { status, body } = await ask(port, `GET ${path}`)

    expect([status, routeOf('GET', '/api/v1/incidents')?.answer?.safeParse(JSON.parse(body)).success]).toEqual([
      200,
      true,
    ])
  })

  it('have examples that the parsers of the routes accept, and whose schema agrees', async () => {
    const parsers: Readonly<Record<string, (example: unknown) => boolean>> = {
      '/api/v1/control': (example) =>
        !isFailure(parseControl({ contentType: JSON_TYPE, body: bytes(example), deviceCount: 1 })),
      '/api/v1/rigs/control': (example) => !isFailure(parseRigControl(JSON_TYPE, bytes(example))),
      '/api/v1/tuning': (example) => !isFailure(parseTuning(JSON_TYPE, bytes(example), 1)),
      '/api/v1/incidents': (example) =>
        acknowledgeAnswer(
          { open: () => [], recent: () => [], between: () => [], acknowledge: () => [] },
          JSON_TYPE,
          bytes(example),
        ).status === 200,
    }
    const posts = HTTP_API.filter((route) => methodOf(route) === 'POST')

    expect(posts.map(({ path }) => path).sort()).toEqual(Object.keys(parsers).sort())
    for (const { path, body, example } of posts) {
      expect([path, parsers[path]?.(example), body?.safeParse(example).success]).toEqual([path, true, true])
      expect([path, body?.safeParse({ action: 'explode' }).success, parsers[path]?.({ action: 'explode' })]).toEqual([
        path,
        false,
        false,
      ])
    }
  })

  it('answer a command as recorded', async () => {
    const example = JSON.stringify(routeOf('POST', '/api/v1/control')?.example)
    const { status, body } = await ask(port, 'POST /api/v1/control', [`Content-Type: ${JSON_TYPE}`], example)

    expect([status, routeOf('POST', '/api/v1/control')?.answer?.safeParse(JSON.parse(body)).success]).toEqual([
      200,
      true,
    ])
  })

  it('make one OpenAPI document, without anything that JSON has not', () => {
    const document = openApi('1.2.3')

    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.2.3' },
      paths: {
        '/api/v1/control': {
          post: { requestBody: { content: { 'application/json': { example: { action: 'pause' } } } } },
        },
        '/api/v1/summary': {
          get: { responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } } },
        },
      },
    })
  })
})
