// The one object that a page gets from its preload script: a transport for whole contract frames, nothing else.
import { contextBridge, ipcRenderer } from 'electron'
import type { PreloadBridge } from '../contract/contract'

/**
 * Repeated here, since importing the value would pull the whole contract with its validators into every preload script.
 */
const BRIDGE_NAME: typeof import('../contract/contract').BRIDGE_NAME = 'headframe'

/** Frames in both directions. */
const FRAME_CHANNEL = 'headframe:frame'
/** Tells the main process that the page is listening and wants the current value of every event. */
const ATTACH_CHANNEL = 'headframe:attach'
/** The id of the request that the approval window shows, or null. */
const SHOWING_CHANNEL = 'headframe:showing'
/** The user is done with the approval window. */
const LEAVE_CHANNEL = 'headframe:leave'
/** The user left or returned. */
const DISTURBED_CHANNEL = 'headframe:disturbed'
/** The main process will not answer any more; carries the reason. */
const CLOSED_CHANNEL = 'headframe:closed'

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
