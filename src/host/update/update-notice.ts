// The small signed file that describes the newest version: what changed, and its packages. `npm run release` writes it.

import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { HostError } from '../errors'
import type { ReleaseKey } from '../release/minisign'
import { isReleaseVersion } from '../release/release-version'
import { signatureOf } from '../release/verify-release'
import { PACKAGE_KINDS } from './own-package'

export const MAX_NOTICE_BYTES = 65_536
/** `headframe-update SECONDS`: the signed comment, so that no other signed file can be mistaken for one. */
const COMMENT = /^headframe-update (\d{1,11})$/
export const MAX_PACKAGE_BYTES = 2 ** 30

const noticeSchema = z
  .object({
    format: z.literal(1),
    version: z.string().refine(isReleaseVersion, 'not a version'),
    changes: z
      .array(
        z
          .string()
          .max(500)
          .regex(/^\P{C}+$/u, 'not one line of text'),
      )
      .max(100),
    files: z
      .array(
        z
          .object({
            kind: z.string().max(40),
            system: z.string().max(40),
            name: z.string().regex(/^[\w+~-][\w.+~-]{0,120}$/, 'not a file name'),
            bytes: z.number().int().min(1).max(MAX_PACKAGE_BYTES),
          })
          .strict(),
      )
      .max(40),
  })
  .strict()

export interface UpdateNotice extends z.infer<typeof noticeSchema> {
  /** Signing time, seconds since 1970. */
  readonly signedAt: number
}

export type UpdateFile = UpdateNotice['files'][number]

/** @param signature text of the `.minisig` beside it @throws HostError HOST_RELEASE_SIGNATURE, HOST_UPDATE_NOTICE */
export function readNotice(options: {
  readonly bytes: Buffer
  readonly signature: string
  readonly address: string
  readonly keys: readonly ReleaseKey[]
}): UpdateNotice {
  const { bytes, signature, address, keys } = options
  // Unsigned content isn't parsed.
  const { comment } = signatureOf({ file: address, bytes, text: signature, keys })
  const seconds = COMMENT.exec(comment)?.[1]
  if (seconds === undefined) throw refused('another file was signed by the same key')
  const parsed = noticeSchema.safeParse(jsonOf(bytes))
  if (parsed.success) return { ...parsed.data, signedAt: Number(seconds) }
  throw refused(messageOf(parsed.error))
}

/** The package of this kind for this system. @throws HostError HOST_UPDATE_NO_PACKAGE */
export function fileFor({ version, files }: UpdateNotice, kind: string | null): UpdateFile {
  const system = `${process.platform}-${process.arch}`
  const found = files.find((file) => file.kind === kind && file.system === system)
  if (found !== undefined) return found
  const known = PACKAGE_KINDS.some((each) => each === kind)
  throw new HostError('HOST_UPDATE_NO_PACKAGE', { version, kind: `${known ? kind : 'sources'}, ${system}` })
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw refused('it is not JSON')
  }
}

function refused(reason: string): Error {
  return new HostError('HOST_UPDATE_NOTICE', { reason })
}
