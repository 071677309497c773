package main

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/p2p"
	"github.com/ethereum/go-ethereum/p2p/enode"
	"github.com/ethereum/go-ethereum/rlp"
)

// The chain's own protocol: version 66 with 17 codes; its messages differ from Ethereum's in headers and bodies alone.
const (
	protocolName    = "parallax"
	protocolVersion = 66
	protocolCodes   = 17

	statusCode     = 0x00
	getHeadersCode = 0x03
	headersCode    = 0x04
	getBodiesCode  = 0x05
	bodiesCode     = 0x06

	maxMessage  = 10 << 20
	meetLimit   = 60 * time.Second
	wantHeaders = 8
)

type forkID struct {
	Hash [4]byte
	Next uint64
}

type status struct {
	Version uint32
	Network uint64
	TD      *big.Int
	Head    common.Hash
	Genesis common.Hash
	Fork    forkID
}

// Headers and bodies stay bytes: their items are the chain's own, and hashes are taken of the bytes.
type headersAnswer struct {
	ID      uint64
	Headers []rlp.RawValue
}

type bodiesAnswer struct {
	ID     uint64
	Bodies []rlp.RawValue
}

type headersQuery struct {
	ID    uint64
	Query struct {
		Origin  uint64
		Amount  uint64
		Skip    uint64
		Reverse bool
	}
}

type bodiesQuery struct {
	ID     uint64
	Hashes []common.Hash
}

// meetNode dials a node as a peer, shakes hands, and asks for its first headers and their bodies.
func meetNode(args []string) error {
	own, remote, err := meetingOf(args)
	if err != nil {
		return err
	}
	key, err := crypto.GenerateKey()
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	server := &p2p.Server{Config: p2p.Config{
		PrivateKey:  key,
		MaxPeers:    1,
		NoDiscovery: true,
		Name:        "peer-program",
		StaticNodes: []*enode.Node{remote},
		Protocols: []p2p.Protocol{{
			Name: protocolName, Version: protocolVersion, Length: protocolCodes,
			Run: func(peer *p2p.Peer, channel p2p.MsgReadWriter) error {
				err := converse(peer, channel, own)
				ended <- err
				return err
			},
		}},
	}}
	if err := server.Start(); err != nil {
		return err
	}
	defer server.Stop()
	select {
	case err := <-ended:
		return err
	case <-time.After(meetLimit):
		return fmt.Errorf("no meeting within %s", meetLimit)
	}
}

func meetingOf(args []string) (status, *enode.Node, error) {
	if len(args) != 5 {
		return status{}, nil, fmt.Errorf("meet takes 5 words, got %d", len(args))
	}
	remote, err := enode.ParseV4(args[0])
	if err != nil {
		return status{}, nil, err
	}
	network, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return status{}, nil, err
	}
	td, ok := new(big.Int).SetString(args[4], 10)
	if !ok {
		return status{}, nil, fmt.Errorf("total difficulty %q is not a decimal number", args[4])
	}
	genesis := common.HexToHash(args[2])
	own := status{Version: protocolVersion, Network: network, TD: td, Head: genesis, Genesis: genesis}
	copy(own.Fork.Hash[:], common.FromHex(args[3]))
	return own, remote, nil
}

func converse(peer *p2p.Peer, channel p2p.MsgReadWriter, own status) error {
	sent := make(chan error, 1)
	go func() { sent <- p2p.Send(channel, statusCode, &own) }()
	var theirs status
	if err := await(channel, statusCode, &theirs); err != nil {
		return fmt.Errorf("status: %w", err)
	}
	if err := <-sent; err != nil {
		return err
	}
	if err := say(map[string]any{
		"capabilities": capabilitiesOf(peer), "network": theirs.Network, "td": theirs.TD.String(),
		"head": theirs.Head.Hex(), "genesis": theirs.Genesis.Hex(), "fork": fmt.Sprintf("%x", theirs.Fork.Hash),
	}); err != nil {
		return err
	}
	hashes, err := askHeaders(channel)
	if err != nil {
		return fmt.Errorf("headers: %w", err)
	}
	return askBodies(channel, hashes)
}

func capabilitiesOf(peer *p2p.Peer) []string {
	names := []string{}
	for _, one := range peer.Caps() {
		names = append(names, one.String())
	}
	return names
}

func askHeaders(channel p2p.MsgReadWriter) ([]common.Hash, error) {
	query := headersQuery{ID: 41}
	query.Query.Amount = wantHeaders
	if err := p2p.Send(channel, getHeadersCode, &query); err != nil {
		return nil, err
	}
	var answer headersAnswer
	if err := await(channel, headersCode, &answer); err != nil {
		return nil, err
	}
	if answer.ID != query.ID {
		return nil, fmt.Errorf("answer to request %d", answer.ID)
	}
	hashes := make([]common.Hash, 0, len(answer.Headers))
	for _, header := range answer.Headers {
		hashes = append(hashes, crypto.Keccak256Hash(header))
	}
	return hashes, say(map[string]any{"headers": hashes})
}

func askBodies(channel p2p.MsgReadWriter, hashes []common.Hash) error {
	query := bodiesQuery{ID: 42, Hashes: hashes}
	if err := p2p.Send(channel, getBodiesCode, &query); err != nil {
		return err
	}
	var answer bodiesAnswer
	if err := await(channel, bodiesCode, &answer); err != nil {
		return fmt.Errorf("bodies: %w", err)
	}
	if answer.ID != query.ID {
		return fmt.Errorf("answer to request %d", answer.ID)
	}
	counts := make([]int, 0, len(answer.Bodies))
	for _, body := range answer.Bodies {
		// A body is a list of one item: the list of transactions.
		var parts [][]rlp.RawValue
		if err := rlp.DecodeBytes(body, &parts); err != nil {
			return fmt.Errorf("body: %w", err)
		}
		if len(parts) != 1 {
			return fmt.Errorf("body of %d items", len(parts))
		}
		counts = append(counts, len(parts[0]))
	}
	return say(map[string]any{"transactions": counts})
}

// await reads up to the message with this code; what a node announces or asks meanwhile is read and left.
func await(channel p2p.MsgReadWriter, code uint64, into any) error {
	for {
		message, err := channel.ReadMsg()
		if err != nil {
			return err
		}
		if message.Size > maxMessage {
			return errors.New("message too large")
		}
		if message.Code == code {
			return message.Decode(into)
		}
		if err := message.Discard(); err != nil {
			return err
		}
	}
}
