// Command peer is an independent counterpart for the tests, made of the published modules of go-ethereum: its client of an
// external signer, and its peer-to-peer transport speaking the chain's own protocol name. Nothing of it is shipped.
//
// Each command prints one JSON object per line and ends with 0, or prints {"error": ...} and ends with 1.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// say prints one line for the test that started the program.
func say(value any) error {
	return json.NewEncoder(os.Stdout).Encode(value)
}

func main() {
	commands := map[string]func([]string) error{"signer": useSigner, "meet": meetNode}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: peer signer URL CHAIN_ID | peer meet ENODE NETWORK_ID GENESIS_HASH FORK_HASH TD")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		if say(map[string]string{"error": err.Error()}) != nil {
			os.Exit(3)
		}
		os.Exit(1)
	}
}
