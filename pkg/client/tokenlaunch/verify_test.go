package main_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	main "tokenlaunch.example/service/pkg/client/tokenlaunch"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/proof/write"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// folder stores files on disk, named with or without extensions.
type folder struct {
	path string
	bare bool
}

func (f folder) Save(_ context.Context, kind content.Kind, body []byte) (content.File, error) {
	cid, err := ipfs.CID(body)
	if err != nil {
		return content.File{}, err
	}
	name := cid + kind.Extension
	if f.bare {
		name = cid
	}
	return content.File{CID: cid}, os.WriteFile(filepath.Join(f.path, name), body, 0o600)
}

var (
	mint   = solana.PublicKey{1, 31: 1}
	holder = solana.PublicKey{2, 31: 1}
	vault  = solana.PublicKey{3, 31: 1}
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// prove writes the proof of a small run into a directory, and returns its anchor. The manifest is
// bent before it is anchored.
func prove(t *testing.T, f folder, bend ...func(*format.Manifest)) string {
	t.Helper()
	ctx := t.Context()
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{4}, 32))
	wallet := solana.PublicKey(key.Public().(ed25519.PublicKey))
	account, err := token2022.AssociatedAddress(wallet, mint, solana.Token2022ProgramID)
	check(t, err)
	slot := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	w := write.New(f)
	check(t, w.LeftOut(ctx, format.LeftOut{Owner: vault, Balance: 40, Why: "vault"}))
	w.Leg(terms.SOL)
	check(t, w.Row(ctx, allocation.Row{Owner: holder, Balance: 60, Share: 90, Carried: 90, Reason: allocation.BelowCost}))
	check(t, w.Transaction(ctx, format.Transaction{Purpose: format.Exchange, Signature: solana.Signature{5}, Slot: 7}))
	closed, err := w.Close(ctx, format.Manifest{
		Kind: format.Distribution, Number: 1, Creator: format.Key(holder), Cut: 8,
		RunID: terms.RunID(mint, slot), Slot: slot, Mint: format.Key(mint), Program: format.Key(solana.Token2022ProgramID),
		Wallet: format.Key(wallet), TokenAccount: format.Key(account),
		Settings: format.Settings{Interval: "1h", RewardToken: "SOL", MinimumHolding: 1, SellBps: 10_000, DeveloperWallet: format.Key(holder), Version: terms.LaunchVersion},
		Snapshot: format.Snapshot{ChainSlot: 6, Supply: 100, Eligible: format.Tally{Owners: 1, Balance: 60}},
		Split:    format.Split{Spendable: 10, Slice: 10, Sell: 10}, Exchange: format.Sale{Sold: 10, Proceeds: 90},
		Legs: []format.Leg{{
			Asset: "SOL", Decimals: 9, Total: 90, WorthPaying: 100,
			Creators: []format.CreatorShare{{Wallet: format.Key(holder), PartBps: terms.FullBps}},
		}},
		Statements: []format.Statement{
			{
				Asset: mint.String(), In: format.Entries(map[format.Name]uint64{format.Collected: 10}),
				Out: format.Entries(map[format.Name]uint64{format.Sold: 10}),
			},
			{
				Asset: "SOL", In: format.Entries(map[format.Name]uint64{format.Proceeds: 90}),
				Closing: 90, HeldFor: format.Entries(map[format.Name]uint64{format.Owed: 90}),
			},
		},
	})
	check(t, err)
	for _, bend := range bend {
		bend(&closed.Manifest)
		body, err := format.EncodeManifest(closed.Manifest)
		check(t, err)
		_, err = f.Save(ctx, content.ProofManifest, body)
		check(t, err)
		closed.Hash = sha256.Sum256(body)
	}
	const seed = "receiptOfTheAnchor"
	receipt, err := systemprogram.AddressWithSeed(wallet, seed, solana.SystemProgramID)
	check(t, err)
	makes := systemprogram.CreateAccountWithSeed{
		Payer: wallet, Account: receipt, Base: wallet, Seed: seed, Lamports: 650_240, Owner: solana.SystemProgramID,
	}.Instruction()
	data, err := makes.Data()
	check(t, err)
	named, err := closed.Manifest.AnchorAccounts()
	check(t, err)
	accounts := solana.AccountMetaSlice(makes.Accounts())
	for _, key := range named {
		accounts = append(accounts, solana.Meta(key))
	}
	message, err := wire.Compile(wallet, solana.Hash{}, []solana.Instruction{
		solana.NewInstruction(makes.ProgramID(), accounts, data),
		solana.NewInstruction(format.MemoProgram, solana.AccountMetaSlice{}, []byte(closed.Memo())),
	})
	check(t, err)
	tx := wire.NewTransaction(message)
	check(t, tx.Sign(key))
	anchor, err := write.KeepAnchor(ctx, f, tx.Bytes())
	check(t, err)
	return anchor
}

