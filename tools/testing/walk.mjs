// npm run walk: every route in every language at four widths, and once from right to left, as e2e/walk.test.ts does for
// English. Takes many minutes.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'

const USAGE = 'npm run walk -- [--languages es,pt-BR,ru,zh-CN,rtl]'

await runTool(async () => {
  const languages = readLanguages()
  const args = ['vitest', 'run', '--project', 'e2e', 'e2e/walk.test.ts']
  const env = { ...process.env, HEADFRAME_WALK: languages, TEST_DEPTH: 'deep' }
  const child = spawn('npx', args, { cwd: ROOT, env, stdio: 'inherit', shell: process.platform === 'win32' })
  return new Promise((done, fail) => {
    child.once('error', (error) => fail(new ToolError(`vitest cannot be started: ${error.message}`)))
    child.once('exit', (code) => done(code ?? 1))
  })
})

function readLanguages() {
  const options = { languages: { type: 'string', default: 'en,de,es,pt-BR,ru,zh-CN,rtl' } }
  try {
    return parseArgs({ options }).values.languages
  } catch (error) {
    throw new ToolError(`${error.message}. ${USAGE}`)
  }
}
