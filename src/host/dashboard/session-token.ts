// The token of one run: part of the dashboard's links, stored nowhere else.
import { Secret } from '../../base/secret'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { Platform } from '../system/platform'

/** 32 random bytes as URL-safe text. */
export function newSessionToken(randomBytes: (length: number) => Uint8Array): Secret {
  return new Secret(Buffer.from(randomBytes(32)).toString('base64url'))
}

/** A window needs none; with `--api-token` that is the token; a read-only address has nothing to permit. */
export function needsSessionToken({ api }: ResolvedConfig, { headless }: Platform): boolean {
  return headless && api.bind !== null && !api.bind.readOnly && api.token === null
}
