package bonding_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/dex"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

// fixture is a chain with the real program.
type fixture struct{ *localnet.Ledger }

func newFixture(t *testing.T) fixture { return fixture{dex.Chain(t)} }

// wallet creates a key with a thousand SOL.
func (w fixture) wallet(t *testing.T) solana.PrivateKey {
	t.Helper()
	key := solana.NewWallet().PrivateKey
	w.Fund(t, key.PublicKey().String(), 1000*solana.LAMPORTS_PER_SOL)
	return key
}

// done is the effect of a transaction.
type done struct {
	size   int // bytes
	units  uint64
	events [][]byte // data of the program's calls of itself
	failed json.RawMessage
	logs   []string
}

// attempt simulates instructions that the signers sign; the first pays.
func (w fixture) attempt(t *testing.T, signers []solana.PrivateKey, instructions ...solana.Instruction) (done, wire.Transaction) {
	t.Helper()
	var latest struct {
		Value struct{ Blockhash solana.Hash }
	}
	w.Call(t, &latest, "getLatestBlockhash", map[string]string{"commitment": "processed"})
	instructions = append([]solana.Instruction{computebudget.SetUnitLimit(1_400_000), computebudget.SetUnitPrice(1)}, instructions...)
	message, err := wire.Compile(signers[0].PublicKey(), latest.Value.Blockhash, instructions)
	if err != nil {
		t.Fatal(err)
	}
	tx := wire.NewTransaction(message)
	for _, s := range signers {
		if err := tx.Sign(ed25519.PrivateKey(s)); err != nil {
			t.Fatal(err)
		}
	}
	var simulated struct {
		Value struct {
			Err           json.RawMessage
			Logs          []string
			UnitsConsumed uint64
		}
	}
	w.Call(t, &simulated, "simulateTransaction", tx.Base64(), map[string]string{"encoding": "base64", "commitment": "processed"})
	v := simulated.Value
	d := done{size: len(tx.Bytes()), units: v.UnitsConsumed, logs: v.Logs}
	if !bytes.Equal(v.Err, []byte("null")) {
		d.failed = v.Err
	}
	return d, tx
}

type inner struct{ Data solana.Base58 }

// do lands instructions, or fails the test.
func (w fixture) do(t *testing.T, signers []solana.PrivateKey, instructions ...solana.Instruction) done {
	t.Helper()
	d, tx := w.attempt(t, signers, instructions...)
	if d.failed != nil {
		t.Fatalf("rejected: %s\n%q", d.failed, d.logs)
	}
	var signature string
	w.Call(t, &signature, "sendTransaction", tx.Base64(), map[string]any{"encoding": "base64", "skipPreflight": true})
	var landed *struct {
		Meta struct {
			Err               json.RawMessage
			Units             uint64 `json:"computeUnitsConsumed"`
			InnerInstructions []struct{ Instructions []inner }
		}
	}
	w.Call(t, &landed, "getTransaction", signature, map[string]any{
		"encoding": "json", "commitment": "confirmed", "maxSupportedTransactionVersion": 0,
	})
	if landed == nil || !bytes.Equal(landed.Meta.Err, []byte("null")) {
		t.Fatalf("%s has not landed: %+v", signature, landed)
	}
	d.units = landed.Meta.Units
	for _, outer := range landed.Meta.InnerInstructions {
		for _, in := range outer.Instructions {
			if meteora.InstructionKind(in.Data) == meteora.KindEvent {
				d.events = append(d.events, in.Data)
			}
		}
	}
	return d
}

// account returns an account; absent ones have no data and no lamports.
func (w fixture) account(t *testing.T, address solana.PublicKey) surfpool.Account {
	t.Helper()
	var found struct {
		Value *struct {
			Lamports uint64
			Owner    string
			Data     []string
		}
	}
	w.Call(t, &found, "getAccountInfo", address, map[string]string{"encoding": "base64", "commitment": "processed"})
	if found.Value == nil {
		return surfpool.Account{}
	}
	data, err := base64.StdEncoding.DecodeString(found.Value.Data[0])
	if err != nil {
		t.Fatal(err)
	}
	return surfpool.Account{Lamports: found.Value.Lamports, Owner: found.Value.Owner, Data: data}
}

