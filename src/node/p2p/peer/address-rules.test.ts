import { expect, it } from 'vitest'
import { neighboursOf } from '../../identity/ip-address'

it("counts an address's neighbors outside private networks", () => {
  const hosts = ['8.8.8.1', '8.8.8.2', '8.8.9.1', '10.0.0.1', '10.0.0.2', '2600::1', '2600:0:0:5::1']

  expect(['8.8.8.9', '10.0.0.3', '2600::9', '127.0.0.1', 'name'].map((host) => neighboursOf(host, hosts))).toEqual([
    2, 0, 2, 0, 0,
  ])
})
