// node tools/lib/packaged.mjs NAME [WORD...]: a program of the packages, which are installed first if they are missing. The npm scripts call
// it, because a shell would only say "not found".
import { readFileSync } from 'node:fs'
import { packageFile, run, runTool, ToolError } from './project.mjs'
import { ensurePackages } from './set-up.mjs'

/** Packages by the program's name, where it isn't the package's. */
const PACKAGES = { biome: '@biomejs/biome', tsc: 'typescript' }

await runTool(async () => {
  const [name, ...words] = process.argv.slice(2)
  if (name === undefined) throw new ToolError('node tools/lib/packaged.mjs needs the name of a program')
  await ensurePackages((line) => process.stderr.write(`${line}\n`))
  const packed = PACKAGES[name] ?? name
  const { bin } = JSON.parse(readFileSync(packageFile(packed, 'package.json'), 'utf8'))
  const { code } = await run(process.execPath, [
    packageFile(packed, typeof bin === 'string' ? bin : bin[name]),
    ...words,
  ])
  return code
})
