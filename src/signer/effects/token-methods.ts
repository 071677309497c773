// Methods of tokens and of Permit2: transfers and grants. Sources: ERC-20, ERC-721, ERC-777, ERC-1155, ERC-1363,
// ERC-2612, ERC-3009, ERC-4494, DAI's permit, Permit2's IAllowanceTransfer and ISignatureTransfer, Uniswap's
// SelfPermit.
import { type CallReading, type MethodMeaning, method, type Words } from './method'

/** An ERC-20 amount may be an ERC-721 token id: the data doesn't reveal which. */
const moves: readonly MethodMeaning[] = [
  method('transfer(address,uint256)', moveTo),
  method('transfer(address,uint256,bytes)', moveTo),
  method('transferAndCall(address,uint256)', moveTo),
  method('transferAndCall(address,uint256,bytes)', moveTo),
  method('send(address,uint256,bytes)', moveTo),
  method('transferFrom(address,address,uint256)', moveFrom),
  method('safeTransferFrom(address,address,uint256)', moveFrom),
  method('safeTransferFrom(address,address,uint256,bytes)', moveFrom),
  method('operatorSend(address,address,uint256,bytes,bytes)', moveFrom),
  method('transferFromAndCall(address,address,uint256)', moveFrom),
  method('transferFromAndCall(address,address,uint256,bytes)', moveFrom),
  method('safeTransferFrom(address,address,uint256,uint256,bytes)', ({ add, args }) => {
    const detail = `token number ${args.number(2)}`
    add({ kind: 'transfer', from: args.address(0), to: args.address(1), amount: args.number(3), detail })
  }),
  method('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', ({ add, args, hasRoom }) => {
    const numbers = args.list(2)
    const amounts = args.list(3)
    for (let i = 0; i < amounts.count && hasRoom(); i++) {
      const detail = `token number ${numbers.items.number(i)}`
      const amount = amounts.items.number(i)
      add({ kind: 'transfer', from: args.address(0), to: args.address(1), amount, detail })
    }
  }),
]

function moveTo({ add, args }: CallReading): void {
  add({ kind: 'transfer', to: args.address(0), amount: args.number(1) })
}

function moveFrom({ add, args }: CallReading): void {
  add({ kind: 'transfer', from: args.address(0), to: args.address(1), amount: args.number(2) })
}

const grants: readonly MethodMeaning[] = [
  method('approve(address,uint256)', allowance),
  method('increaseAllowance(address,uint256)', allowance),
  method('increaseApproval(address,uint256)', allowance),
  method('safeApprove(address,uint256)', allowance),
  method('safeIncreaseAllowance(address,uint256)', allowance),
  method('approve(address,uint256,uint256)', ({ add, args }) => {
    // An ERC-20 variant with the expected allowance in the middle, ERC-6909 with a token id in the middle.
    grant({ add }, { to: args.address(0), amount: args.number(2) })
  }),
  method('approveAndCall(address,uint256)', allowance),
  method('approveAndCall(address,uint256,bytes)', allowance),
  method('approveAndCall(address,bytes)', ({ add, args }) =>
    add({ kind: 'grant', to: args.address(0), amount: 'all' }),
  ),
  method('setApprovalForAll(address,bool)', operator),
  method('setOperator(address,bool)', operator),
  method('authorizeOperator(address)', ({ add, args }) => add({ kind: 'grant', to: args.address(0), amount: 'all' })),
  method('revokeOperator(address)', ({ add, args }) => add({ kind: 'revocation', to: args.address(0) })),
  method('decreaseAllowance(address,uint256)', ({ add, args }) => add({ kind: 'revocation', to: args.address(0) })),
]

function allowance({ add, args }: CallReading): void {
  grant({ add }, { to: args.address(0), amount: args.number(1) })
}

function operator({ add, args }: CallReading): void {
  const to = args.address(0)
  add(args.isSet(1) ? { kind: 'grant', to, amount: 'all' } : { kind: 'revocation', to })
}

type Granted = Partial<Parameters<CallReading['add']>[0]> & { readonly amount: bigint }

/** Zero revokes. */
function grant({ add }: Pick<CallReading, 'add'>, granted: Granted): void {
  add({ ...granted, kind: granted.amount === 0n ? 'revocation' : 'grant' })
}

