// Writes canonical blocks like the family: all replace a file, a range is appended; the old content stays until then.
import { once } from 'node:events'
import { constants, createWriteStream, fstatSync, openSync, type Stats, statSync } from 'node:fs'
import { open, rm, stat, truncate } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { isSystemCode, reasonOf } from '../../base/errors'
import { onAbort } from '../../base/on-abort'
import { renamePatiently } from '../../files/patient-rename'
import type { NodeService } from '../../node/node-service'
import type { ChainFiles } from '../../node/rpc/dispatch/method'
import { rpcFailed } from '../../node/rpc-fault'
import { HostError } from '../errors'
import { importFile } from './import-file'

interface ExportOptions {
  readonly file: string
  readonly first: number
  readonly last: number
  /** False: the file is replaced once everything is written. */
  readonly append: boolean
}

interface ExportDeps {
  readonly node: Pick<NodeService, 'blockRange'>
  readonly onProgress: (progress: { readonly blocks: number }) => void
}

/** Current size; null when it doesn't exist. @throws HostError HOST_BLOCK_FILE_UNWRITABLE for a folder */
export async function existingSize(file: string): Promise<number | null> {
  try {
    const found = await stat(file)
    if (found.isDirectory()) throw new HostError('HOST_BLOCK_FILE_UNWRITABLE', { file, reason: 'it is a folder' })
    return found.size
  } catch (error) {
    if (isSystemCode(error, 'ENOENT')) return null
    throw error
  }
}

/** @param range `last` null = head @throws HostError HOST_BLOCK_RANGE, HOST_BLOCK_FILE_UNWRITABLE when the file exists */
export async function exportOfNewFile(
  node: Pick<NodeService, 'head'>,
  file: string,
  range: { readonly first: number; readonly last: number | null },
): Promise<ExportOptions> {
  const head = node.head()?.number ?? 0
  const { first, last } = { first: range.first, last: range.last ?? head }
  if (first > last || last > head) throw new HostError('HOST_BLOCK_RANGE', { first, last, head })
  if ((await existingSize(file)) === null) return { file, first, last, append: false }
  throw new HostError('HOST_BLOCK_FILE_UNWRITABLE', { file, reason: 'the file already exists' })
}

/** Block files of JSON-RPC; whoever may name files also sees their faults. */
export function chainFiles(node: () => Pick<NodeService, 'blockRange' | 'importBlocks' | 'head'>): ChainFiles {
  const onProgress = (): void => undefined
  const fault = (error: unknown): never => {
    throw error instanceof HostError ? rpcFailed(error.message) : error
  }
  return {
    importChain: (path, signal) => importFile(path, { node: node(), onProgress }, signal).then(() => undefined, fault),
    exportChain: async (path, { first, last }) => {
      if (first === null && last !== null) throw rpcFailed('last cannot be specified without first')
      const options = await exportOfNewFile(node(), path, { first: first ?? 0, last }).catch(fault)
      await exportFile(options, { node: node(), onProgress }, new AbortController().signal).catch(fault)
    },
  }
}

/**
 * False when `signal` stopped it. A device or pipe keeps what it got; a file is then unchanged, as it is with an error.
 * @throws HostError HOST_BLOCK_FILE_UNWRITABLE
 */
export async function exportFile(options: ExportOptions, deps: ExportDeps, signal: AbortSignal): Promise<boolean> {
  const { file } = options
  if (await isDevice(file)) return toDevice(options, deps, signal)
  const { append } = options
  const before = append ? await existingSize(file) : null
  const target = append ? file : `${file}.partial`
  const sink = createWriteStream(target, { flags: append ? 'a' : 'wx' })
  // Nothing was written yet: what is there stays.
  await once(sink, 'open').catch((error: unknown) => {
    if (!isSystemCode(error, 'EEXIST')) throw unwritable(file, error)
    const reason = `${target} is there, left by an interrupted export or someone's own: move or delete it first`
    throw new HostError('HOST_BLOCK_FILE_UNWRITABLE', { file, reason })
  })
  try {
    if (!(await writeBlocks(sink, options, deps, signal))) {
      await takeBack(target, before)
      return false
    }
    await toDisk(target)
    if (!append) await renamePatiently(target, file)
    return true
  } catch (error) {
    await takeBack(target, before)
    throw unwritable(file, error)
  }
}