func call(t *testing.T, arguments ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = main.Run(t.Context(), append([]string{"verify"}, arguments...), strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

func TestDirectoriesAndURLs(t *testing.T) {
	named, bare := folder{path: t.TempDir()}, folder{path: t.TempDir(), bare: true}
	anchor := prove(t, named)
	prove(t, bare)
	mux := http.NewServeMux()
	mux.Handle("/proofs/", http.StripPrefix("/proofs/", http.FileServer(http.Dir(named.path))))
	mux.Handle("/ipfs/", http.StripPrefix("/ipfs/", http.FileServer(http.Dir(bare.path))))
	server := httptest.NewServer(mux)
	defer server.Close()
	for name, arguments := range map[string][]string{
		"a folder":                 {named.path},
		"a folder and its anchor":  {"--anchor", anchor + ".tx", named.path},
		"without extensions":       {"--anchor", anchor, bare.path},
		"the service":              {server.URL + "/proofs/" + anchor + ".tx"},
		"an IPFS gateway":          {server.URL + "/ipfs/" + anchor},
		"an option behind":         {named.path, "--anchor=" + anchor},
		"with a holder that is no": {"--holder", mint.String(), named.path},
	} {
		if code, out, errs := call(t, arguments...); code != 0 || !strings.Contains(out, "The proof is good") || strings.Contains(out, "FAILED") {
			t.Errorf("%s: %d\n%s%s", name, code, out, errs)
		}
	}
	if code, out, _ := call(t, server.URL+"/proofs/bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku.tx"); code != 5 || !strings.Contains(out, "NOT good") {
		t.Errorf("nothing stored: %d\n%s", code, out)
	}
	// Damage.
	lists, err := filepath.Glob(filepath.Join(named.path, "*.csv"))
	check(t, err)
	body, err := os.ReadFile(lists[0])
	check(t, err)
	check(t, os.WriteFile(lists[0], append(body, 'x'), 0o600))
	if code, out, _ := call(t, named.path); code != 5 || !strings.Contains(out, "FAILED") {
		t.Errorf("damaged: %d\n%s", code, out)
	}
}

// manifestIn returns the content id of the manifest whose anchor is in a directory.
func manifestIn(t *testing.T, f folder, anchor string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(f.path, anchor))
	check(t, err)
	a, err := verify.ReadAnchor(raw)
	check(t, err)
	return a.ManifestCID()
}

// The address of a file that is neither an anchor nor a manifest is the caller's mistake. A server
// that returns another file than the address names cannot make a mistake of it, nor refute a proof.
func TestVerifyOfAddresses(t *testing.T) {
	f := folder{path: t.TempDir(), bare: true}
	anchor := prove(t, f)
	badly := prove(t, f, func(m *format.Manifest) { m.Split.Sell++ })
	picture, err := f.Save(t.Context(), content.ProofAnchor, []byte("\x89PNG\r\n\x1a\n and so on"))
	check(t, err)
	manifest := manifestIn(t, f, anchor)
	list, err := os.ReadFile(filepath.Join(f.path, manifest))
	check(t, err)
	m, err := format.DecodeManifest(list)
	check(t, err)
	lies := ""
	files := http.FileServer(http.Dir(f.path))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/distribution/") {
			if r.URL.Path != "/distribution/"+mint.String()+"/runs/"+m.RunID {
				http.NotFound(w, r)
				return
			}
			_, _ = fmt.Fprintf(w, `{"id": %q, "mintAddress": %q, "status": "settled", "anchor": {"transaction": {"cid": %q, "url": "http://%s/ipfs/%s"}}}`,
				m.RunID, mint, anchor, r.Host, anchor)
			return
		}
		r.URL.Path = strings.TrimPrefix(r.URL.Path, "/ipfs")
		if lies != "" && (strings.HasSuffix(r.URL.Path, anchor) || strings.HasSuffix(r.URL.Path, badly)) {
			r.URL.Path = "/" + lies
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	for _, c := range []struct {
		name, file, lie string
		code            int
		says            string
	}{
		{"the anchor", anchor, "", 0, "The proof is good"},
		{"its manifest", manifest, "", 0, "it is the proof of that run and token"},
		{"an anchor that does not hold", badly, "", 5, "NOT good"},
		{"its manifest, which another anchor fixes", manifestIn(t, f, badly), "", 5, "fixes the manifest " + manifest},
		{"a page", m.Rows.Pages[0].CID, "", 2, "neither a transaction nor a manifest"},
		{"a picture", picture.CID, "", 2, "neither a transaction nor a manifest"},
		{"nonsense", "nonsense", "", 2, "does not end with the content id"},
		{"a folder", "", "", 2, "does not end with the content id"},
		{"a picture in place of a proof that does not hold", badly, picture.CID, 3, "could NOT be checked"},
		{"a manifest in place of a proof that does not hold", badly, manifest, 3, "could NOT be checked"},
		{"another proof in place of one that does not hold", badly, anchor, 3, "could NOT be checked"},
		{"a picture in place of a good proof", anchor, picture.CID, 3, "could NOT be checked"},
	} {
		lies = c.lie
		code, out, errs := call(t, "--api", server.URL, server.URL+"/ipfs/"+c.file)
		if code != c.code || !strings.Contains(out+errs, c.says) {
			t.Errorf("%s: %d, want %d and %q\n%s%s", c.name, code, c.code, c.says, out, errs)
		}
	}
	lies = ""
	code, out, errs := call(t, "--api", server.URL+"/elsewhere", server.URL+"/ipfs/"+manifest)
	if want := "tokenlaunch verify " + mint.String() + " " + m.RunID; code != 2 || !strings.Contains(errs, want) {
		t.Errorf("the manifest where the API knows no run: %d\n%s%s", code, out, errs)
	}
}

func TestVerifyShowsHolderRow(t *testing.T) {
	f := folder{path: t.TempDir()}
	prove(t, f)
	for who, want := range map[solana.PublicKey]string{
		holder: "balance 60, share 90 and 0 from before; paid 0, received 0, charged 0, kept for later 90\n  What you are owed is not yet worth",
		vault:  "has no share of this run, with a balance of 40: vault",
		mint:   "had nothing of the token at the snapshot",
	} {
		code, out, errs := call(t, "--holder", who.String(), f.path)
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: %d\n%s%s", who, code, out, errs)
		}
	}
}

