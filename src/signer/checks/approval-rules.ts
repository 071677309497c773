// Calls that let somebody else take tokens later: recognised by their method and shown with what they give away.
import type { DecodedCall } from '../abi/call'
import type { Finding } from './findings'

/** From here on an amount is as good as unlimited: no token has so many units. */
export const UNLIMITED = 1n << 128n

/** Findings about a decoded call; at most one. */
export function approvalFindings(call: DecodedCall): readonly Finding[] {
  const [first, second, third] = call.arguments.map(({ value }) => value)
  switch (call.signature) {
    case 'approve(address,uint256)':
    case 'increaseAllowance(address,uint256)':
      return allowance(first, second)
    case 'approve(address,address,uint160,uint48)':
      return allowance(second, third)
    case 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)':
      return allowance(second, third)
    case 'setApprovalForAll(address,bool)':
      if (second !== 'true') return []
      return [critical(`It lets ${first ?? ''} move every token of this contract that the account has`)]
    default:
      return []
  }
}

function allowance(spender: string | undefined, amount: string | undefined): readonly Finding[] {
  if (spender === undefined || amount === undefined || BigInt(amount) === 0n) return []
  if (BigInt(amount) >= UNLIMITED) {
    return [critical(`It lets ${spender} take an unlimited amount of this token from the account`)]
  }
  return [warning(`It lets ${spender} take up to ${amount} units of this token from the account`)]
}

function critical(message: string): Finding {
  return { severity: 'CRITICAL', message }
}

function warning(message: string): Finding {
  return { severity: 'WARNING', message }
}
