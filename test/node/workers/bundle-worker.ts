// A worker's entry as a file that a thread can run, bundled as the application bundles it.
import { existsSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../..')
const NATIVE = ['classic-level']

/** @param entry path of the source, from the repository's root @returns the path of `outDir/name` */
export async function bundleWorker(entry: string, outDir: string, name: string): Promise<string> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(ROOT, entry),
      outDir,
      emptyOutDir: false,
      rollupOptions: {
        external: NATIVE,
        output: {
          format: 'cjs',
          entryFileNames: name,
          codeSplitting: false,
          paths: (id) => (NATIVE.includes(id) ? join(ROOT, 'node_modules', id) : id),
        },
      },
    },
    ssr: { noExternal: true },
  })
  // The addon is searched for in the folders above the file.
  if (!existsSync(join(outDir, 'native'))) symlinkSync(join(ROOT, 'native'), join(outDir, 'native'), 'junction')
  return join(outDir, name)
}
