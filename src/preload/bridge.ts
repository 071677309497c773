// The one object that a page gets from its preload script: a transport for whole contract frames, nothing else.
import { contextBridge, ipcRenderer } from 'electron'
import {
  ATTACH_CHANNEL,
  CLOSED_CHANNEL,
  DISTURBED_CHANNEL,
  FRAME_CHANNEL,
  LEAVE_CHANNEL,
  SHOWING_CHANNEL,
} from '../base/wire/ipc-channels'
import type { PreloadBridge } from '../contract/contract'

/** Repeated here: importing it would pull the whole contract with its validators into every preload script. */
const BRIDGE_NAME: typeof import('../contract/contract').BRIDGE_NAME = 'headframe'

const approvalPart: Pick<PreloadBridge, 'showing' | 'leave' | 'onDisturbed'> = {
  showing: (id) => ipcRenderer.send(SHOWING_CHANNEL, id),
  leave: () => ipcRenderer.send(LEAVE_CHANNEL),
  onDisturbed: (listener) => {
    ipcRenderer.removeAllListeners(DISTURBED_CHANNEL)
    ipcRenderer.on(DISTURBED_CHANNEL, () => listener())
  },
}

/**
 * Exposes the bridge as `window.headframe`.
 * The main process is asked to attach when the page sets its message listener, so that no first value is lost.
 */
export function exposeBridge(windowName: 'dashboard' | 'approval'): void {
  const bridge: PreloadBridge = {
    window: windowName,
    send: (frame) => ipcRenderer.send(FRAME_CHANNEL, frame),
    onMessage: (listener) => {
      ipcRenderer.removeAllListeners(FRAME_CHANNEL)
      ipcRenderer.on(FRAME_CHANNEL, (_event, frame: unknown) => listener(frame))
      ipcRenderer.send(ATTACH_CHANNEL)
    },
    onClose: (listener) => {
      ipcRenderer.on(CLOSED_CHANNEL, (_event, reason: unknown) => listener(String(reason)))
    },
    ...(windowName === 'approval' ? approvalPart : {}),
  }
  contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge)
}
