package localnet_test

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

const (
	wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	clock  = "SysvarC1ock11111111111111111111111111111111"
)

var confirmed = map[string]string{"commitment": "confirmed", "encoding": "jsonParsed"}

func balance(t *testing.T, l *localnet.Ledger, address string) uint64 {
	t.Helper()
	var b struct{ Value uint64 }
	l.Call(t, &b, "getBalance", address, confirmed)
	return b.Value
}

func TestChainsAreFreshAndFundsArrive(t *testing.T) {
	first, second := localnet.Chain(t), localnet.Chain(t)
	first.Fund(t, wallet, 3_000_000_000)
	first.Fund(t, wallet, 1_000_000)
	if got := balance(t, first, wallet); got != 3_001_000_000 {
		t.Errorf("balance is %d lamports, want 3001000000", got)
	}
	if got := balance(t, second, wallet); got != 0 {
		t.Errorf("the other chain has %d lamports, want 0", got)
	}
}

func TestSetAccountIsWhatTheChainHolds(t *testing.T) {
	l := localnet.Chain(t)
	l.SetAccount(t, wallet, surfpool.Account{Lamports: 5_000_000, Owner: surfpool.Token2022Program, Data: []byte{1, 2, 3}})
	var got struct {
		Value struct {
			Lamports uint64
			Owner    string
			Data     []string
		}
	}
	l.Call(t, &got, "getAccountInfo", wallet, map[string]string{"commitment": "confirmed", "encoding": "base64"})
	if got.Value.Lamports != 5_000_000 || got.Value.Owner != surfpool.Token2022Program || got.Value.Data[0] != "AQID" {
		t.Errorf("account is %+v", got.Value)
	}
}

func TestStablecoinsExist(t *testing.T) {
	l := localnet.Chain(t)
	l.CreateMints(t)
	for _, mint := range []string{surfpool.USDC, surfpool.USDT} {
		var got struct {
			Value struct {
				Owner string
				Data  struct {
					Parsed struct {
						Info struct {
							Decimals        int
							IsInitialized   bool
							FreezeAuthority string
						}
					}
				}
			}
		}
		l.Call(t, &got, "getAccountInfo", mint, confirmed)
		info := got.Value.Data.Parsed.Info
		if got.Value.Owner != surfpool.TokenProgram || info.Decimals != 6 || !info.IsInitialized || info.FreezeAuthority == "" {
			t.Errorf("%s is %+v", mint, got.Value)
		}
		l.FundToken(t, wallet, mint, 1_234_567, surfpool.TokenProgram)
		if got := tokens(t, l, wallet, mint); got != "1234567" {
			t.Errorf("%s holds %s of %s, want 1234567", wallet, got, mint)
		}
	}
}

func tokens(t *testing.T, l *localnet.Ledger, owner, mint string) string {
	t.Helper()
	var accounts struct {
		Value []struct {
			Account struct {
				Data struct {
					Parsed struct {
						Info struct{ TokenAmount struct{ Amount string } }
					}
				}
			}
		}
	}
	l.Call(t, &accounts, "getTokenAccountsByOwner", owner, map[string]string{"mint": mint}, confirmed)
	if len(accounts.Value) != 1 {
		t.Fatalf("%s has %d accounts of %s, want 1", owner, len(accounts.Value), mint)
	}
	return accounts.Value[0].Account.Data.Parsed.Info.TokenAmount.Amount
}

func TestTimeTravelMovesTheClock(t *testing.T) {
	l := localnet.Chain(t)
	to := time.Now().Add(48 * time.Hour).Truncate(time.Second)
	l.TimeTravel(t, to)
	var got struct {
		Value struct {
			Data struct {
				Parsed struct{ Info struct{ UnixTimestamp int64 } }
			}
		}
	}
	l.Call(t, &got, "getAccountInfo", clock, confirmed)
	if now := got.Value.Data.Parsed.Info.UnixTimestamp; now != to.Unix() {
		t.Errorf("the chain's clock says %d, want %d", now, to.Unix())
	}
}

func TestBlockhashExpiresWithSlots(t *testing.T) {
	l := localnet.Chain(t)
	var latest struct{ Value struct{ Blockhash string } }
	l.Call(t, &latest, "getLatestBlockhash", confirmed)
	valid := func() bool {
		var v struct{ Value bool }
		l.Call(t, &v, "isBlockhashValid", latest.Value.Blockhash, map[string]string{"commitment": "processed"})
		return v.Value
	}
	if !valid() {
		t.Fatal("a new blockhash is not valid")
	}
	l.PassSlots(t, 152)
	if valid() {
		t.Error("the blockhash is still valid after 152 slots")
	}
}

func TestChainWithClockProducesSlots(t *testing.T) {
	l := localnet.Chain(t, localnet.WithClock(20*time.Millisecond))
	slot := func() (s uint64) {
		l.Call(t, &s, "getSlot", map[string]string{"commitment": "processed"})
		return s
	}
	for start, deadline := slot(), time.Now().Add(20*time.Second); slot() < start+5; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no five slots passed in 20 s")
		}
	}
}
