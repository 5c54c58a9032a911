package peertest_test

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// pair is the same instruction for both sides.
type pair struct {
	ours  solana.Instruction
	peers peertest.Case
}

// perKind is the number of cases of each kind of instruction.
const perKind = 20

func TestInstructionsEqualTheOfficialClients(t *testing.T) {
	g := newGenerator(1)
	var pairs []pair
	var cases []peertest.Case
	all := generators()
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		for range perKind {
			p := all[kind](t, g)
			p.peers["kind"] = kind
			pairs = append(pairs, p)
			cases = append(cases, p.peers)
		}
	}
	for i, got := range peertest.Encode(t, cases) {
		if got.Instruction == nil {
			t.Errorf("%v: the client refused: %s", cases[i], got.Error)
			continue
		}
		if want := describe(t, pairs[i].ours); !reflect.DeepEqual(want, *got.Instruction) {
			t.Errorf("%v:\n ours  %+v\n peers %+v", cases[i], want, *got.Instruction)
		}
	}
}

// describe returns our instruction in the peer's form.
func describe(t *testing.T, in solana.Instruction) peertest.Instruction {
	t.Helper()
	data, err := in.Data()
	if err != nil {
		t.Fatal(err)
	}
	d := peertest.Instruction{Program: in.ProgramID().String(), Accounts: []peertest.Account{}, Data: data}
	for _, meta := range in.Accounts() {
		role := 0
		if meta.IsWritable {
			role++
		}
		if meta.IsSigner {
			role += 2
		}
		d.Accounts = append(d.Accounts, peertest.Account{Address: meta.PublicKey.String(), Role: role})
	}
	return d
}

func u64(n uint64) string { return strconv.FormatUint(n, 10) }

// orNull returns null for the zero key.
func orNull(key solana.PublicKey) any {
	if key.IsZero() {
		return nil
	}
	return key
}

type generate func(t *testing.T, g generator) pair

func generators() map[string]generate {
	all := map[string]generate{}
	for _, group := range []map[string]generate{systemGenerators(), feeGenerators(), mintGenerators(), metadataGenerators()} {
		maps.Copy(all, group)
	}
	return all
}

