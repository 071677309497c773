// npm run build: addon and application. Works after a plain `npm ci`; installs the packages where even that is missing.
import { runTool } from './lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from './lib/set-up.mjs'

await runTool(async () => {
  const log = (line) => console.log(line)
  await ensurePackages(log)
  await ensureNative(log)
  await ensureApp(log)
  log('built: bin/headframe.mjs runs')
})
