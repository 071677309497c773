// The dashboard's files: the built renderer, served without a token since it contains no data.
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { CONTENT_SECURITY_POLICY } from '../../contract/app'
import { type Answer, failure } from './answer'

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
}

/** Paths whose parts all begin with a letter or digit: no `..`, no hidden files, nothing to decode. */
const ASSET = /^\/assets(\/[A-Za-z0-9_][A-Za-z0-9._~@-]*)+$/
/** Icons, the manifest, and the script that chooses the theme before anything is drawn. */
const FIXED = /^\/[A-Za-z0-9_][A-Za-z0-9_-]*\.(ico|js|png|svg|webmanifest)$/

/** True for paths that need no token, whether or not the file exists. */
export function isShellPath(path: string): boolean {
  return path === '/' || path.startsWith('/assets/') || FIXED.test(path)
}

/** Text is worth compressing; fonts and images are compressed already. */
const IS_PACKED = /^\/assets\/.*\.(css|js|svg)$/

/** The built renderer's files. */
export class StaticFiles {
  /** Compressed contents by name, or the work on them: as many as there are files, whose names contain a content hash. */
  readonly #packed = new Map<string, Promise<Buffer>>()

  /** @param folder absolute; null: there is none */
  constructor(private readonly folder: string | null) {}

  /** @param path a shell path; @param isPacked the client can decompress, and is far enough away for it to pay */
  async answer(path: string, isPacked: boolean): Promise<Answer> {
    const name = path === '/' ? '/index.html' : path
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
    if (this.folder === null || type === undefined || !(path === '/' || ASSET.test(path) || FIXED.test(path)))
      return notFound()
    const headers = headersOf(name, type)
    try {
      const file = join(this.folder, name)
      return isPacked && IS_PACKED.test(name) ? await this.#pack(name, file, headers) : await whole(file, headers)
    } catch {
      return notFound() // absent or unreadable: the same to a client
    }
  }

  async #pack(name: string, file: string, headers: Answer['headers']): Promise<Answer> {
    const packing = this.#packed.get(name) ?? readFile(file).then((content) => compress(content))
    this.#packed.set(name, packing)
    packing.catch(() => this.#packed.delete(name))
    const content = await packing
    return {
      status: 200,
      headers: { ...headers, 'Content-Encoding': 'gzip' },
      body: { stream: Readable.from(content), sizeBytes: content.length },
    }
  }
}

const compress = promisify(gzip)

async function whole(path: string, headers: Answer['headers']): Promise<Answer> {
  const file = await open(path, 'r')
  const stat = await file.stat()
  if (stat.isFile()) {
    const stream = file.createReadStream({ highWaterMark: 65_536 })
    return { status: 200, headers, body: { stream, sizeBytes: stat.size } }
  }
  await file.close()
  return notFound()
}

/** Whether a client says that it can decompress gzip. */
export function takesGzip(acceptEncoding: string | readonly string[] | undefined): boolean {
  const names = String(acceptEncoding ?? '').split(',')
  return names.some((name) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(name))
}

function headersOf(name: string, type: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': type,
    // file names under assets/ contain a content hash
    'Cache-Control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  }
}

function notFound(): Answer {
  return failure(404, 'not found')
}
