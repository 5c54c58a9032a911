package million

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/binary"
	"math/rand/v2"
	"os"

	"filippo.io/edwards25519"
	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"
)

// The n-th holder has an account with an individual amount, and withheld tax in the account.
const withheldEach = 7

func amountOf(n int) uint64 {
	const spread, below = 2_654_435_761, 1_000_000_007
	return 1 + uint64(n)*spread%below //nolint:gosec // n counts from 0.
}

func supplyOf(holders int) (sum uint64) {
	for n := range holders {
		sum += amountOf(n) + withheldEach
	}
	return sum
}

// wallets iterates over addresses on the curve, without end: the base point, twice the base point,
// and so on.
func wallets(yield func(solana.PublicKey) bool) {
	base, at := edwards25519.NewGeneratorPoint(), edwards25519.NewGeneratorPoint()
	for yield(solana.PublicKeyFromBytes(at.Bytes())) {
		at.Add(at, base)
	}
}

// accountAddress returns an invented address of the n-th account.
func accountAddress(n int) (key solana.PublicKey) {
	source := rand.NewPCG(uint64(n), 1) //nolint:gosec // n counts from 0.
	for at := 0; at < len(key); at += 8 {
		binary.LittleEndian.PutUint64(key[at:], source.Uint64())
	}
	return key
}

// Offsets in an account of 182 bytes, like wallets' accounts, from the owner on.
const (
	partLength     = 182 - 32
	amountAt       = 32
	stateAt        = 76
	kindAt         = 133 // of the account's type, 2; the extensions follow
	withheldAt     = 142
	immutableOwner = 7
	feeAmount      = 2
	feeLength      = 8
)

// writeAnswer writes a node's response to getProgramAccounts.
func writeAnswer(_ context.Context, d desk) (facts, error) {
	file, err := os.Create(d.path(answerFile))
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	line := []byte(`{"jsonrpc":"2.0","result":{"context":{"apiVersion":"3.0.0","slot":9},"value":[`)
	part := make([]byte, partLength)
	part[stateAt], part[kindAt], part[kindAt+1], part[kindAt+5], part[kindAt+7] = 1, 2, immutableOwner, feeAmount, feeLength
	n := 0
	for owner := range wallets {
		if n == d.holders {
			break
		}
		copy(part, owner[:])
		binary.LittleEndian.PutUint64(part[amountAt:], amountOf(n))
		binary.LittleEndian.PutUint64(part[withheldAt:], withheldEach)
		if n > 0 {
			line = append(line, ',')
		}
		line = base64.StdEncoding.AppendEncode(append(line, `{"account":{"data":["`...), part)
		line = append(line, `","base64"],"executable":false,"lamports":2157600,"owner":"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb","rentEpoch":18446744073709551615,"space":182},"pubkey":"`...)
		address := accountAddress(n)
		line = append(base58.AppendEncode32(line, (*[32]byte)(&address)), `"}`...)
		if _, err := out.Write(line); err != nil {
			return nil, err
		}
		line = line[:0]
		n++
	}
	if _, err := out.WriteString(`]},"id":1}`); err != nil {
		return nil, err
	}
	if err := out.Flush(); err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return facts{"bytes": uint64(info.Size())}, file.Close() //nolint:gosec // A length.
}