const permits: readonly MethodMeaning[] = [
  method('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', ownerPermit),
  method('permit(address,address,uint256,uint256,bytes)', ownerPermit),
  method('permit(address,uint256,uint256,uint8,bytes32,bytes32)', numberPermit),
  method('permit(address,uint256,uint256,bytes)', numberPermit),
  method('permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)', ({ add, args }) => {
    const [from, to, until] = [args.address(0), args.address(1), endOf(args.number(3))]
    add(args.isSet(4) ? { kind: 'grant', from, to, amount: 'all', until } : { kind: 'revocation', from, to })
  }),
  ...['selfPermit', 'selfPermitIfNecessary'].map((name) =>
    method(`${name}(address,uint256,uint256,uint8,bytes32,bytes32)`, ({ add, args, contract }) => {
      const [token, amount, until] = [args.address(0), args.number(1), args.number(2)]
      grant({ add }, { contract: token, to: contract, amount, until })
    }),
  ),
  ...['selfPermitAllowed', 'selfPermitAllowedIfNecessary'].map((name) =>
    method(`${name}(address,uint256,uint256,uint8,bytes32,bytes32)`, ({ add, args, contract }) => {
      add({ kind: 'grant', contract: args.address(0), to: contract, amount: 'all', until: endOf(args.number(2)) })
    }),
  ),
]

function ownerPermit({ add, args }: CallReading): void {
  grant({ add }, { from: args.address(0), to: args.address(1), amount: args.number(2), until: args.number(3) })
}

function numberPermit({ add, args }: CallReading): void {
  const detail = `token number ${args.number(1)}`
  add({ kind: 'grant', to: args.address(0), amount: 'number', detail, until: args.number(2) })
}

/** DAI's zero means no expiry. */
function endOf(until: bigint): bigint | null {
  return until === 0n ? null : until
}

const PERMIT_DETAILS_WORDS = 4
const TOKEN_AMOUNT_WORDS = 2

/** Permit2: tokens and amounts of an owner, whose signature is in the data. */
const permit2: readonly MethodMeaning[] = [
  method('approve(address,address,uint160,uint48)', ({ add, args }) => {
    const [contract, to, until] = [args.address(0), args.address(1), args.number(3)]
    grant({ add }, { contract, to, amount: args.number(2), until })
  }),
  method('permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)', (call) =>
    permitSingle(call, call.args.from(1), call.args.address(0)),
  ),
  method('permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)', (call) =>
    permitBatch(call, call.args.tuple(1), call.args.address(0)),
  ),
  method('transferFrom(address,address,uint160,address)', ({ add, args }) => {
    const [from, to, amount] = [args.address(0), args.address(1), args.number(2)]
    add({ kind: 'transfer', contract: args.address(3), from, to, amount })
  }),
  method('transferFrom((address,address,uint160,address)[])', ({ add, args, hasRoom }) => {
    const { count, items } = args.list(0)
    for (let i = 0; i < count && hasRoom(); i++) {
      const move = items.from(i * 4)
      const [from, to, amount] = [move.address(0), move.address(1), move.number(2)]
      add({ kind: 'transfer', contract: move.address(3), from, to, amount })
    }
  }),
  method('permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)', ({ add, args }) => {
    const [contract, to, from] = [args.address(0), args.address(4), args.address(6)]
    add({ kind: 'transfer', contract, from, to, amount: args.number(5) })
  }),
  method(
    'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
    ({ add, args, hasRoom }) => {
      const permitted = args.tuple(0).list(0)
      const moved = args.list(1)
      for (let i = 0; i < moved.count && hasRoom(); i++) {
        const contract = permitted.items.address(i * TOKEN_AMOUNT_WORDS)
        const to = moved.items.address(i * TOKEN_AMOUNT_WORDS)
        const amount = moved.items.number(i * TOKEN_AMOUNT_WORDS + 1)
        add({ kind: 'transfer', contract, from: args.address(2), to, amount })
      }
    },
  ),
]

/** @param permit `((token, amount, expiration, nonce), spender, deadline)` */
export function permitSingle({ add }: CallReading, permit: Words, from: string | null): void {
  const [contract, to] = [permit.address(0), permit.address(PERMIT_DETAILS_WORDS)]
  grant({ add }, { contract, from, to, amount: permit.number(1), until: permit.number(2) })
}

/** @param permit `((token, amount, expiration, nonce)[], spender, deadline)` */
export function permitBatch({ add, hasRoom }: CallReading, permit: Words, from: string | null): void {
  const { count, items } = permit.list(0)
  for (let i = 0; i < count && hasRoom(); i++) {
    const details = items.from(i * PERMIT_DETAILS_WORDS)
    const [contract, to] = [details.address(0), permit.address(1)]
    grant({ add }, { contract, from, to, amount: details.number(1), until: details.number(2) })
  }
}

export const tokenMethods: readonly MethodMeaning[] = [...moves, ...grants, ...permits, ...permit2]
