// What the mutation run rejects: unknown names.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const started = (...words: readonly string[]) =>
  promisify(execFile)(process.execPath, ['tools/mutation/mutation.mjs', ...words], { cwd: ROOT }).catch(
    (error: { readonly stderr: string }) => error,
  )

it('rejects an unknown subject, and names the known ones', async () => {
  const { stderr } = await started('consent')
  expect(stderr).toContain('unknown subject consent; known: consensus txpool requests policies')
})

it('rejects a file of another subject', async () => {
  const { stderr } = await started('consensus', '--files', 'src/signer/requests/queue.ts')
  expect(stderr).toContain('consensus has none of src/signer/requests/queue.ts')
})
