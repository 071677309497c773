package main

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/accounts/external"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// message is what is signed as text and as data; whoever checks the signature has to know it.
var message = []byte("a message of the test")

// useSigner is what a node does with an external signer: it asks for the accounts, then has a message and transactions
// signed by the first. Who signed is read from each signature, not taken from the answer.
func useSigner(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("signer takes 2 words, URL CHAIN_ID, got %d", len(args))
	}
	chainID, ok := new(big.Int).SetString(args[1], 10)
	if !ok {
		return fmt.Errorf("chain id %q is not a decimal number", args[1])
	}
	signer, err := external.NewExternalSigner(args[0])
	if err != nil {
		return err
	}
	status, err := signer.Status()
	if err != nil {
		return err
	}
	listed := signer.Accounts()
	if err := say(map[string]any{"status": status, "accounts": addressesOf(listed)}); err != nil {
		return err
	}
	if len(listed) == 0 {
		return fmt.Errorf("the signer lists no account")
	}
	if err := signMessage(signer, listed[0]); err != nil {
		return fmt.Errorf("text: %w", err)
	}
	for _, tx := range transactions(chainID) {
		if err := signTransaction(signer, listed[0], tx, chainID); err != nil {
			return fmt.Errorf("transaction of type %d: %w", tx.Type(), err)
		}
	}
	return nil
}

func addressesOf(listed []accounts.Account) []string {
	addresses := make([]string, 0, len(listed))
	for _, account := range listed {
		addresses = append(addresses, account.Address.Hex())
	}
	return addresses
}

func signMessage(signer *external.ExternalSigner, account accounts.Account) error {
	signature, err := signer.SignText(account, message)
	if err != nil {
		return err
	}
	if len(signature) != crypto.SignatureLength {
		return fmt.Errorf("signature of %d bytes", len(signature))
	}
	// The client gives 27 or 28 as last byte for 0 or 1 where the signer did; recovery takes 0 or 1.
	canonical := append([]byte(nil), signature...)
	if canonical[64] >= 27 {
		canonical[64] -= 27
	}
	key, err := crypto.SigToPub(accounts.TextHash(message), canonical)
	if err != nil {
		return err
	}
	return say(map[string]any{
		"kind":      "text",
		"by":        crypto.PubkeyToAddress(*key).Hex(),
		"signature": hexutil.Encode(canonical),
	})
}

// transactions are one of each type that the client can send.
func transactions(chainID *big.Int) []*types.Transaction {
	to := common.HexToAddress("0x52908400098527886e0f7030069857d2e4169ee7")
	price, value := big.NewInt(1_000_000_000), big.NewInt(1)
	list := types.AccessList{{Address: to, StorageKeys: []common.Hash{{31: 1}}}}
	return []*types.Transaction{
		types.NewTx(&types.LegacyTx{Nonce: 7, GasPrice: price, Gas: 21_000, To: &to, Value: value}),
		types.NewTx(&types.LegacyTx{Nonce: 8, GasPrice: price, Gas: 60_000, Value: value, Data: []byte{0x60, 0x00}}),
		types.NewTx(&types.AccessListTx{
			ChainID: chainID, Nonce: 9, GasPrice: price, Gas: 40_000, To: &to, Value: value, AccessList: list,
		}),
	}
}

func signTransaction(
	signer *external.ExternalSigner, account accounts.Account, tx *types.Transaction, chainID *big.Int,
) error {
	signed, err := signer.SignTx(account, tx, chainID)
	if err != nil {
		return err
	}
	rules := types.LatestSignerForChainID(chainID)
	if rules.Hash(signed) != rules.Hash(tx) {
		return fmt.Errorf("another transaction came back: %s", signed.Hash())
	}
	sender, err := types.Sender(rules, signed)
	if err != nil {
		return err
	}
	raw, err := signed.MarshalBinary()
	if err != nil {
		return err
	}
	return say(map[string]any{"kind": fmt.Sprintf("type %d", tx.Type()), "by": sender.Hex(), "raw": hexutil.Encode(raw)})
}
