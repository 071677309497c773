// The dashboard's files as they are sent: as is, or compressed for a remote client that can decompress.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './answer'
import { StaticFiles, takesGzip } from './static-files'

const SCRIPT = 'const answer = 42\n'.repeat(10_000)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headframe-static-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, 'assets', 'a-1.js'), SCRIPT)
  await writeFile(join(folder, 'assets', 'b-1.woff2'), 'font')
})
afterAll(() => rm(folder, { recursive: true }))

async function contentOf({ body }: Answer): Promise<Buffer> {
  if (typeof body === 'string') return Buffer.from(body)
  const content = await buffer(body.stream)
  expect(content).toHaveLength(body.sizeBytes)
  return content
}

describe('a file of the dashboard', () => {
  it('is compressed once for all clients that can decompress', async () => {
    const files = new StaticFiles(folder)

    const answers = await Promise.all([1, 2, 3].map(() => files.answer('/assets/a-1.js', true)))

    for (const answer of answers) {
      expect(answer.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' })
      const content = await contentOf(answer)
      expect(content.length).toBeLessThan(SCRIPT.length / 20)
      expect(gunzipSync(content).toString()).toBe(SCRIPT)
    }
  })

  it('is sent as is to others, as are files that are already compressed', async () => {
    const files = new StaticFiles(folder)
    const whole = await files.answer('/assets/a-1.js', false)
    const page = await files.answer('/', true)
    const font = await files.answer('/assets/b-1.woff2', true)

    for (const { headers } of [whole, page, font]) expect(headers).not.toHaveProperty('Content-Encoding')
    expect((await contentOf(whole)).toString()).toBe(SCRIPT)
    expect((await contentOf(font)).toString()).toBe('font')
    expect((await contentOf(page)).toString()).toBe('<!doctype html>')
  })

  it('stays absent until it exists, compressed or not', async () => {
    const files = new StaticFiles(folder)
    for (const path of ['/assets/c-1.js', '/assets/../index.js', '/assets/'])
      for (const isPacked of [true, false]) expect((await files.answer(path, isPacked)).status).toBe(404)

    await writeFile(join(folder, 'assets', 'c-1.js'), 'late')

    expect(gunzipSync(await contentOf(await files.answer('/assets/c-1.js', true))).toString()).toBe('late')
  })
})

describe('a client', () => {
  it.each([
    ['gzip, deflate, br', true],
    ['br, GZIP ;q=0.5', true],
    ['gzip;q=1', true],
    ['gzip;q=0', false],
    ['gzip;q=0.000', false],
    ['br', false],
    ['xgzip', false],
    ['', false],
    [undefined, false],
  ])('that accepts %j can decompress: %s', (header, isAble) => {
    expect(takesGzip(header)).toBe(isAble)
  })
})
