// npm run walk: every route in every language at four widths, and once from right to left, as e2e/walk.test.ts does for
// English. Takes many minutes.
import { parseArgs } from 'node:util'
import { packageFile, run, runTool, ToolError } from '../lib/project.mjs'
import { ensurePackages } from '../lib/set-up.mjs'

const USAGE = 'npm run walk -- [--languages es,pt-BR,ru,zh-CN,rtl]'

await runTool(async () => {
  const languages = readLanguages()
  await ensurePackages(console.log)
  const args = [packageFile('vitest', 'vitest.mjs'), 'run', '--project', 'e2e', 'e2e/walk.test.ts']
  const env = { ...process.env, HEADFRAME_WALK: languages, TEST_DEPTH: 'deep' }
  const { code } = await run(process.execPath, args, { env })
  return code
})

function readLanguages() {
  const options = { languages: { type: 'string', default: 'en,de,es,pt-BR,ru,zh-CN,rtl' } }
  try {
    return parseArgs({ options }).values.languages
  } catch (error) {
    throw new ToolError(`${error.message}. ${USAGE}`)
  }
}
