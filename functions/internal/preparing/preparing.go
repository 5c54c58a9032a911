// Package preparing wires the preparation of transactions, for every function that prepares
// transactions.
package preparing

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Settings bound the price offered for a compute unit, in micro-lamports.
type Settings struct {
	Floor uint64 `env:"PRIORITY_FEE_MICROLAMPORTS" envDefault:"10000"`
	Cap   uint64 `env:"PRIORITY_FEE_MAX_MICROLAMPORTS" envDefault:"1000000"`
}

// Bounds returns the bounds. It returns an error if the minimum exceeds the maximum.
func (s Settings) Bounds() (computebudget.Bounds, error) {
	if s.Cap < s.Floor {
		return computebudget.Bounds{}, errors.New("PRIORITY_FEE_MAX_MICROLAMPORTS is less than PRIORITY_FEE_MICROLAMPORTS")
	}
	return computebudget.Bounds{Floor: s.Floor, Cap: s.Cap}, nil
}

// Preparer returns the preparer of transactions for callers to sign. node is the client of the
// Solana nodes.
func (s Settings) Preparer(node *solanarpc.Client) (transaction.Preparer, error) {
	price, err := s.Bounds()
	if err != nil {
		return transaction.Preparer{}, err
	}
	return transaction.Preparer{Chain: node, Price: price, Now: time.Now, NewID: uuid.NewString}, nil
}
