package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
)

func shown(logs []types.Log) [][]any {
	out := [][]any{}
	for _, log := range logs {
		out = append(out, []any{log.BlockHash, log.TxHash, log.Index, log.Removed})
	}
	return out
}

// What an ethclient reads of the question's blocks; prints one JSON object. This release computes a header's hash from the fields it
// knows, so that the parent's tells which block it is.
func readReorg(url string, text string) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var question struct {
		From         uint64        `json:"from"`
		Transactions []common.Hash `json:"transactions"`
		Filter       *string       `json:"filter"`
	}
	if err := json.Unmarshal([]byte(text), &question); err != nil {
		panic(err)
	}
	raw := must(rpc.Dial(url))
	client := ethclient.NewClient(raw)
	if question.Filter == nil {
		question.Filter = new(string)
		if err := raw.CallContext(ctx, question.Filter, "eth_newFilter", map[string]any{}); err != nil {
			panic(err)
		}
	}
	last := must(client.BlockNumber(ctx))
	blocks := []any{}
	for number := question.From; number <= last; number++ {
		header, err := client.HeaderByNumber(ctx, new(big.Int).SetUint64(number))
		if err != nil {
			blocks = append(blocks, err.Error())
			continue
		}
		blocks = append(blocks, []any{number, header.ParentHash})
	}
	receipts := []any{}
	for _, hash := range question.Transactions {
		found, err := client.TransactionReceipt(ctx, hash)
		if err == ethereum.NotFound {
			receipts = append(receipts, nil)
			continue
		}
		receipt := must(found, err)
		receipts = append(receipts, []any{receipt.BlockHash, receipt.Status, receipt.GasUsed, len(receipt.Logs)})
	}
	logs := must(client.FilterLogs(ctx, ethereum.FilterQuery{FromBlock: new(big.Int).SetUint64(question.From)}))
	var changes []types.Log
	if err := raw.CallContext(ctx, &changes, "eth_getFilterChanges", *question.Filter); err != nil {
		panic(err)
	}
	fmt.Println(string(must(json.Marshal(map[string]any{
		"filter": question.Filter, "last": last, "blocks": blocks, "receipts": receipts, "logs": shown(logs), "changes": shown(changes),
	}))))
}
