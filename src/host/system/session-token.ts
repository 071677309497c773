// The token of one run: printed once with the dashboard's link, kept nowhere.
import { Secret } from '../../base/secret'

/** 32 random bytes as URL-safe text. */
export function newSessionToken(randomBytes: (length: number) => Uint8Array): Secret {
  return new Secret(Buffer.from(randomBytes(32)).toString('base64url'))
}

/** The link that signs its reader in; the fragment never reaches a server. */
export function dashboardLink(dashboard: string, token: Secret): string {
  return `${dashboard}#token=${encodeURIComponent(token.reveal())}`
}
