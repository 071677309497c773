// npm run test:docs: runs every command of README and docs/guide that is marked to be run, in an empty home folder. `--
// TEXT`: only pages with TEXT in their path. test/docs/docs.test.ts has the other checks of pages, for `npm test`.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleProgram } from '../bench/bundle.mjs'
import { ROOT, runTool } from '../lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from '../lib/set-up.mjs'

const OUT = join(ROOT, 'node_modules', '.cache', 'test-docs')
const print = (line) => console.log(line)

await runTool(async () => {
  await ensurePackages(print)
  await ensureNative(print)
  await ensureApp(print)
  await bundleProgram(join(ROOT, 'test', 'docs', 'run-pages.ts'), OUT)
  const { runPages } = await import(pathToFileURL(join(OUT, 'run-pages.mjs')).href)
  const { failed } = await runPages(ROOT, process.argv[2] ?? '', print)
  return failed === 0 ? 0 : 1
})
