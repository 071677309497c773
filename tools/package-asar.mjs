// Writes an asar archive from files on disk; some stay outside, beside it in `<archive>.unpacked`, as natives must.
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * @param {string} archive path of the file to write
 * @param {readonly { readonly path: string, readonly source: string }[]} files `path`: place in the archive, with slashes
 * @param {(path: string) => boolean} isUnpacked
 */
export function writeArchive(archive, files, isUnpacked) {
  const tree = { files: {} }
  const bodies = []
  let offset = 0
  const outside = `${archive}.unpacked`
  rmSync(outside, { recursive: true, force: true })
  for (const { path, source } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const body = readFileSync(source)
    const entry = { size: body.length }
    if (isUnpacked(path)) {
      entry.unpacked = true
      mkdirSync(dirname(join(outside, path)), { recursive: true })
      copyFileSync(source, join(outside, path))
    } else {
      entry.offset = String(offset)
      offset += body.length
      bodies.push(body)
    }
    placeIn(tree, path.split('/'), entry)
  }
  const file = openSync(archive, 'w', 0o644)
  try {
    for (const part of [head(tree), ...bodies]) writeSync(file, part)
  } finally {
    closeSync(file)
  }
}

/** The archive's list of files, as Electron reads it. @param {string} archive */
export function readArchiveTree(archive) {
  const bytes = readFileSync(archive)
  return JSON.parse(bytes.subarray(16, 16 + bytes.readUInt32LE(12)).toString('utf8'))
}

function placeIn(tree, parts, entry) {
  const [first, ...rest] = parts
  if (rest.length === 0) {
    tree.files[first] = entry
    return
  }
  tree.files[first] ??= { files: {} }
  placeIn(tree.files[first], rest, entry)
}

/** Two nested pickles: the size of the second, then the JSON padded to four bytes. */
function head(tree) {
  const json = Buffer.from(JSON.stringify(tree))
  const padded = Math.ceil(json.length / 4) * 4
  const bytes = Buffer.alloc(16 + padded)
  for (const [index, value] of [4, 8 + padded, 4 + padded, json.length].entries()) bytes.writeUInt32LE(value, 4 * index)
  json.copy(bytes, 16)
  return bytes
}