// provenHeld writes a kept proof under the reward basis "held" into a directory, and returns its
// anchor.
func provenHeld(t *testing.T, folder string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", "..", "proof", "testdata", "vectors", "proofs.json"))
	check(t, err)
	var kept struct {
		Files   [][]byte
		Reports [][]struct{ Name string }
		Cases   []struct {
			Anchor, Forgery string
			Files           map[string]int
			Report          int
		}
	}
	check(t, json.Unmarshal(body, &kept))
	for _, c := range kept.Cases {
		held := slices.ContainsFunc(kept.Reports[c.Report], func(r struct{ Name string }) bool { return r.Name == "held before" })
		if c.Forgery != "" || !held {
			continue
		}
		for name, n := range c.Files {
			check(t, os.WriteFile(filepath.Join(folder, name), kept.Files[n], 0o600))
		}
		return c.Anchor
	}
	t.Fatal("no proof of the vectors is under the basis held")
	return ""
}

// If the previous snapshot counts, too, holders see their balance in it.
func TestVerifyShowsPreviousBalances(t *testing.T) {
	path := t.TempDir()
	anchor := provenHeld(t, path)
	type balances struct{ Balance, BalanceBefore string }
	for who, want := range map[string]struct {
		says string
		rows []balances
		out  balances
	}{
		"111xJ2YUJZALz6xHxc11WtNXibZsHERXXTv7P91dCt": {
			"SOL: balance 8760 and 4380 in the snapshot before, of which the lesser counts, share 125368 and 0 from before; ",
			[]balances{{"8760", "4380"}},
			balances{Balance: "0"},
		},
		"1112BTc44RVmiKDttNtcv7cz38JwW7HctbxRKx2dgJU": {
			"has no share of this run, with a balance of 3975 and 0 in the snapshot before, of which the lesser counts: not_held",
			[]balances{},
			balances{"3975", "0"},
		},
	} {
		arguments := []string{"--holder", who, "--anchor", anchor, path}
		code, out, errs := call(t, arguments...)
		if code != 0 || !strings.Contains(out, want.says) {
			t.Errorf("%s: %d\n%s%s", who, code, out, errs)
		}
		var told struct {
			Holder struct {
				balances

				Rows []balances
			}
		}
		_, out, _ = call(t, append([]string{"--json"}, arguments...)...)
		if err := json.Unmarshal([]byte(out), &told); err != nil || !slices.Equal(told.Holder.Rows, want.rows) || told.Holder.balances != want.out {
			t.Errorf("%s: %v, %+v\n%s", who, err, told.Holder, out)
		}
	}
}

