//go:build tools

package main

import (
	_ "github.com/ethereum/go-ethereum/cmd/clef"
	_ "github.com/ethereum/go-ethereum/cmd/devp2p"
)
