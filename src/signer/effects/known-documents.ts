// Types of typed data whose whole meaning is known, as EIP-712 writes them. Any other spelling, order or member is
// another type: it gets the effects that its members reveal, but isn't understood.

const TOKEN_PERMISSIONS = 'TokenPermissions(address token,uint256 amount)'
const PERMIT_DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const AUTHORIZED = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'
const ITEM = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'

/** Those whose use can be tried before they are signed. */
export const DOCUMENT_TYPES = {
  // ERC-2612, DAI
  permit: 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
  daiPermit: 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
  // Permit2
  permitSingle: `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${PERMIT_DETAILS}`,
  permitBatch: `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${PERMIT_DETAILS}`,
  transfer: `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${TOKEN_PERMISSIONS}`,
  batchTransfer: `PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${TOKEN_PERMISSIONS}`,
  // ERC-3009
  authorization: `TransferWithAuthorization(${AUTHORIZED})`,
  receiving: `ReceiveWithAuthorization(${AUTHORIZED})`,
  // Safe 1.0 and later, ERC-4337 0.8
  safeTransaction:
    'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,' +
    'address gasToken,address refundReceiver,uint256 nonce)',
  userOperation:
    'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,' +
    'uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
  // Seaport
  order:
    'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,' +
    'uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)' +
    `ConsiderationItem(${ITEM},address recipient)OfferItem(${ITEM})`,
} as const

export const KNOWN_DOCUMENTS: ReadonlySet<string> = new Set([
  ...Object.values(DOCUMENT_TYPES),
  // ERC-4494
  'Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)',
  // ERC-3009
  'CancelAuthorization(address authorizer,bytes32 nonce)',
  // Votes: ERC-5805, Aave
  'Delegation(address delegatee,uint256 nonce,uint256 expiry)',
  'Delegate(address delegatee,uint256 nonce,uint256 expiry)',
  'Delegate(address delegator,address delegatee,uint256 nonce,uint256 deadline)',
  // Lending: Aave's credit delegation, Compound III, Morpho
  'DelegationWithSig(address delegatee,uint256 value,uint256 nonce,uint256 deadline)',
  'DelegationWithSig(address delegator,address delegatee,uint256 value,uint256 nonce,uint256 deadline)',
  'Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)',
  'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)',
  // OpenZeppelin's forwarder
  'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,bytes data)',
  'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)',
  // Orders: CoW, 0x, 1inch
  'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,' +
    'bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,' +
    'string buyTokenBalance)',
  'LimitOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,' +
    'uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,' +
    'uint64 expiry,uint256 salt)',
  'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,' +
    'uint256 takingAmount,uint256 makerTraits)',
])
