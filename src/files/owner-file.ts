// Files only for their owner, replaced whole: a crash or a power cut leaves either the old file or the new one.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { renamePatientlySync } from './patient-rename'

/** Mode 0600; the folder must exist. @throws the system's error, and nothing is left beside the file */
export function replaceOwnerFile(file: string, text: string): void {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`
  try {
    writeDurably(temporary, text)
    renamePatientlySync(temporary, file)
  } catch (error: unknown) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** fsynced before it replaces the old one. */
function writeDurably(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
