// How far the gas limit may change from block to block, and how a block builder moves it towards its goal. Source: prlx
// consensus/misc/gaslimit.go, core/block_validator.go; vectors chain/headerrules.json

const BOUND_DIVISOR = 1024n
const MINIMUM_GAS_LIMIT = 5000n
export const MAXIMUM_GAS_LIMIT = 2n ** 63n - 1n

/** Null when the change is allowed, else the reference's message. */
export function gasLimitFault(parentGasLimit: bigint, gasLimit: bigint): string | null {
  const difference = parentGasLimit > gasLimit ? parentGasLimit - gasLimit : gasLimit - parentGasLimit
  const bound = parentGasLimit / BOUND_DIVISOR
  if (difference >= bound)
    return `invalid gas limit: have ${gasLimit}, want ${parentGasLimit} +-= ${BigInt.asUintN(64, bound - 1n)}`
  return gasLimit < MINIMUM_GAS_LIMIT ? `invalid gas limit below ${MINIMUM_GAS_LIMIT}` : null
}

/** The gas limit of a new block: one step from the parent's towards `desired`. */
export function stepGasLimit(parentGasLimit: bigint, desired: bigint): bigint {
  const delta = parentGasLimit / BOUND_DIVISOR - 1n
  const goal = desired < MINIMUM_GAS_LIMIT ? MINIMUM_GAS_LIMIT : desired
  if (parentGasLimit < goal) return parentGasLimit + delta > goal ? goal : parentGasLimit + delta
  if (parentGasLimit > goal) return parentGasLimit - delta < goal ? goal : parentGasLimit - delta
  return parentGasLimit
}
