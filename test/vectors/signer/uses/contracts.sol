// SPDX-License-Identifier: Apache-2.0
// Small contracts that take signatures exactly as the standards say, to try what others would do with one. Written for
// these tests; compiled to contracts.json with solc 0.8.37, via IR, optimizer runs 1, EVM version berlin, no metadata.
pragma solidity ^0.8.20;

/// ERC-20 with ERC-2612 and ERC-3009; `drain` moves units without an event.
contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public nonces;
    mapping(address => mapping(bytes32 => bool)) public used;

    function domain() public view returns (bytes32) {
        return keccak256(abi.encode(
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
            keccak256("Token"), keccak256("1"), block.chainid, address(this)));
    }

    function move(address from, address to, uint256 value) internal {
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }

    function transfer(address to, uint256 value) external returns (bool) { move(msg.sender, to, value); return true; }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function drain(address to) external { move(msg.sender, to, balanceOf[msg.sender]); }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline, "expired");
        bytes32 hash = keccak256(abi.encode(
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
            owner, spender, value, nonces[owner]++, deadline));
        require(ecrecover(keccak256(abi.encodePacked("\x19\x01", domain(), hash)), v, r, s) == owner, "signer");
        allowance[owner][spender] = value;
    }

    function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp > validAfter && block.timestamp < validBefore, "time");
        require(!used[from][nonce], "used");
        used[from][nonce] = true;
        bytes32 hash = keccak256(abi.encode(
            keccak256("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"),
            from, to, value, validAfter, validBefore, nonce));
        require(ecrecover(keccak256(abi.encodePacked("\x19\x01", domain(), hash)), v, r, s) == from, "signer");
        move(from, to, value);
    }
}

/// ERC-721, as far as an order needs it.
contract Collectible {
    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    function supportsInterface(bytes4 id) external pure returns (bool) { return id == 0x80ac58cd || id == 0x01ffc9a7; }
    function setApprovalForAll(address operator, bool isOn) external { isApprovedForAll[msg.sender][operator] = isOn; }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from, "owner");
        require(from == msg.sender || isApprovedForAll[from][msg.sender], "operator");
        ownerOf[id] = to;
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
    }
}

struct OfferItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; }
struct ConsiderationItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; address payable recipient; }
struct OrderParameters {
    address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType;
    uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey;
    uint256 totalOriginalConsiderationItems;
}
struct Order { OrderParameters parameters; bytes signature; }

/// Seaport's fulfillOrder with full amounts, without conduits and zones.
contract Market {
    mapping(address => uint256) public counters;
    bytes32 constant OFFER = keccak256("OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)");
    bytes32 constant ASKED = keccak256("ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)");
    bytes32 constant ORDER = keccak256("OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)");

    function hashOf(OrderParameters calldata p) internal view returns (bytes32) {
        bytes memory offers;
        for (uint256 i = 0; i < p.offer.length; i++) offers = abi.encodePacked(offers, keccak256(abi.encode(OFFER, p.offer[i])));
        bytes memory asked;
        for (uint256 i = 0; i < p.consideration.length; i++) asked = abi.encodePacked(asked, keccak256(abi.encode(ASKED, p.consideration[i])));
        bytes memory head = abi.encode(ORDER, p.offerer, p.zone, keccak256(offers), keccak256(asked), p.orderType);
        bytes memory tail = abi.encode(p.startTime, p.endTime, p.zoneHash, p.salt, p.conduitKey, counters[p.offerer]);
        return keccak256(abi.encodePacked(head, tail));
    }

    function domain() public view returns (bytes32) {
        return keccak256(abi.encode(
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
            keccak256("Seaport"), keccak256("1.5"), block.chainid, address(this)));
    }

    function give(uint8 kind, address token, uint256 id, uint256 amount, address from, address to) internal {
        if (kind == 0) { (bool ok, ) = payable(to).call{value: amount}(""); require(ok, "pay"); }
        else if (kind == 1) require(Token(token).transferFrom(from, to, amount), "token");
        else Collectible(token).transferFrom(from, to, id);
    }

    function fulfillOrder(Order calldata order, bytes32) external payable returns (bool) {
        OrderParameters calldata p = order.parameters;
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain(), hashOf(p)));
        bytes calldata sig = order.signature;
        require(ecrecover(digest, uint8(sig[64]), bytes32(sig[0:32]), bytes32(sig[32:64])) == p.offerer, "signer");
        require(block.timestamp >= p.startTime && block.timestamp < p.endTime, "time");
        for (uint256 i = 0; i < p.offer.length; i++) {
            OfferItem calldata o = p.offer[i];
            give(o.itemType, o.token, o.identifierOrCriteria, o.startAmount, p.offerer, msg.sender);
        }
        for (uint256 i = 0; i < p.consideration.length; i++) {
            ConsiderationItem calldata c = p.consideration[i];
            give(c.itemType, c.token, c.identifierOrCriteria, c.startAmount, msg.sender, c.recipient);
        }
        return true;
    }
}

