package launchpad_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// TestCreateCurveRejections tests every rejection of a creation, including insufficient funds of
// the caller.
func TestCreateCurveRejections(t *testing.T) {
	w := newFixture(t, localnet.Chain(t))
	creator := w.wallet(t)
	wallet := creator.PublicKey()
	mint := w.mint(t, creator, taxBps)
	create := func(change func(*launchpad.Draft)) (launchpad.Created, error) {
		d := draft(mint)
		change(&d)
		return w.service.Create(t.Context(), wallet, d)
	}

	_, err := create(func(d *launchpad.Draft) { d.Mint = solana.NewWallet().PublicKey() })
	refused(t, "an unknown mint", err, apperr.NotFound, "token_not_found")
	_, err = create(func(d *launchpad.Draft) { d.Mint = wallet })
	refused(t, "a wallet for a mint", err, apperr.NotFound, "token_not_found")
	_, err = create(func(d *launchpad.Draft) { d.Mint = solana.WrappedSol })
	refused(t, "wrapped SOL", err, apperr.Invalid, "unsupported_token")

	// Extension 9, NonTransferable, has no data (spl-token-2022, ExtensionType).
	bound := solana.NewWallet().PublicKey()
	data := make([]byte, 166+4)
	data[44], data[45], data[165], data[166] = 6, 1, 1, 9
	w.plant(t, bound, solana.Token2022ProgramID, data)
	_, err = create(func(d *launchpad.Draft) { d.Mint = bound })
	refused(t, "a token that cannot be transferred", err, apperr.Invalid, "unsupported_token")

	_, err = create(func(d *launchpad.Draft) { d.Tokens, d.TargetLamports = 1, 10_000*sol })
	refused(t, "one unit, all of it tax", err, apperr.Invalid, "validation_failed")

	// A creator with too little gets a transaction, and a simulation with the missing amount.
	maximum, err := create(func(d *launchpad.Draft) { d.Tokens = supply + 5 })
	must.Do(t, err)
	if maximum.Simulation.OK || maximum.Simulation.MissingTokens != 5 {
		t.Errorf("more tokens than the creator has: %+v", maximum.Simulation)
	}
	poor := solana.NewWallet().PrivateKey
	w.Fund(t, poor.PublicKey().String(), 1_000_000)
	lacking, err := w.service.Create(t.Context(), poor.PublicKey(), draft(mint))
	must.Do(t, err)
	if lacking.Simulation.OK || lacking.Simulation.MissingTokens != draft(mint).Tokens {
		t.Errorf("a wallet without tokens: %+v", lacking.Simulation)
	}
	// With a program there, lacking SOL is said as well; this one does nothing.
	w.plant(t, meteora.Program, solana.SystemProgramID, []byte{1})
	lacking, err = w.service.Create(t.Context(), poor.PublicKey(), draft(mint))
	must.Do(t, err)
	if lacking.Simulation.Reason != transaction.InsufficientFunds || lacking.Simulation.MissingLamports < 15_000_000 {
		t.Errorf("a wallet without SOL: %+v", lacking.Simulation)
	}

	// The program is there and no pool: then the candidates have not landed.
	_, err = w.service.Status(t.Context(), mint)
	refused(t, "what is only prepared", err, apperr.NotFound, "launchpad_not_found")
	_, err = w.service.Status(t.Context(), bound)
	refused(t, "an unknown mint", err, apperr.NotFound, "launchpad_not_found")

	pool, err := meteora.PoolAddress(mint, solana.WrappedSol)
	must.Do(t, err)
	w.plant(t, pool, solana.SystemProgramID, nil)
	if _, err := create(func(*launchpad.Draft) {}); err != nil {
		t.Errorf("with a stranger's lamports where the pool will be: %v", err)
	}
	w.plant(t, pool, meteora.Program, make([]byte, meteora.PoolSize))
	_, err = create(func(*launchpad.Draft) {})
	refused(t, "a pool that is there", err, apperr.Conflict, "pool_exists")
}

func TestTargetUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, unit string
		lamports   uint64
		field      string
		code       string
	}{
		{"100", "", 100 * sol, "", ""},
		{"100.5", "", 100_500_000_000, "", ""},
		{"999.999999999", "", 999_999_999_999, "", ""},
		{"1", "", sol, "", ""},
		{"100000", "", 100 * sol, "", ""},
		{"10000", "", 10 * sol, "", ""},
		{"10000.00", "", 10 * sol, "", ""},
		{"10000000", "", 10_000 * sol, "", ""},
		{"10000", "SOL", 10_000 * sol, "", ""},
		{"1234.5", "SOL", 1_234_500_000_000, "", ""},
		{"1000", "milliSOL", sol, "", ""},
		{"1500", "milliSOL", 1_500_000_000, "", ""},
		{"1000", "", 0, "targetMarketCapUnit", "required"},
		{"9999", "", 0, "targetMarketCapUnit", "required"},
		{"1234.5", "", 0, "targetMarketCapUnit", "required"},
		{"10000.5", "", 0, "targetMarketCapUnit", "required"},
		{"100", "lamports", 0, "targetMarketCapUnit", "invalid_format"},
		{"0.999999999", "", 0, "targetMarketCap", "out_of_range"},
		{"0", "", 0, "targetMarketCap", "out_of_range"},
		{"10000.000000001", "SOL", 0, "targetMarketCap", "out_of_range"},
		{"10001", "SOL", 0, "targetMarketCap", "out_of_range"},
		{"999", "milliSOL", 0, "targetMarketCap", "out_of_range"},
		{"10000001", "", 0, "targetMarketCap", "out_of_range"},
		{"99999999999999999999999", "", 0, "targetMarketCap", "out_of_range"},
		{"99999999999999999999999", "SOL", 0, "targetMarketCap", "out_of_range"},
		{"1500.5", "milliSOL", 0, "targetMarketCap", "invalid_format"},
		{"1.0000000001", "", 0, "targetMarketCap", "invalid_format"},
		{"-5", "", 0, "targetMarketCap", "invalid_format"},
		{"1e3", "", 0, "targetMarketCap", "invalid_format"},
		{"0100", "", 0, "targetMarketCap", "invalid_format"},
		{"hundred", "", 0, "targetMarketCap", "invalid_format"},
		{".", "", 0, "targetMarketCap", "invalid_format"},
	} {
		lamports, bad := launchpad.Target(c.text, c.unit)
		if lamports != c.lamports || bad.Field != c.field || bad.Code.String() != c.code || (bad.Field != "") != (bad.Message != "") {
			t.Errorf("%q in %q: %d, %+v", c.text, c.unit, lamports, bad)
		}
	}
}

func TestInconsistentDrafts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*launchpad.Draft)
		field  string
	}{
		"as it is":               {func(*launchpad.Draft) {}, ""},
		"with a falling fee":     {func(d *launchpad.Draft) { d.SniperBps, d.Window = 101, time.Minute }, ""},
		"no tokens":              {func(d *launchpad.Draft) { d.Tokens = 0 }, "tokenAmount"},
		"a fee that never falls": {func(d *launchpad.Draft) { d.SniperBps = 500 }, "antiSniperMinutes"},
		"nothing that falls":     {func(d *launchpad.Draft) { d.Window = time.Minute }, "antiSniperFeePercent"},
		"a fee that rises":       {func(d *launchpad.Draft) { d.SniperBps, d.Window = 100, time.Minute }, "antiSniperFeePercent"},
	} {
		d := draft(solana.NewWallet().PublicKey())
		c.change(&d)
		bad := d.Validate()
		if c.field == "" && len(bad) > 0 || c.field != "" && (len(bad) != 1 || bad[0].Field != c.field) {
			t.Errorf("Validate(), %s = %+v, want an error of %q", name, bad, c.field)
		}
	}
}

// FuzzTarget tests that an accepted target is within its bounds, and has the same value in the
// other unit.
func FuzzTarget(f *testing.F) {
	for _, text := range []string{"100", "100000", "1234.5", "10000.000000001", "-1", "1e3", "", ".", "0.1", "18446744073709551616"} {
		f.Add(text, "")
		f.Add(text, launchpad.UnitSOL)
		f.Add(text, launchpad.UnitMilli)
	}
	f.Fuzz(func(t *testing.T, text, unit string) {
		lamports, bad := launchpad.Target(text, unit)
		if bad.Field != "" {
			return
		}
		if lamports < sol || lamports > 10_000*sol {
			t.Errorf("%q in %q is %d lamports", text, unit, lamports)
		}
		if again, bad := launchpad.Target(decimal.SOL(lamports), launchpad.UnitSOL); bad.Field != "" || again != lamports {
			t.Errorf("%q in %q is %d lamports, and in SOL %d", text, unit, lamports, again)
		}
	})
}
