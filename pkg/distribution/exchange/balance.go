package exchange

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Balance is the state of an address at one moment. The zero Balance of an address means that the
// account does not exist.
type Balance struct {
	Address  solana.PublicKey
	Lamports uint64
	Program  solana.PublicKey // owner program of the account
	Bytes    int              // of data
	// These fields are zero unless the account is a token account.
	Mint, Owner solana.PublicKey
	Amount      uint64 // base units
	Frozen      bool
	// Shared reports that an authority in addition to the owner may move the tokens or close the
	// account.
	Shared bool
}

// Offsets of the optional delegate and close authority in a token account (spl-token, Account): a
// u32, which is zero without an authority.
const (
	delegateOffset       = 72
	closeAuthorityOffset = 129
)

// ReadBalance decodes an account as stored on the chain.
func ReadBalance(address, program solana.PublicKey, lamports uint64, data []byte) Balance {
	b := Balance{Address: address, Lamports: lamports, Program: program, Bytes: len(data)}
	if account, err := token2022.DecodeAccount(program, data); err == nil {
		b.Mint, b.Owner, b.Amount, b.Frozen = account.Mint, account.Owner, account.Amount, account.Frozen
		b.Shared = binary.LittleEndian.Uint32(data[delegateOffset:]) != 0 || binary.LittleEndian.Uint32(data[closeAuthorityOffset:]) != 0
	}
	return b
}

// Watched returns the accounts whose balances CheckBalances and Proceeds need: the wallet first,
// then the wallet's token accounts for input, output and wrapped SOL, under either token program.
// Some accounts do not exist.
func Watched(o Order) ([]solana.PublicKey, error) {
	list := []solana.PublicKey{o.Wallet}
	for _, mint := range []solana.PublicKey{o.Input, o.Output.Mint()} {
		accounts, err := associated(o.Wallet, mint)
		if err != nil {
			return nil, err
		}
		list = append(list, accounts...)
	}
	if !o.Output.IsSOL() {
		wrapped, err := token2022.AssociatedAddress(o.Wallet, solana.WrappedSol, solana.TokenProgramID)
		if err != nil {
			return nil, err
		}
		list = append(list, wrapped)
	}
	return list, nil
}

// CheckBalances compares the simulated balances of the watched accounts before and after the swap.
// It returns a *Deferred unless the wallet loses at most the quoted input, gains at least the
// quoted minimum, spends at most maxCost lamports on fees and rent, and keeps sole control of its
// accounts.
func CheckBalances(q Quote, before, after []Balance, maxCost uint64) error {
	for _, b := range after {
		switch {
		case b.Address == q.Order.Wallet:
			if b.Program != solana.SystemProgramID || b.Bytes != 0 {
				return unsafe("it hands the wallet itself to %s", b.Program)
			}
		case b.Lamports == 0:
		case b.Mint.IsZero(), b.Owner != q.Order.Wallet, b.Shared && !find(before, b.Address).Shared, b.Frozen && !find(before, b.Address).Frozen:
			return unsafe("the wallet would not have its account %s for itself afterwards", b.Address)
		}
	}
	m := measure(q.Order, before, after)
	minimum, cost := new(big.Int).SetUint64(q.MinimumOut), new(big.Int).SetUint64(maxCost)
	if m.sold.Cmp(new(big.Int).SetUint64(q.In)) > 0 {
		return unsafe("it takes %d of the input, %d were quoted", m.sold, q.In)
	}
	if !q.Order.Output.IsSOL() {
		if m.bought.Cmp(minimum) < 0 {
			return unsafe("it brings %d, at least %d were quoted", m.bought, q.MinimumOut)
		}
		minimum.SetUint64(0)
	}
	if new(big.Int).Add(m.wallet, cost).Cmp(minimum) < 0 {
		return unsafe("it changes the wallet by %d lamports, where %d were quoted and %d may be spent", m.wallet, minimum, maxCost)
	}
	return nil
}

// Proceeds returns the sold amount and the proceeds of an executed swap, from the watched balances
// before and after the transaction. The proceeds in lamports exclude the transaction's fee and the
// rent of the wallet's token accounts.
func Proceeds(o Order, before, after []Balance, feeLamports uint64) (sold, received uint64, err error) {
	m := measure(o, before, after)
	got := m.bought
	if o.Output.IsSOL() {
		got = new(big.Int).Add(m.wallet, m.rent)
		got.Add(got, new(big.Int).SetUint64(feeLamports))
	}
	if !m.sold.IsUint64() || !got.IsUint64() {
		return 0, 0, unsafe("it sold %d for %d", m.sold, got)
	}
	return m.sold.Uint64(), got.Uint64(), nil
}

// movement is the change of the balances. Amounts may be negative.
type movement struct {
	sold, bought *big.Int // input out of the wallet, output tokens into it
	wallet, rent *big.Int // lamports of the wallet, and of its token accounts
}

func measure(o Order, before, after []Balance) movement {
	m := movement{new(big.Int), new(big.Int), new(big.Int), new(big.Int)}
	count := func(list []Balance, add func(z, x, y *big.Int) *big.Int, take func(z, x, y *big.Int) *big.Int) {
		for _, b := range list {
			lamports, amount := new(big.Int).SetUint64(b.Lamports), new(big.Int).SetUint64(b.Amount)
			switch {
			case b.Address == o.Wallet:
				add(m.wallet, m.wallet, lamports)
				continue
			case b.Owner != o.Wallet:
				continue
			case b.Mint == o.Input:
				take(m.sold, m.sold, amount)
			case b.Mint == o.Output.Mint() && !o.Output.IsSOL():
				add(m.bought, m.bought, amount)
			}
			add(m.rent, m.rent, lamports)
		}
	}
	count(after, (*big.Int).Add, (*big.Int).Sub)
	count(before, (*big.Int).Sub, (*big.Int).Add)
	return m
}

func find(list []Balance, address solana.PublicKey) Balance {
	if i := slices.IndexFunc(list, func(b Balance) bool { return b.Address == address }); i >= 0 {
		return list[i]
	}
	return Balance{}
}
