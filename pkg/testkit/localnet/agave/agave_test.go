package agave_test

import (
	"errors"
	"net"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// start starts the validator that CHAIN asks for, or skips the test.
func start(t *testing.T, o agave.Options) *localchain.Chain {
	t.Helper()
	consensus, ok := agave.Asked()
	if !ok {
		t.Skip("no validator is asked for: make test-agave sets CHAIN=agave")
	}
	folder, err := project.Find()
	must.Do(t, err)
	o.Consensus = consensus
	chain, err := agave.Start(t.Context(), folder, o)
	must.Do(t, err)
	t.Cleanup(chain.Stop)
	return chain
}

func TestAgaveHasItsGenesis(t *testing.T) {
	address, owner := solana.NewWallet().PublicKey().String(), solana.NewWallet().PublicKey().String()
	planted := localchain.Account{Lamports: 5_000_000, Owner: localchain.Token2022Program, Data: []byte{1, 2, 3}}
	chain := start(t, agave.Options{Accounts: map[string]localchain.Account{address: planted}})
	must.Do(t, chain.SetAccount(t.Context(), address, planted))
	planted.Data = []byte{1, 2, 4}
	if err := chain.SetAccount(t.Context(), address, planted); !errors.Is(err, localchain.ErrPower) {
		t.Errorf("another account in its place is answered as %v", err)
	}
	must.Do(t, chain.CreateMints(t.Context()))
	must.Do(t, chain.Fund(t.Context(), owner, 3_000_000_000))
	must.Do(t, chain.FundToken(t.Context(), owner, localchain.USDC, 7, localchain.TokenProgram))
	must.Do(t, chain.FundToken(t.Context(), owner, localchain.USDC, 9, localchain.TokenProgram))
	if err := chain.TimeTravel(t.Context(), time.Now().Add(time.Hour)); !errors.Is(err, localchain.ErrPower) {
		t.Errorf("travelling for an hour is answered as %v", err)
	}
	before, err := chain.Slot(t.Context())
	must.Do(t, err)
	must.Do(t, chain.PassSlots(t.Context(), 3))
	if now, err := chain.Slot(t.Context()); err != nil || now < before+3 {
		t.Errorf("three slots after %d it is %d (%v)", before, now, err)
	}
}

func TestAgaveListensOnLoopbackAlone(t *testing.T) {
	chain := start(t, agave.Options{})
	rpc, err := url.Parse(chain.RPCURL)
	must.Do(t, err)
	addresses, err := net.InterfaceAddrs()
	must.Do(t, err)
	for _, a := range addresses {
		ip, ok := a.(*net.IPNet)
		if !ok || ip.IP.IsLoopback() || ip.IP.To4() == nil {
			continue
		}
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", net.JoinHostPort(ip.IP.String(), rpc.Port()))
		if err == nil {
			_ = conn.Close()
			t.Errorf("the validator answers on %s, beyond loopback", ip.IP)
		}
	}
}

func TestAgaveEndsWithItsStop(t *testing.T) {
	chain := start(t, agave.Options{})
	chain.Stop()
	if _, err := chain.Balance(t.Context(), localchain.USDC); err == nil {
		t.Error("the chain answers after its end")
	}
}

func TestMissingValidatorIsReported(t *testing.T) {
	t.Setenv("AGAVE_VALIDATOR", "")
	t.Setenv("PATH", t.TempDir())
	if _, err := agave.Find(); !errors.Is(err, agave.ErrMissing) {
		t.Errorf("without a validator: %v", err)
	}
	file := t.TempDir() + "/solana-test-validator"
	must.Do(t, os.WriteFile(file, nil, 0o700)) // #nosec G306 -- a program
	t.Setenv("AGAVE_VALIDATOR", file)
	if path, err := agave.Find(); err != nil || path != file {
		t.Errorf("%q, %v; want %s", path, err, file)
	}
}