func systemGenerators() map[string]generate {
	return map[string]generate{
		"transfer": func(_ *testing.T, g generator) pair {
			i := systemprogram.Transfer{From: g.key(), To: g.key(), Lamports: g.u64(), References: g.keys(3)}
			return pair{i.Instruction(), peertest.Case{
				"from": i.From, "to": i.To, "lamports": u64(i.Lamports), "references": i.References,
			}}
		},
		"createAccount": func(_ *testing.T, g generator) pair {
			i := systemprogram.CreateAccount{Payer: g.key(), Account: g.key(), Lamports: g.u64(), Space: g.u64(), Owner: g.key()}
			return pair{i.Instruction(), peertest.Case{
				"payer": i.Payer, "account": i.Account, "lamports": u64(i.Lamports), "space": u64(i.Space), "owner": i.Owner,
			}}
		},
		"createAccountWithSeed": func(_ *testing.T, g generator) pair {
			i := systemprogram.CreateAccountWithSeed{
				Payer: g.key(), Account: g.key(), Base: g.key(), Seed: g.text(8),
				Lamports: g.u64(), Space: g.u64(), Owner: g.key(),
			}
			if g.IntN(2) == 0 {
				i.Base = i.Payer
			}
			return pair{i.Instruction(), peertest.Case{
				"payer": i.Payer, "account": i.Account, "base": i.Base, "seed": i.Seed,
				"lamports": u64(i.Lamports), "space": u64(i.Space), "owner": i.Owner,
			}}
		},
		"allocateWithSeed": func(_ *testing.T, g generator) pair {
			i := systemprogram.AllocateWithSeed{Account: g.key(), Base: g.key(), Seed: g.text(8), Space: g.u64(), Owner: g.key()}
			return pair{i.Instruction(), peertest.Case{
				"account": i.Account, "base": i.Base, "seed": i.Seed, "space": u64(i.Space), "owner": i.Owner,
			}}
		},
		"transferWithSeed": func(_ *testing.T, g generator) pair {
			i := systemprogram.TransferWithSeed{From: g.key(), Base: g.key(), To: g.key(), Lamports: g.u64(), Seed: g.text(8), Owner: g.key()}
			if g.IntN(2) == 0 {
				i.To = i.Base
			}
			return pair{i.Instruction(), peertest.Case{
				"from": i.From, "base": i.Base, "to": i.To, "lamports": u64(i.Lamports), "seed": i.Seed, "owner": i.Owner,
			}}
		},
		"advanceNonce": func(_ *testing.T, g generator) pair {
			i := systemprogram.AdvanceNonceAccount{Nonce: g.key(), Authority: g.key()}
			return pair{i.Instruction(), peertest.Case{"nonce": i.Nonce, "authority": i.Authority}}
		},
		"withdrawNonce": func(_ *testing.T, g generator) pair {
			i := systemprogram.WithdrawNonceAccount{Nonce: g.key(), To: g.key(), Authority: g.key(), Lamports: g.u64()}
			return pair{i.Instruction(), peertest.Case{
				"nonce": i.Nonce, "to": i.To, "authority": i.Authority, "lamports": u64(i.Lamports),
			}}
		},
		"initializeNonce": func(_ *testing.T, g generator) pair {
			i := systemprogram.InitializeNonceAccount{Nonce: g.key(), Authority: g.key()}
			return pair{i.Instruction(), peertest.Case{"nonce": i.Nonce, "authority": i.Authority}}
		},
		"authorizeNonce": func(_ *testing.T, g generator) pair {
			i := systemprogram.AuthorizeNonceAccount{Nonce: g.key(), Authority: g.key(), NewAuthority: g.key()}
			return pair{i.Instruction(), peertest.Case{"nonce": i.Nonce, "authority": i.Authority, "newAuthority": i.NewAuthority}}
		},
		"unitLimit": func(_ *testing.T, g generator) pair {
			units := g.Uint32()
			return pair{computebudget.SetUnitLimit(units), peertest.Case{"units": units}}
		},
		"unitPrice": func(_ *testing.T, g generator) pair {
			price := g.u64()
			return pair{computebudget.SetUnitPrice(price), peertest.Case{"microLamports": u64(price)}}
		},
	}
}

