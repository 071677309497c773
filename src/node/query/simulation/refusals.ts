// Why a simulation is rejected as a whole, with eth_simulateV1's error numbers.
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

/** An RPC_SIMULATION_REFUSED error with that number and reason. */
export function refusedAs(number: (typeof SIMULATION)[keyof typeof SIMULATION], reason: string): Error {
  return new RpcFault('RPC_SIMULATION_REFUSED', { reason, number })
}
