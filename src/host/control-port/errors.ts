// What can go wrong when the control port opens. Codes are public: never rename one, add a new one.
import { defineErrors } from '../../base/errors'

export const ControlPortError = defineErrors({
  HOST_PORT_IN_USE: (d: { option: string; host: string; port: number }) =>
    `${d.option}: port ${d.port} of ${d.host} is in use; stop the other program or choose another port (0 = any free one)`,
  HOST_PORT_UNUSABLE: (d: { option: string; host: string; port: number; reason: string }) =>
    `${d.option}: cannot listen on ${d.host} port ${d.port}: ${d.reason}`,
  HOST_CONTROL_NEEDS_TOKEN: (d: { host: string }) =>
    `--api-allow-control: on ${d.host} control needs --api-token; without one bind to 127.0.0.1`,
})
