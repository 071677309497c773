// Bundles a TypeScript file and its imports into a program for this Node; native modules stay beside it.
import { ROOT } from '../lib/project.mjs'
import { packagesFirst } from '../lib/set-up.mjs'

await packagesFirst()
const { build } = await import('vite')

/**
 * Writes a module named as the entry into a folder.
 * @param {string} entry absolute path
 * @param {string} folder absolute path
 * @param {boolean} isEmptied first; false where several programs lie beside each other
 */
export async function bundleProgram(entry, folder, isEmptied = true) {
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: isEmptied,
      target: 'node20',
      rollupOptions: {
        external: ['classic-level', /\.node$/],
        output: { format: 'es', entryFileNames: '[name].mjs' },
      },
    },
  })
}
