// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

/// What the clients of the matrix deploy and call.
contract Probe {
    uint256 public held;

    event Stored(address indexed by, uint256 value);

    error Odd(uint256 value);

    constructor(uint256 first) {
        held = first;
    }

    function store(uint256 value) external {
        held = value;
        emit Stored(msg.sender, value);
    }

    function failText() external pure {
        revert("not today");
    }

    function failOdd(uint256 value) external pure {
        if (value % 2 == 1) revert Odd(value);
    }

    function failPanic() external pure {
        assert(false);
    }
}
