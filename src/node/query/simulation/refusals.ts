// Why a simulation is refused as a whole, with the numbers that eth_simulateV1 gives to each.
// Source: the execution API's errors of eth_simulateV1
import { RpcFault } from '../../rpc-fault'

export const SIMULATION = {
  nonceTooLow: -38010,
  nonceTooHigh: -38011,
  intrinsicGas: -38013,
  funds: -38014,
  blockGas: -38015,
  blockNumber: -38020,
  blockTime: -38021,
  moveToItself: -38022,
  moveTwice: -38023,
  senderIsContract: -38024,
  limit: -38026,
} as const

export function refusedAs(number: (typeof SIMULATION)[keyof typeof SIMULATION], reason: string): Error {
  return new RpcFault('RPC_SIMULATION_REFUSED', { reason, number })
}
