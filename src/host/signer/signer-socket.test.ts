import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { ipcSocketPath } from './create-signer'

it.each<[string | null, string]>([
  [null, '/config/clef.ipc'],
  ['clef.ipc', '/config/clef.ipc'],
  ['own.ipc', '/config/own.ipc'],
  ['/run/signer', '/run/signer/clef.ipc'],
  ['/run/own.ipc', '/run/own.ipc'],
  ['folder', `${resolve('folder')}/clef.ipc`],
])('puts --ipcpath %s at %s', (given, path) => {
  expect(ipcSocketPath(given, '/config', 'linux')).toBe(path)
})

it('names a pipe on Windows', () => {
  expect(ipcSocketPath(null, 'C:\\config', 'win32')).toBe('\\\\.\\pipe\\clef.ipc')
})