func feeGenerators() map[string]generate {
	return map[string]generate{
		"initializeTransferFeeConfig": func(_ *testing.T, g generator) pair {
			i := token2022.InitializeTransferFeeConfig{
				Mint: g.key(), ConfigAuthority: g.maybe(), WithdrawWithheldAuthority: g.maybe(),
				BasisPoints: g.basisPoints(), MaximumFee: g.u64(),
			}
			return pair{i.Instruction(), peertest.Case{
				"mint": i.Mint, "configAuthority": orNull(i.ConfigAuthority),
				"withdrawAuthority": orNull(i.WithdrawWithheldAuthority),
				"basisPoints":       i.BasisPoints, "maximumFee": u64(i.MaximumFee),
			}}
		},
		"setTransferFee": func(_ *testing.T, g generator) pair {
			i := token2022.SetTransferFee{Mint: g.key(), Authority: g.key(), BasisPoints: g.basisPoints(), MaximumFee: g.u64()}
			return pair{i.Instruction(), peertest.Case{
				"mint": i.Mint, "authority": i.Authority, "basisPoints": i.BasisPoints, "maximumFee": u64(i.MaximumFee),
			}}
		},
		"transferCheckedWithFee": func(_ *testing.T, g generator) pair {
			i := token2022.TransferCheckedWithFee{
				Source: g.key(), Mint: g.key(), Destination: g.key(), Owner: g.key(),
				Amount: g.u64(), Decimals: g.decimals(), Fee: g.u64(),
			}
			return pair{i.Instruction(), peertest.Case{
				"source": i.Source, "mint": i.Mint, "destination": i.Destination, "owner": i.Owner,
				"amount": u64(i.Amount), "decimals": i.Decimals, "fee": u64(i.Fee),
			}}
		},
		"withdrawWithheldFromMint": func(_ *testing.T, g generator) pair {
			i := token2022.WithdrawWithheldFromMint{Mint: g.key(), Destination: g.key(), Authority: g.key()}
			return pair{i.Instruction(), peertest.Case{"mint": i.Mint, "destination": i.Destination, "authority": i.Authority}}
		},
		"withdrawWithheldFromAccounts": func(t *testing.T, g generator) pair {
			i := token2022.WithdrawWithheldFromAccounts{Mint: g.key(), Destination: g.key(), Authority: g.key(), Sources: g.keys(30)}
			ours, err := i.Instruction()
			if err != nil {
				t.Fatal(err)
			}
			return pair{ours, peertest.Case{
				"mint": i.Mint, "destination": i.Destination, "authority": i.Authority, "sources": i.Sources,
			}}
		},
		"harvestWithheldToMint": func(_ *testing.T, g generator) pair {
			i := token2022.HarvestWithheldToMint{Mint: g.key(), Sources: g.keys(30)}
			return pair{i.Instruction(), peertest.Case{"mint": i.Mint, "sources": i.Sources}}
		},
	}
}

func mintGenerators() map[string]generate {
	types := []token2022.AuthorityType{
		token2022.AuthorityMintTokens, token2022.AuthorityFreezeAccount, token2022.AuthorityTransferFeeConfig,
		token2022.AuthorityWithdrawWithheld, token2022.AuthorityMetadataPointer,
	}
	programs := []solana.PublicKey{{}, solana.TokenProgramID, solana.Token2022ProgramID}
	return map[string]generate{
		"initializeMint2": func(_ *testing.T, g generator) pair {
			i := token2022.InitializeMint2{Mint: g.key(), Decimals: g.decimals(), MintAuthority: g.key(), FreezeAuthority: g.maybe()}
			return pair{i.Instruction(), peertest.Case{
				"mint": i.Mint, "decimals": i.Decimals, "mintAuthority": i.MintAuthority,
				"freezeAuthority": orNull(i.FreezeAuthority),
			}}
		},
		"mintTo": func(_ *testing.T, g generator) pair {
			i := token2022.MintTo{Mint: g.key(), Account: g.key(), Authority: g.key(), Amount: g.u64()}
			return pair{i.Instruction(), peertest.Case{
				"mint": i.Mint, "account": i.Account, "authority": i.Authority, "amount": u64(i.Amount),
			}}
		},
		"setAuthority": func(_ *testing.T, g generator) pair {
			i := token2022.SetAuthority{Account: g.key(), Current: g.key(), Type: types[g.IntN(len(types))], New: g.maybe()}
			return pair{i.Instruction(), peertest.Case{
				"account": i.Account, "current": i.Current, "type": i.Type, "new": orNull(i.New),
			}}
		},
		"transferChecked": func(_ *testing.T, g generator) pair {
			i := token2022.TransferChecked{
				Program: programs[g.IntN(len(programs))], Source: g.key(), Mint: g.key(), Destination: g.key(),
				Owner: g.key(), Amount: g.u64(), Decimals: g.decimals(),
			}
			return pair{i.Instruction(), peertest.Case{
				"program": orNull(i.Program), "source": i.Source, "mint": i.Mint, "destination": i.Destination,
				"owner": i.Owner, "amount": u64(i.Amount), "decimals": i.Decimals,
			}}
		},
		"burnChecked": func(_ *testing.T, g generator) pair {
			i := token2022.BurnChecked{
				Program: programs[g.IntN(len(programs))], Account: g.key(), Mint: g.key(), Owner: g.key(),
				Amount: g.u64(), Decimals: uint8(g.IntN(math.MaxUint8 + 1)),
			}
			return pair{i.Instruction(), peertest.Case{
				"program": orNull(i.Program), "account": i.Account, "mint": i.Mint, "owner": i.Owner,
				"amount": u64(i.Amount), "decimals": i.Decimals,
			}}
		},
		"closeAccount": func(_ *testing.T, g generator) pair {
			i := token2022.CloseAccount{
				Program: programs[g.IntN(len(programs))], Account: g.key(), Destination: g.key(), Owner: g.key(),
			}
			return pair{i.Instruction(), peertest.Case{
				"program": orNull(i.Program), "account": i.Account, "destination": i.Destination, "owner": i.Owner,
			}}
		},
		"syncNative": func(_ *testing.T, g generator) pair {
			i := token2022.SyncNative{Program: programs[g.IntN(len(programs))], Account: g.key()}
			return pair{i.Instruction(), peertest.Case{"program": orNull(i.Program), "account": i.Account}}
		},
		"createAssociatedIdempotent": func(t *testing.T, g generator) pair {
			i := token2022.CreateAssociatedIdempotent{
				Payer: g.key(), Wallet: g.key(), Mint: g.key(), Program: programs[g.IntN(len(programs))],
			}
			ours, _, err := i.Instruction()
			if err != nil {
				t.Fatal(err)
			}
			return pair{ours, peertest.Case{
				"payer": i.Payer, "wallet": i.Wallet, "mint": i.Mint, "program": orNull(i.Program),
			}}
		},
	}
}