// holds returns what a token account holds.
func (w fixture) holds(t *testing.T, address solana.PublicKey) uint64 {
	t.Helper()
	data := w.account(t, address).Data
	if len(data) < 72 {
		return 0
	}
	return binary.LittleEndian.Uint64(data[64:])
}

func (w fixture) pool(t *testing.T, address solana.PublicKey) meteora.Pool {
	t.Helper()
	account := w.account(t, address)
	pool, err := meteora.DecodePool(solana.MustPublicKeyFromBase58(account.Owner), account.Data)
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// now is the chain's clock (sysvar Clock: unix_timestamp at 32).
func (w fixture) now(t *testing.T) time.Time {
	t.Helper()
	data := w.account(t, solana.SysVarClockPubkey).Data
	return time.Unix(int64(binary.LittleEndian.Uint64(data[32:])), 0)
}

// coin is a kind of token.
type coin struct {
	program solana.PublicKey
	tax     token2022.TransferFee
	below   bool   // its mint is below that of wrapped SOL
	supply  uint64 // zero: a thousand million, with 6 decimals
}

// mint makes a coin, all of it the creator's.
func (w fixture) mint(t *testing.T, c coin, creator solana.PrivateKey) solana.PublicKey {
	t.Helper()
	key := solana.NewWallet().PrivateKey
	for (bytes.Compare(key.PublicKey().Bytes(), solana.WrappedSol[:]) < 0) != c.below {
		key = solana.NewWallet().PrivateKey
	}
	owner, mint := creator.PublicKey(), key.PublicKey()
	supply := c.supply
	if supply == 0 {
		supply = 1_000_000_000_000_000
	}
	if c.program == solana.TokenProgramID {
		data := make([]byte, 82)
		binary.LittleEndian.PutUint64(data[36:], supply)
		data[44], data[45] = 6, 1
		w.SetAccount(t, mint.String(), surfpool.Account{Lamports: 1_461_600, Owner: surfpool.TokenProgram, Data: data})
		w.FundToken(t, owner.String(), mint.String(), supply, surfpool.TokenProgram)
		return mint
	}
	create, account, err := token2022.CreateAssociatedIdempotent{Payer: owner, Wallet: owner, Mint: mint}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	instructions := []solana.Instruction{systemprogram.CreateAccount{
		Payer: owner, Account: mint, Lamports: 10_000_000, Space: mintSpace(c), Owner: solana.Token2022ProgramID,
	}.Instruction()}
	if c.tax.BasisPoints != 0 {
		instructions = append(instructions, token2022.InitializeTransferFeeConfig{
			Mint: mint, WithdrawWithheldAuthority: owner, BasisPoints: c.tax.BasisPoints, MaximumFee: c.tax.MaximumFee,
		}.Instruction())
	}
	w.do(t, []solana.PrivateKey{creator, key}, append(instructions,
		token2022.InitializeMint2{Mint: mint, Decimals: 6, MintAuthority: owner}.Instruction(),
		create, token2022.MintTo{Mint: mint, Account: account, Authority: owner, Amount: supply}.Instruction())...)
	return mint
}

func mintSpace(c coin) uint64 {
	if c.tax.BasisPoints == 0 {
		return 82
	}
	return 166 + 4 + 108
}

// wrap creates for a wallet an account of wrapped SOL with the given lamports, and one of a
// mint.
func (w fixture) wrap(t *testing.T, key solana.PrivateKey, lamports uint64, mint, program solana.PublicKey) (sol, token solana.PublicKey) {
	t.Helper()
	owner := key.PublicKey()
	open, sol := associated(t, owner, solana.WrappedSol, solana.TokenProgramID)
	other, token := associated(t, owner, mint, program)
	w.do(t, []solana.PrivateKey{key}, open, other,
		systemprogram.Transfer{From: owner, To: sol, Lamports: lamports}.Instruction(),
		token2022.SyncNative{Program: solana.TokenProgramID, Account: sol}.Instruction())
	return sol, token
}

func associated(t *testing.T, owner, mint, program solana.PublicKey) (solana.Instruction, solana.PublicKey) {
	t.Helper()
	in, address, err := token2022.CreateAssociatedIdempotent{Payer: owner, Wallet: owner, Mint: mint, Program: program}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	return in, address
}
