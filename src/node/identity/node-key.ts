// The node's key on the network: created once, stored beside the chain. It controls no funds.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSystemCode, reasonOf } from '../../base/errors'
import { fromHex, toBareHex } from '../../base/hex'
import { secp256k1 } from '../../native/secp256k1'
import { ChainError } from '../errors'

/** 32 bytes; a missing file is created with 64 hex digits, mode 0600. @throws ChainError CHAIN_NODE_KEY */
export async function loadNodeKey(file: string, randomBytes: (length: number) => Uint8Array): Promise<Uint8Array> {
  try {
    const key = fromHex((await readFile(file, 'utf8')).trim())
    if (key !== null && secp256k1().isSecretKey(key)) return key
  } catch (error: unknown) {
    if (!isSystemCode(error, 'ENOENT'))
      throw new ChainError('CHAIN_NODE_KEY', { file, reason: reasonOf(error) }, { cause: error })
    return makeKey(file, randomBytes)
  }
  throw new ChainError('CHAIN_NODE_KEY', { file, reason: 'it does not hold 64 hex digits of a key' })
}

async function makeKey(file: string, randomBytes: (length: number) => Uint8Array): Promise<Uint8Array> {
  const key = newSecretKey(randomBytes)
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, toBareHex(key), { mode: 0o600, flag: 'wx' })
    await chmod(file, 0o600)
  } catch (error: unknown) {
    throw new ChainError('CHAIN_NODE_KEY', { file, reason: reasonOf(error) }, { cause: error })
  }
  return key
}

/** A new secret key: all but about one in 2^128 random values are valid. @returns 32 bytes */
export function newSecretKey(randomBytes: (length: number) => Uint8Array): Uint8Array {
  for (;;) {
    const key = new Uint8Array(randomBytes(32))
    if (secp256k1().isSecretKey(key)) return key
  }
}
