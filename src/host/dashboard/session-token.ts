// The token of one run: part of the dashboard's links, kept nowhere else.
import { Secret } from '../../base/secret'

/** 32 random bytes as URL-safe text. */
export function newSessionToken(randomBytes: (length: number) => Uint8Array): Secret {
  return new Secret(Buffer.from(randomBytes(32)).toString('base64url'))
}
