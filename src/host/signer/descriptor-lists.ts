// Installs a signed list of descriptors from a file, replacing the previous one, after checking its signature, form and
// version. Nothing is fetched.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemCode, messageOf } from '../../base/errors'
import type { Clock } from '../../base/time'
import { replaceDurably } from '../../files/durable-file'
import { makeOwnerFolder } from '../../native/system/owner-folder'
import { parseDescriptor } from '../../signer/descriptors/descriptor-folder'
import {
  DESCRIPTOR_LIST,
  DescriptorFault,
  type DescriptorList,
  MAX_LIST_BYTES,
  parseDescriptorList,
  withIncludes,
} from '../../signer/descriptors/descriptor-list'
import { withFileLock } from '../../signer/file-lock'
import { HostError } from '../errors'
import type { ReleaseKey } from '../release/minisign'
import { readSmallFile } from '../release/regular-file'
import { checkSignature } from '../release/verify-release'

interface ListToTake {
  /** Its signature is beside it, with `.minisig` appended. */
  readonly file: string
  readonly keys: readonly ReleaseKey[]
  /** Folder of descriptors; created when missing. */
  readonly folder: string
  /** False: no version below the installed one. */
  readonly mayBeOlder: boolean
}

interface TakenList {
  /** Read by the signer at its next start. */
  readonly path: string
  readonly version: number
  readonly keyId: string
  readonly usable: number
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[]
}

/**
 * @throws HostError HOST_RELEASE_FILE, HOST_RELEASE_SIGNATURE, HOST_DESCRIPTORS_INVALID, HOST_DESCRIPTORS_OLD,
 * HOST_DESCRIPTORS_UNWRITABLE
 */
export async function takeDescriptorList(
  { file, keys, folder, mayBeOlder }: ListToTake,
  { clock }: { readonly clock: Clock },
): Promise<TakenList> {
  const bytes = await readSmallFile(file, MAX_LIST_BYTES)
  const { keyId } = await checkSignature(file, bytes, keys)
  const text = bytes.toString('utf8')
  const { version, descriptors } = readList(file, text)
  const find = (wanted: string): string | null => descriptors.find(({ name }) => name === wanted)?.content ?? null
  const leftOut = descriptors.flatMap(({ name, content }) => {
    const reason = faultOf(content, find)
    return reason === null ? [] : [{ name, reason }]
  })
  const usable = descriptors.length - leftOut.length
  const [first] = leftOut
  if (first !== undefined && usable === 0) {
    throw new HostError('HOST_DESCRIPTORS_INVALID', { file, reason: `${first.name}: ${first.reason}` })
  }
  const path = join(folder, DESCRIPTOR_LIST)
  const unwritable = (reason: string, cause?: unknown): Error =>
    new HostError('HOST_DESCRIPTORS_UNWRITABLE', { file: path, reason }, { cause })
  try {
    makeOwnerFolder(folder)
  } catch (error) {
    throw unwritable(messageOf(error), error)
  }
  await withFileLock({ file: `${path}.lock`, clock, failure: unwritable }, async () => {
    const present = await versionIn(path)
    if (version < present && !mayBeOlder) throw new HostError('HOST_DESCRIPTORS_OLD', { file, version, present })
    await replaceDurably(path, text).catch((error: unknown) => {
      throw unwritable(messageOf(error), error)
    })
  })
  return { path, version, keyId, usable, leftOut }
}

function readList(file: string, text: string): DescriptorList {
  try {
    return parseDescriptorList(text)
  } catch (error) {
    if (error instanceof DescriptorFault) {
      throw new HostError('HOST_DESCRIPTORS_INVALID', { file, reason: error.message }, { cause: error })
    }
    throw error
  }
}

function faultOf(content: string, find: (name: string) => string | null): string | null {
  try {
    parseDescriptor(withIncludes(content, find))
    return null
  } catch (error) {
    if (error instanceof DescriptorFault) return error.message
    throw error
  }
}

/** 0 when there is none, or it can't be read: then any is newer. */
async function versionIn(path: string): Promise<number> {
  try {
    return parseDescriptorList(await readFile(path, 'utf8')).version
  } catch (error) {
    if (error instanceof DescriptorFault || isSystemCode(error, 'ENOENT')) return 0
    throw error
  }
}
