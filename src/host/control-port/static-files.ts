// The dashboard's files: the built renderer, served without a token since it contains no data.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { CONTENT_SECURITY_POLICY } from '../../contract/page-policy'
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

/** @param path a shell path; @param folder the built renderer, absolute; null: there is none */
export async function serveStatic(folder: string | null, path: string): Promise<Answer> {
  const name = path === '/' ? '/index.html' : path
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
  if (folder === null || type === undefined || !(path === '/' || ASSET.test(path) || FIXED.test(path)))
    return notFound()
  try {
    const file = await open(join(folder, name), 'r')
    const stat = await file.stat()
    if (stat.isFile()) {
      const stream = file.createReadStream({ highWaterMark: 65_536 })
      return { status: 200, headers: headersOf(name, type), body: { stream, sizeBytes: stat.size } }
    }
    await file.close()
  } catch {
    return notFound() // absent or unreadable: the same to a client
  }
  return notFound()
}

function headersOf(name: string, type: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': type,
    // file names under assets/ contain a content hash
    'Cache-Control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  }
}

function notFound(): Answer {
  return failure(404, 'not found')
}
