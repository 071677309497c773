// A helper process where Electron's binary doesn't run as plain Node: the Windows and macOS packages.
import { app, type UtilityProcess, utilityProcess } from 'electron'
import { messageOf } from '../../base/errors'
import { ownEnvironment, type StartProcess } from '../../host/system/own-process'

/** Missing when the binary can run as plain Node, which can be confined more. */
export function electronProcessStart(): StartProcess | undefined {
  return app.isPackaged && process.platform !== 'linux' ? startElectronProcess : undefined
}

/** Bytes are sent as messages; the entry's end is `process.parentPort`. It starts when the application is ready. */
const startElectronProcess: StartProcess = (entry, args) => {
  const state = { isKilled: false }
  const fork = (): UtilityProcess =>
    utilityProcess.fork(entry, [...args], { env: ownEnvironment(), stdio: 'ignore', serviceName: 'headframe-keys' })
  const started = app.whenReady().then(() => (state.isKilled ? null : fork()))
  started.catch(() => undefined) // onEnd reports it
  const withChild = (run: (child: UtilityProcess) => void): void => {
    started.then((child) => child !== null && run(child)).catch(() => undefined)
  }
  return {
    send: (bytes, sent) => {
      withChild((child) => child.postMessage(bytes))
      started.then(sent, sent)
    },
    onBytes: (listener) => {
      const take = (message: unknown): void => {
        if (message instanceof Uint8Array) listener(message)
      }
      withChild((child) => void child.on('message', take))
    },
    onEnd: (listener) => {
      started.then(
        (child) => {
          if (child === null) listener('ended before it started', '')
          else child.once('exit', (code) => listener(`ended with code ${code}`, ''))
        },
        (error: unknown) => listener(messageOf(error), ''),
      )
    },
    kill: () => {
      state.isKilled = true
      withChild((child) => void child.kill())
    },
  }
}
