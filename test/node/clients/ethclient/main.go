// What a user of go-ethereum's ethclient does, on a node; prints one JSON object. Arguments: HTTP, WebSocket, private key, probe.json;
// or reorg, HTTP and a question as JSON.
package main

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/ethclient/gethclient"
	"github.com/ethereum/go-ethereum/rpc"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func fault(_ any, err error) any {
	if err == nil {
		return nil
	}
	if detailed, ok := err.(rpc.DataError); ok {
		return []any{err.Error(), detailed.ErrorData()}
	}
	return []any{err.Error()}
}

func receipt(ctx context.Context, client *ethclient.Client, tx *types.Transaction) *types.Receipt {
	return must(bind.WaitMined(ctx, client, tx))
}

func signature(key *ecdsa.PrivateKey) string {
	bytes := must(crypto.Sign(accounts.TextHash([]byte("hello")), key))
	bytes[64] += 27
	return hexutil.Encode(bytes)
}

func main() {
	if os.Args[1] == "reorg" {
		readReorg(os.Args[2], os.Args[3])
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var probe struct {
		Abi  json.RawMessage `json:"abi"`
		Code string          `json:"code"`
	}
	if err := json.Unmarshal(must(os.ReadFile(os.Args[4])), &probe); err != nil {
		panic(err)
	}
	raw := must(rpc.Dial(os.Args[1]))
	client := ethclient.NewClient(raw)
	listener := must(ethclient.Dial(os.Args[2]))
	key := must(crypto.HexToECDSA(strings.TrimPrefix(os.Args[3], "0x")))
	chainID := must(client.ChainID(ctx))
	auth := must(bind.NewKeyedTransactorWithChainID(key, chainID))
	parsed := must(abi.JSON(strings.NewReader(string(probe.Abi))))

	address, tx, contract, err := bind.DeployContract(auth, parsed, common.FromHex(probe.Code), client, big.NewInt(7))
	if err != nil {
		panic(err)
	}
	deployed := receipt(ctx, client, tx)
	held := func() string {
		var out []any
		if err := contract.Call(nil, &out, "held"); err != nil {
			panic(err)
		}
		return out[0].(*big.Int).String()
	}
	before := held()

	logs := make(chan types.Log, 8)
	heads := make(chan *types.Header, 64)
	query := ethereum.FilterQuery{Addresses: []common.Address{address}}
	must(listener.SubscribeFilterLogs(ctx, query, logs))
	must(listener.SubscribeNewHead(ctx, heads))
	var filter string
	if err := raw.CallContext(ctx, &filter, "eth_newFilter", map[string]any{"address": address}); err != nil {
		panic(err)
	}
	message := ethereum.CallMsg{From: auth.From, To: &address, Gas: 100_000, Data: must(parsed.Pack("store", big.NewInt(8)))}
	list, listGas, listFault, err := gethclient.New(raw).CreateAccessList(ctx, message)
	if err != nil {
		panic(err)
	}
	stored := receipt(ctx, client, must(contract.Transact(auth, "store", big.NewInt(8))))
	unsigned := types.NewTx(&types.AccessListTx{
		ChainID:    chainID,
		Nonce:      must(client.PendingNonceAt(ctx, auth.From)),
		GasPrice:   must(client.SuggestGasPrice(ctx)),
		Gas:        100_000,
		To:         &address,
		Data:       must(parsed.Pack("store", big.NewInt(9))),
		AccessList: *list,
	})
	signed := must(types.SignTx(unsigned, types.LatestSignerForChainID(chainID), key))
	if err := client.SendTransaction(ctx, signed); err != nil {
		panic(err)
	}
	withList := receipt(ctx, client, signed)
	var changes []types.Log
	if err := raw.CallContext(ctx, &changes, "eth_getFilterChanges", filter); err != nil {
		panic(err)
	}
	events := must(client.FilterLogs(ctx, query))
	limited := *auth
	limited.GasLimit = 60_000
	failed := receipt(ctx, client, must(contract.Transact(&limited, "failText")))
	call := func(name string, args ...any) ethereum.CallMsg {
		return ethereum.CallMsg{From: auth.From, To: &address, Data: must(parsed.Pack(name, args...))}
	}
	// This release cannot read blocks: their hash isn't that of the header fields it knows. Headers and receipts come as they are.
	block, blockFault := client.BlockByNumber(ctx, stored.BlockNumber)
	told, head := <-logs, <-heads
	values := func(list []types.Log) []string {
		out := []string{}
		for _, log := range list {
			out = append(out, hexutil.Encode(log.Data))
		}
		return out
	}
	found, isPending, err := client.TransactionByHash(ctx, signed.Hash())
	answer := map[string]any{
		"chainId":     chainID.String(),
		"contract":    address,
		"deployed":    []any{deployed.Status, deployed.GasUsed, deployed.ContractAddress},
		"code":        hexutil.Encode(must(client.CodeAt(ctx, address, nil))),
		"before":      before,
		"after":       held(),
		"estimate":    must(client.EstimateGas(ctx, call("store", big.NewInt(3)))),
		"listed":      []any{list, listGas, listFault},
		"stored":      []any{stored.Status, stored.Type, stored.GasUsed, len(stored.Logs), stored.Bloom},
		"withList":    []any{withList.Status, withList.Type, withList.GasUsed},
		"changes":     values(changes),
		"events":      values(events),
		"failed":      []any{failed.Status, failed.GasUsed},
		"faults": []any{
			fault(client.CallContract(ctx, call("failText"), nil)),
			fault(client.CallContract(ctx, call("failOdd", big.NewInt(3)), nil)),
			fault(client.CallContract(ctx, call("failPanic"), nil)),
			fault(client.EstimateGas(ctx, call("failOdd", big.NewInt(5)))),
		},
		"told":        hexutil.Encode(told.Data),
		"head":        head.Number != nil,
		"block":       []any{block != nil, fmt.Sprint(blockFault)},
		"transaction": []any{found.Hash() == signed.Hash(), isPending, err == nil},
		"nonce":       must(client.NonceAt(ctx, auth.From, nil)),
		"signed":      signature(key),
		"pending":     must(client.PendingCodeAt(ctx, address)) != nil,
	}
	fmt.Println(string(must(json.Marshal(answer))))
}