function unwritable(file: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  return new HostError('HOST_BLOCK_FILE_UNWRITABLE', { file, reason: reasonOf(error) }, { cause: error })
}

/** A pipe, `/dev/null` or terminal is written to as it is: a new file in its place would take it from everyone. */
export async function isDevice(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  return found !== null && !found.isDirectory() && (!found.isFile() || isStandardOutput(found))
}

const STANDARD_OUTPUT = 1

function isStandardOutput({ dev, ino }: Stats): boolean {
  try {
    const own = fstatSync(STANDARD_OUTPUT)
    return own.dev === dev && own.ino === ino
  } catch {
    return false // it is closed
  }
}

async function toDevice(options: ExportOptions, deps: ExportDeps, signal: AbortSignal): Promise<boolean> {
  const { file } = options
  try {
    const sink = openDevice(file)
    // Whoever reads it may have stopped: then nothing else would end the wait.
    const held = onAbort(signal, () => sink.destroy())
    try {
      return await writeBlocks(sink, options, deps, signal)
    } finally {
      held.dispose()
    }
  } catch (error) {
    if (signal.aborted) return false
    throw unwritable(file, error)
  }
}

/** Never waits for a reader: a thread that waits in the system can't be ended, not even by the end of the process. */
function openDevice(file: string): Writable {
  try {
    // Opened again, it would begin at its start, over what is there.
    if (statSync(file).isFile()) return createWriteStream(file, { fd: STANDARD_OUTPUT, autoClose: false })
    const fd = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK)
    return fstatSync(fd).isFIFO() ? new Socket({ fd, readable: false }) : createWriteStream(file, { fd })
  } catch (error) {
    if (!isSystemCode(error, 'ENXIO')) throw error
    throw new HostError('HOST_BLOCK_FILE_UNWRITABLE', { file, reason: 'it is a pipe that no program reads' })
  }
}

async function writeBlocks(
  sink: Writable,
  { file, first, last }: ExportOptions,
  { node, onProgress }: ExportDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const packed = file.endsWith('.gz') ? createGzip() : null
  packed?.pipe(sink)
  const done = finished(sink, { readable: false })
  // Awaited below; until then its failure must not be unhandled.
  done.catch(() => undefined)
  try {
    await writeRanges(packed ?? sink, { first, last, done }, { node, onProgress }, signal)
  } catch (error) {
    // Pending writes must not arrive after the rollback.
    packed?.destroy()
    await closed(sink)
    throw error
  }
  return !signal.aborted
}

async function writeRanges(
  out: Writable,
  { first, last, done }: { readonly first: number; readonly last: number; readonly done: Promise<void> },
  { node, onProgress }: ExportDeps,
  signal: AbortSignal,
): Promise<void> {
  for (let next = first; next <= last && !signal.aborted; ) {
    const range = await node.blockRange(next, last)
    next += range.count
    if (!out.write(range.bytes)) await Promise.race([once(out, 'drain'), done])
    onProgress({ blocks: next - first })
  }
  out.end()
  await done
}

/** Ends a stream whatever it still holds; resolves when its file is closed. */
async function closed(sink: Writable): Promise<void> {
  if (sink.closed) return
  await new Promise<void>((resolve) => {
    sink.once('close', resolve)
    sink.destroy()
  })
}

async function toDisk(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** @param before size of the file before appending; null = it didn't exist */
async function takeBack(target: string, before: number | null): Promise<void> {
  if (before === null) await rm(target, { force: true })
  else await truncate(target, before)
}
