// The three builds: host side (CommonJS), preload scripts (each one file), and the pages.
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { HOST_TARGET, oldRuntime, PAGE_TARGET } from './src/old-electron/build'
import { absentModules } from './tools/window/absent-modules.mjs'
import { keylessTexts } from './tools/window/keyless-texts.mjs'
import { pageChunks } from './tools/window/page-chunks.mjs'

// electron-vite's isolated builds draw a progress line with terminal methods that a pipe does not have.
for (const name of ['clearLine', 'cursorTo', 'moveCursor'] as const) {
  if (typeof process.stdout[name] !== 'function') Object.assign(process.stdout, { [name]: () => true })
}

const file = (path: string): string => resolve(import.meta.dirname, path)

/** What the dashboard starts with, and what its first screen shows a moment later. */
const PAGE_CHUNKS = pageChunks({
  first: [file('src/renderer/src/main.tsx')],
  overview: ['DeviceStrip', 'Flow', 'Stopped', 'Timeline'].map((name) =>
    file(`src/renderer/src/screens/Overview/${name}.tsx`),
  ),
})

export default defineConfig({
  main: {
    // Logs of follow-redirects, which a variable would switch on; traces of prom-client's own metrics, which nobody reads.
    plugins: [absentModules(['debug', '@opentelemetry/api']), oldRuntime()],
    build: {
      target: HOST_TARGET,
      externalizeDeps: false,
      outDir: 'out/main',
      rollupOptions: {
        input: {
          index: file('src/main/index.ts'),
          cli: file('src/cli/index.ts'),
          'place-update': file('src/host/update/place-at-start.ts'),
          'chain-worker': file('src/host/workers/chain-worker.ts'),
          'preparation-worker': file('src/host/workers/preparation-worker.ts'),
          'query-worker': file('src/host/workers/query-worker.ts'),
          'key-worker': file('src/host/workers/key-worker.ts'),
          'solc-worker': file('src/host/workers/solc-worker.ts'),
          'console-worker': file('src/cli/console/console-worker.ts'),
          'checks-worker': file('src/host/workers/checks-worker.ts'),
          'rules-worker': file('src/host/workers/rules-worker.ts'),
        },
        external: ['electron', 'classic-level', 'node-hid', /\.node$/],
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
          comments: { legal: true, annotation: false, jsdoc: false },
        },
      },
    },
  },
  preload: {
    build: {
      target: HOST_TARGET,
      externalizeDeps: false,
      isolatedEntries: true,
      outDir: 'out/preload',
      rollupOptions: {
        input: { index: file('src/preload/index.ts'), approval: file('src/preload/approval.ts') },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: file('src/renderer'),
    plugins: [react(), keylessTexts(file('src/renderer/src/i18n/texts'))],
    build: {
      target: PAGE_TARGET,
      minify: true,
      outDir: file('out/renderer'),
      // The pages' policy has no data: for fonts or scripts.
      assetsInlineLimit: 0,
      rollupOptions: {
        input: { index: file('src/renderer/index.html'), approval: file('src/renderer/approval.html') },
        output: { codeSplitting: { groups: PAGE_CHUNKS } },
      },
      // One file of all styles is smaller than the requests for twenty.
      cssCodeSplit: false,
    },
  },
})
