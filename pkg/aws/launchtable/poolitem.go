package launchtable

import (
	"time"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/token"
)

// PoolItem is a stored pool, in a token's record and elsewhere.
type PoolItem struct {
	Kind       string `dynamodbav:"kind"`
	Address    []byte `dynamodbav:"address"`
	Mint       []byte `dynamodbav:"mint"`
	Creator    []byte `dynamodbav:"creator"`
	TokenVault []byte `dynamodbav:"tokenVault"`
	SOLVault   []byte `dynamodbav:"solVault"`
	Authority  []byte `dynamodbav:"authority"`
	LPMint     []byte `dynamodbav:"lpMint,omitempty"`
	CreatedAt  int64  `dynamodbav:"createdAt,omitempty"` // Unix milliseconds
}

// NewPoolItem returns the item of a pool.
func NewPoolItem(p token.Pool) PoolItem {
	item := PoolItem{
		Kind: string(p.Kind), Address: p.Address[:], Mint: p.Mint[:], Creator: p.Creator[:],
		TokenVault: p.TokenVault[:], SOLVault: p.SOLVault[:], Authority: p.Authority[:], LPMint: bytesOf(p.LPMint),
	}
	if !p.CreatedAt.IsZero() {
		item.CreatedAt = p.CreatedAt.UnixMilli()
	}
	return item
}

// Pool returns the pool of the item.
func (i PoolItem) Pool() token.Pool {
	p := token.Pool{
		Kind: token.PoolKind(i.Kind), Address: dynamo.PublicKey(i.Address), Mint: dynamo.PublicKey(i.Mint), Creator: dynamo.PublicKey(i.Creator),
		TokenVault: dynamo.PublicKey(i.TokenVault), SOLVault: dynamo.PublicKey(i.SOLVault), Authority: dynamo.PublicKey(i.Authority), LPMint: dynamo.PublicKey(i.LPMint),
	}
	if i.CreatedAt != 0 {
		p.CreatedAt = time.UnixMilli(i.CreatedAt).UTC()
	}
	return p
}

// PoolAttribute returns the attribute of a token's record for the pool of a kind. A token has at
// most one pool of each kind, because the programs derive a pool's address from the mints.
func PoolAttribute(k token.PoolKind) string {
	if k == token.RaydiumCPMM {
		return "cpmm"
	}
	return "damm"
}