func metadataGenerators() map[string]generate {
	return map[string]generate{
		"initializeMetadataPointer": func(_ *testing.T, g generator) pair {
			i := token2022.InitializeMetadataPointer{Mint: g.key(), Authority: g.maybe(), Metadata: g.maybe()}
			return pair{i.Instruction(), peertest.Case{
				"mint": i.Mint, "authority": orNull(i.Authority), "metadata": orNull(i.Metadata),
			}}
		},
		"initializeMetadata": func(_ *testing.T, g generator) pair {
			i := token2022.InitializeMetadata{
				Mint: g.key(), UpdateAuthority: g.key(), MintAuthority: g.key(),
				Name: g.text(32), Symbol: g.text(10), URI: "ipfs://" + g.text(60),
			}
			return pair{i.Instruction(), peertest.Case{
				"mint": i.Mint, "updateAuthority": i.UpdateAuthority, "mintAuthority": i.MintAuthority,
				"name": i.Name, "symbol": i.Symbol, "uri": i.URI,
			}}
		},
		"updateMetadataField": func(_ *testing.T, g generator) pair {
			i := token2022.UpdateMetadataField{Mint: g.key(), UpdateAuthority: g.key(), Value: g.text(40)}
			peers := peertest.Case{"mint": i.Mint, "updateAuthority": i.UpdateAuthority, "value": i.Value}
			switch g.IntN(4) {
			case 0:
				i.Field, peers["field"] = token2022.FieldName, "Name"
			case 1:
				i.Field, peers["field"] = token2022.FieldSymbol, "Symbol"
			case 2:
				i.Field, peers["field"] = token2022.FieldURI, "Uri"
			default:
				key := g.text(12)
				i.Field, peers["field"], peers["key"] = token2022.FieldKey(key), "Key", key
			}
			return pair{i.Instruction(), peers}
		},
		"updateMetadataAuthority": func(_ *testing.T, g generator) pair {
			i := token2022.UpdateMetadataAuthority{Mint: g.key(), Current: g.key(), New: g.maybe()}
			return pair{i.Instruction(), peertest.Case{"mint": i.Mint, "current": i.Current, "new": orNull(i.New)}}
		},
	}
}
