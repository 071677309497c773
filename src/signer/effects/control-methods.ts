// Methods that transfer control: owners, roles, modules, replaced code, votes. Sources: OpenZeppelin's access and proxy
// contracts, Safe, ERC-2535, Compound's and ERC-5805's votes.
import { NOBODY } from './effect'
import type { MethodMeaning } from './method'
import { method } from './method'

/** Signatures whose address argument gains control, with that argument's index. */
const GAINED: readonly (readonly [signature: string, index: number, detail: string])[] = [
  ['transferOwnership(address)', 0, 'becomes its owner'],
  ['transferOwnership(address,bool,bool)', 0, 'becomes its owner'],
  ['safeTransferOwnership(address,bool)', 0, 'becomes its owner'],
  ['setOwner(address)', 0, 'becomes its owner'],
  ['changeOwner(address)', 0, 'becomes its owner'],
  ['setPendingOwner(address)', 0, 'may become its owner'],
  ['nominateNewOwner(address)', 0, 'may become its owner'],
  ['proposeOwner(address)', 0, 'may become its owner'],
  ['setAdmin(address)', 0, 'becomes its administrator'],
  ['changeAdmin(address)', 0, 'becomes its administrator'],
  ['transferAdmin(address)', 0, 'becomes its administrator'],
  ['setPendingAdmin(address)', 0, 'may become its administrator'],
  ['_setPendingAdmin(address)', 0, 'may become its administrator'],
  ['beginDefaultAdminTransfer(address)', 0, 'may become its administrator'],
  ['setProxyOwner(address)', 0, 'becomes the owner of its proxy'],
  ['transferProxyOwnership(address)', 0, 'becomes the owner of its proxy'],
  ['changeProxyAdmin(address,address)', 1, 'becomes the administrator of a proxy'],
  ['setGovernance(address)', 0, 'governs it'],
  ['setGovernor(address)', 0, 'governs it'],
  ['transferGovernance(address)', 0, 'governs it'],
  ['setController(address)', 0, 'controls it'],
  ['setAuthority(address)', 0, 'decides who may call it'],
  ['setOperator(address)', 0, 'operates it'],
  ['setManager(address)', 0, 'manages it'],
  ['setMinter(address)', 0, 'may mint'],
  ['addMinter(address)', 0, 'may mint'],
  ['addAdmin(address)', 0, 'becomes an administrator'],
  ['addOwner(address)', 0, 'becomes an owner'],
  ['grantRole(bytes32,address)', 1, 'gains a role'],
  ['transferERC721Ownership(address,address,uint256)', 1, 'becomes the owner'],
  ['addOwnerWithThreshold(address,uint256)', 0, 'becomes an owner of the wallet'],
  ['swapOwner(address,address,address)', 2, 'becomes an owner of the wallet'],
  ['enableModule(address)', 0, 'may move everything of the wallet without its owners'],
  ['setGuard(address)', 0, 'decides what the wallet may do'],
  ['setModuleGuard(address)', 0, 'decides what the modules of the wallet may do'],
  ['setFallbackHandler(address)', 0, 'answers in the place of the wallet'],
  ['changeMasterCopy(address)', 0, 'is the code of the wallet'],
  ['upgradeTo(address)', 0, 'is its code from then on'],
  ['setImplementation(address)', 0, 'is its code from then on'],
  ['_setImplementation(address)', 0, 'is its code from then on'],
  ['setTarget(address)', 0, 'is its code from then on'],
  ['upgrade(address,address)', 1, 'is the code of a proxy from then on'],
  ['setOwner(bytes32,address)', 1, 'owns the name'],
  ['setSubnodeOwner(bytes32,bytes32,address)', 2, 'owns the name'],
  ['setResolver(bytes32,address)', 1, 'answers for the name'],
]

const gains = GAINED.map(([signature, index, detail]) =>
  method(signature, ({ add, args }) => add({ kind: 'control', to: args.address(index), detail })),
)

const others: readonly MethodMeaning[] = [
  method('renounceOwnership()', ({ add }) => add({ kind: 'control', to: null, detail: 'nobody owns it any more' })),
  method('acceptOwnership()', ({ add, sender }) => add({ kind: 'control', to: sender, detail: 'becomes its owner' })),
  method('changeThreshold(uint256)', ({ add, args }) =>
    add({ kind: 'control', to: null, detail: `${args.number(0)} owners are enough for the wallet` }),
  ),
  method('removeOwner(address,address,uint256)', ({ add, args }) =>
    add({
      kind: 'control',
      to: null,
      detail: `${args.address(1)} owns the wallet no longer, ${args.number(2)} owners are enough`,
    }),
  ),
  method('upgradeToAndCall(address,bytes)', ({ add, args, inner, contract, sender }) => {
    add({ kind: 'control', to: args.address(0), detail: 'is its code from then on' })
    inner(args.bytes(1), contract, sender)
  }),
  method('upgradeAndCall(address,address,bytes)', ({ add, args, inner, contract }) => {
    const detail = 'is the code of a proxy from then on'
    add({ kind: 'control', contract: args.address(0), to: args.address(1), detail })
    inner(args.bytes(2), args.address(0), contract)
  }),
  method('diamondCut((address,uint8,bytes4[])[],address,bytes)', ({ add, args, hasRoom, inner, contract, sender }) => {
    const { count, items } = args.list(0)
    for (let i = 0; i < count && hasRoom(); i++) {
      // Nobody: methods are removed.
      const to = items.tuple(i).address(0)
      const detail = to === NOBODY ? 'loses a part of its code' : 'is its code from then on'
      add({ kind: 'control', to: to === NOBODY ? null : to, detail })
    }
    const starts = args.address(1)
    if (starts !== NOBODY) add({ kind: 'control', to: starts, detail: 'is its code from then on' })
    inner(args.bytes(2), contract, sender)
  }),
  method('delegate(address)', ({ add, args }) => add({ kind: 'vote', to: args.address(0) })),
  method('delegateBySig(address,uint256,uint256,uint8,bytes32,bytes32)', ({ add, args }) =>
    add({ kind: 'vote', to: args.address(0) }),
  ),
]

export const controlMethods: readonly MethodMeaning[] = [...gains, ...others]