// The node knows no transactions: the files verify, and the proof as a whole does not.
func TestVerifyWithEmptyNode(t *testing.T) {
	f := folder{path: t.TempDir()}
	prove(t, f)
	asked := map[string]bool{}
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct{ Method string }
		_ = json.NewDecoder(r.Body).Decode(&call)
		asked[call.Method] = true
		result, ok := map[string]string{"getAccountInfo": `{"context":{"slot":1},"value":null}`, "getFirstAvailableBlock": "0", "getSlot": "4000"}[call.Method]
		if !ok {
			result = "null"
		}
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, result)
	}))
	defer node.Close()
	code, out, errs := call(t, "--rpc", node.URL, f.path)
	if code != 5 || !strings.Contains(out, "has not landed") || !asked["getTransaction"] || !asked["getAccountInfo"] {
		t.Errorf("%d, requested %v\n%s%s", code, asked, out, errs)
	}
}

// A node and a gateway that do not answer refute nothing: the exit code is that of what is away. A
// file that is refuted is refuted without a node, too.
func TestVerifyUnreachableSource(t *testing.T) {
	f := folder{path: t.TempDir()}
	anchor := prove(t, f)
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer node.Close()
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	for name, c := range map[string]struct {
		arguments []string
		ok        bool
	}{
		"node":         {[]string{"--rpc", node.URL, f.path}, true},
		"node, all":    {[]string{"--all", "--rpc", node.URL, f.path}, true},
		"gateway":      {[]string{away.URL + "/ipfs/" + anchor}, false},
		"node and all": {[]string{"--rpc", node.URL, away.URL + "/ipfs/" + anchor}, false},
	} {
		if code, out, errs := call(t, c.arguments...); code != 3 || strings.Contains(out, "FAILED") || !strings.Contains(out, "could NOT be") {
			t.Errorf("%s: exit code %d, want 3\n%s%s", name, code, out, errs)
		}
		var told struct {
			OK, Complete bool
			Unreachable  string
		}
		code, out, _ := call(t, append([]string{"--json"}, c.arguments...)...)
		if err := json.Unmarshal([]byte(out), &told); err != nil || code != 3 || told.OK != c.ok || told.Complete || told.Unreachable == "" {
			t.Errorf("%s: exit code %d, %v\n%s", name, code, err, out)
		}
	}
	// audit asks a node that is away for half a minute.
	if code := main.ExitCode(fmt.Errorf("audit: %w", apperr.Upstream("the node", nil))); code != 3 {
		t.Errorf("a node that is away: exit code %d, want 3", code)
	}
	check(t, os.WriteFile(filepath.Join(f.path, anchor+".tx"), []byte("another"), 0o600))
	if code, out, _ := call(t, "--rpc", node.URL, f.path); code != 5 {
		t.Errorf("a refuted proof and a node that is away: exit code %d\n%s", code, out)
	}
}