struct PackedUserOperation {
    address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas;
    bytes32 gasFees; bytes paymasterAndData; bytes signature;
}

/// ERC-4337 0.8, as far as an account without paymaster needs it: validation, then execution; no fees.
contract EntryPoint {
    function handleOps(PackedUserOperation[] calldata ops, address payable) external {
        for (uint256 i = 0; i < ops.length; i++) {
            PackedUserOperation calldata op = ops[i];
            bytes32 hash = keccak256(abi.encode(
                keccak256("PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)"),
                op.sender, op.nonce, keccak256(op.initCode), keccak256(op.callData), op.accountGasLimits, op.preVerificationGas,
                op.gasFees, keccak256(op.paymasterAndData)));
            bytes32 separator = keccak256(abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("ERC4337"), keccak256("1"), block.chainid, address(this)));
            Account(payable(op.sender)).validate(keccak256(abi.encodePacked("\x19\x01", separator, hash)), op.signature);
            (bool ok, ) = op.sender.call(op.callData);
            ok;
        }
    }
}

contract Account {
    address public owner;
    receive() external payable {}
    function validate(bytes32 hash, bytes calldata sig) external view {
        require(ecrecover(hash, uint8(sig[64]), bytes32(sig[0:32]), bytes32(sig[32:64])) == owner, "AA24 signature error");
    }
    function execute(address to, uint256 value, bytes calldata data) external {
        (bool ok, ) = to.call{value: value}(data);
        require(ok, "call");
    }
}

/// A Safe of several owners: its storage layout and its hashes are Safe 1.3's.
contract Wallet {
    address singleton;                        // 0
    mapping(address => address) modules;      // 1
    mapping(address => address) owners;       // 2
    uint256 ownerCount;                       // 3
    uint256 threshold;                        // 4
    uint256 public nonce;                     // 5
    receive() external payable {}

    function execTransaction(address to, uint256 value, bytes calldata data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address payable refundReceiver, bytes calldata signatures) external payable returns (bool ok) {
        bytes32 hash = keccak256(abi.encode(
            keccak256("SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)"),
            to, value, keccak256(data), operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce++));
        bytes32 separator = keccak256(abi.encode(
            keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this)));
        check(keccak256(abi.encodePacked("\x19\x01", separator, hash)), signatures);
        if (operation == 1) (ok, ) = to.delegatecall(data);
        else (ok, ) = to.call{value: value}(data);
        require(ok, "GS013");
    }

    function check(bytes32 digest, bytes calldata signatures) internal view {
        require(threshold > 0 && signatures.length >= threshold * 65, "GS020");
        address last = address(0);
        for (uint256 i = 0; i < threshold; i++) {
            bytes calldata sig = signatures[i * 65:];
            address owner = ecrecover(digest, uint8(sig[64]), bytes32(sig[0:32]), bytes32(sig[32:64]));
            require(owner > last && owners[owner] != address(0), "GS026");
            last = owner;
        }
    }
}