func TestWrongCalls(t *testing.T) {
	two := folder{path: t.TempDir()}
	prove(t, two)
	check(t, os.WriteFile(filepath.Join(two.path, "x.tx"), nil, 0o600))
	empty := t.TempDir()
	for name, c := range map[string]struct {
		arguments []string
		says      string
	}{
		"nothing":                   {nil, "expected \"<what>"},
		"two folders":               {[]string{empty, empty, empty}, "unexpected argument"},
		"a run of a folder":         {[]string{two.path, "x", "--anchor", "x"}, "a run is for a token"},
		"an unknown option":         {[]string{"--fast", empty}, "fast"},
		"an option without a proof": {[]string{"--rpc"}, "rpc"},
		"no such folder":            {[]string{filepath.Join(empty, "none")}, "none"},
		"a file":                    {[]string{filepath.Join(two.path, "x.tx")}, "is not a folder"},
		"an empty folder":           {[]string{empty}, "has no anchor"},
		"two proofs":                {[]string{two.path}, "choose one by its anchor"},
		"an anchor for a URL":       {[]string{"--anchor", "x", "http://127.0.0.1/x.tx"}, "--anchor is for folders"},
		"an anchor of a token":      {[]string{"--anchor", "x", mint.String()}, "--anchor is for folders"},
		"no address":                {[]string{"--holder", "x", "--anchor", "x", two.path}, "--holder"},
		"no node":                   {[]string{"--rpc", "x", "--anchor", "x", two.path}, "--rpc"},
		"no URL":                    {[]string{"http://"}, "URL"},
	} {
		if code, out, errs := call(t, c.arguments...); code != 2 || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%s: %d\n%s\n%s", name, code, out, errs)
		}
	}
	if code, out, errs := call(t, "--help"); code != 0 || !strings.Contains(out, "Usage: tokenlaunch verify") || errs != "" {
		t.Errorf("help: %d\n%s\n%s", code, out, errs)
	}
}

// The verdict names how much of the supply was left out on the service's word.
func TestCompleteNamesLeftOut(t *testing.T) {
	r := verify.Report{LeftOnTrust: &format.Tally{Owners: 9, Balance: 31}}
	r.Manifest.Snapshot.Supply = 100
	verdict, written, err := main.VerdictOf(r)
	check(t, err)
	const want = "nothing that the wallet did is left out. 9 owners with 31.00 % of the supply are left out on the service's word."
	if !strings.HasSuffix(verdict, want) {
		t.Errorf("verdict() = %q, want the end %q", verdict, want)
	}
	if !strings.Contains(string(written), `"leftOutOnTrust":{"owners":9,"balance":"31","supply":"100"}`) {
		t.Errorf("for programs: %s", written)
	}
}
