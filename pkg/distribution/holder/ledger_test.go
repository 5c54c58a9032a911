package holder_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/gagliardetto/solana-go"
	"golang.org/x/sync/errgroup"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/write"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// What a proof of the fixture says of each of its holders, in lamports.
const (
	holders  = 600 // in two files
	share    = 7
	received = 5
	minimum  = 10
)

var slot = time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC)

// fixture is a service with tokens, and a wallet.
type fixture struct {
	process *fault.Process
	chain   *localnet.Ledger
	db      *dynamodb.Client
	files   s3store.Bucket
	launch  string
	ledger  string
	wallet  solana.PublicKey
	saved   sync.Map
	holder.Ledger
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	stack := localnet.AWS(t)
	f := &fixture{process: fault.NewProcess(), chain: localnet.Chain(t), wallet: solana.NewWallet().PublicKey()}
	f.launch, f.ledger = stack.CreateTable(t, schema.Launch), stack.CreateTable(t, schema.Ledger)
	config := stack.Config(t.Context())
	pathStyle := func(o *s3.Options) { o.UsePathStyle = true }
	f.db = dynamo.New(config)
	f.files = s3store.Bucket{Client: s3.NewFromConfig(config, pathStyle), Name: "assets-" + f.ledger}
	_, err := f.files.Client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &f.files.Name})
	must.Do(t, err)
	// What the look-ups call is counted, and what the fixture calls is not.
	counted := config.Copy()
	counted.HTTPClient = f.process.Over(config.HTTPClient.Do)
	db := dynamo.New(counted)
	node, err := solanarpc.New(f.chain.RPCURL)
	must.Do(t, err)
	f.Ledger = holder.Ledger{
		Tokens: launchtable.Tokens{Client: db, Table: f.launch},
		Heads:  ledgertable.Runs{Client: db, Table: f.ledger},
		Proofs: books.Source{Objects: s3store.Bucket{Client: s3.NewFromConfig(counted, pathStyle), Name: f.files.Name}},
		Chain:  node.WithTransport(f.process.Over(http.DefaultTransport.RoundTrip)),
	}
	return f
}

// Save keeps a file of a proof, once.
func (f *fixture) Save(ctx context.Context, kind content.Kind, body []byte) (content.File, error) {
	cid := format.CID(sha256.Sum256(body))
	file := content.File{CID: cid, Key: kind.Key(cid)}
	if _, saved := f.saved.LoadOrStore(cid, true); saved {
		return file, nil
	}
	_, err := f.files.Client.PutObject(ctx, &s3.PutObjectInput{Bucket: &f.files.Name, Key: &file.Key, Body: bytes.NewReader(body)})
	return file, err
}

// numbered are keys that ascend: the service has enough tokens that only their
// numbers tell them apart.
func numbered(first byte, n int) (key solana.PublicKey) {
	key[0] = first
	binary.BigEndian.PutUint64(key[1:], uint64(n)+1)
	return key
}

const (
	ours    = 1   // mints of the service
	theirs  = 200 // of others
	private = 250 // token accounts
)

func mintOf(n int) solana.PublicKey { return numbered(ours, n) }

// launches puts tokens into the service as package launchtable lays them out, with their
// heads, all of them after a run whose proof is named.
func (f *fixture) launches(t *testing.T, mints []solana.PublicKey, last map[solana.PublicKey]string) {
	t.Helper()
	binaryOf := func(b []byte) types.AttributeValue { return &types.AttributeValueMemberB{Value: b} }
	var writes []types.WriteRequest
	var heads []types.WriteRequest
	for _, mint := range mints {
		key := dynamo.Key(schema.Tokens+mint.String(), "TOKEN")
		maps.Copy(key, map[string]types.AttributeValue{
			"id": dynamo.Text(mint.String()), "mint": binaryOf(mint[:]), "creator": binaryOf(f.wallet[:]),
			"name": dynamo.Text("Crane"), "symbol": dynamo.Text("CRANE"), "status": dynamo.Text("confirmed"), "decimals": dynamo.Number(6),
			"settings": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"r": dynamo.Text(terms.RewardSOL)}},
		})
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: key}})
		if last[mint] == "" {
			continue
		}
		document, err := json.Marshal(run.Head{Mint: mint, LastSlot: slot, Last: &run.Last{
			Run: terms.RunID(mint, slot), Slot: slot, Number: 1, Manifest: last[mint],
		}})
		must.Do(t, err)
		head := dynamo.Key("MINT#"+mint.String(), "HEAD")
		maps.Copy(head, map[string]types.AttributeValue{"doc": dynamo.Text(string(document)), "version": dynamo.Number(1)})
		heads = append(heads, types.WriteRequest{PutRequest: &types.PutRequest{Item: head}})
	}
	var batches errgroup.Group
	batches.SetLimit(4)
	const most = 25 // of a batch (Amazon DynamoDB, BatchWriteItem)
	for table, list := range map[string][]types.WriteRequest{f.launch: writes, f.ledger: heads} {
		for part := range slices.Chunk(list, most) {
			batches.Go(func() error {
				_, err := f.db.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: part}})
				return err
			})
		}
	}
	must.Do(t, batches.Wait())
}

// proves makes the proof of a run of a token, with the wallet among its holders, or among
// those who had too little.
func (f *fixture) proves(t *testing.T, mint solana.PublicKey, poor bool, arrears ...terms.Asset) string {
	t.Helper()
	w := write.New(f)
	owners := []solana.PublicKey{f.wallet}
	for n := 1; n < holders; n++ {
		owners = append(owners, numbered(byte(n), n))
	}
	if poor {
		owners[0] = numbered(0, 0)
		must.Do(t, w.LeftOut(t.Context(), format.LeftOut{Owner: f.wallet, Balance: minimum - 1, Why: "below_minimum"}))
	}
	slices.SortFunc(owners, func(a, b solana.PublicKey) int { return bytes.Compare(a[:], b[:]) })
	w.Leg(terms.SOL)
	for _, owner := range owners {
		must.Do(t, w.Row(t.Context(), allocation.Row{
			Asset: terms.SOL, Owner: owner, Balance: minimum, Share: share, Carried: share, Total: received, Reason: allocation.BelowCost,
		}))
	}
	_, sums := w.Sums(0)
	var before []format.Leg
	var books []format.Statement
	for _, asset := range arrears {
		w.Leg(asset)
		must.Do(t, w.Row(t.Context(), allocation.Row{
			Asset: asset, Owner: f.wallet, Owed: share, Carried: share, Total: received, Reason: allocation.AccountFrozen,
		}))
		before = append(before, format.Leg{Asset: asset.String(), Program: solana.TokenProgramID.String(), Decimals: 6, WorthPaying: 100, Creators: []format.CreatorShare{{Wallet: format.Key(solana.VoteProgramID), PartBps: 10_000}}})
		books = append(books, format.Statement{
			Asset: asset.String(), Opening: share, Closing: share, HeldFor: format.Entries(map[format.Name]uint64{format.Owed: share}),
		})
	}
	left := format.Amount(0)
	if poor {
		left = minimum - 1
	}
	creator := format.Key(solana.VoteProgramID)
	account, err := token2022.AssociatedAddress(solana.VoteProgramID, mint, solana.Token2022ProgramID)
	must.Do(t, err)
	closed, err := w.Close(t.Context(), format.Manifest{
		Kind: format.Distribution, Number: 1, Creator: creator, Cut: 9,
		RunID: terms.RunID(mint, slot), Slot: slot, Mint: format.Key(mint), Program: format.Key(solana.Token2022ProgramID),
		Wallet: creator, TokenAccount: format.Key(account),
		Settings: format.Settings{
			Interval: "1h", RewardToken: "SOL", MinimumHolding: minimum, SellBps: 10_000, DeveloperWallet: creator, Version: terms.LaunchVersion,
		},
		Snapshot: format.Snapshot{
			ChainSlot: 5, Supply: holders*minimum + left, Eligible: format.Tally{Owners: holders, Balance: holders * minimum},
		},
		Split: format.Split{Spendable: 10, Slice: 10, Sell: 10}, Exchange: format.Sale{Sold: 10, Proceeds: holders * share},
		Legs: append([]format.Leg{{
			Asset: "SOL", Decimals: 9, Total: holders * share, WorthPaying: 100,
			Creators: []format.CreatorShare{{Wallet: creator, PartBps: 10_000}},
		}}, before...),
		Statements: append([]format.Statement{
			{Asset: mint.String(), Opening: 10, Out: []format.Entry{{Name: format.Sold, Amount: 10}}},
			{
				Asset: "SOL", In: []format.Entry{{Name: format.Proceeds, Amount: holders * share}}, Closing: holders * share,
				HeldFor: format.Entries(map[format.Name]uint64{format.Owed: uint64(sums.Carried)}),
			},
		}, books...),
	})
	must.Do(t, err)
	return closed.CID
}

// holds creates token accounts of the wallet.
func (f *fixture) holds(t *testing.T, mints ...solana.PublicKey) {
	t.Helper()
	todo := make(chan int, len(mints))
	for n := range mints {
		todo <- n
	}
	close(todo)
	var writers sync.WaitGroup
	for range 8 { // fewer than the events that the local chain takes before they are read
		writers.Go(func() {
			for n := range todo {
				data := make([]byte, 182)
				copy(data, mints[n][:])
				copy(data[32:], f.wallet[:])
				data[108], data[165], data[166], data[168] = 1, 2, 2, 8
				f.chain.SetAccount(t, numbered(private, int(mints[n][0])<<32+n).String(), surfpool.Account{
					Lamports: 2_157_600, Owner: solana.Token2022ProgramID.String(), Data: data,
				})
			}
		})
	}
	writers.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// read follows a ledger to its end.
func (f *fixture) read(t *testing.T, limit int, named ...solana.PublicKey) (lines []holder.Line, pages []int) {
	t.Helper()
	ask := holder.Ask{Wallet: f.wallet, Limit: limit, Named: named}
	for {
		page, err := f.Page(t.Context(), ask)
		must.Do(t, err)
		if !page.Complete {
			t.Fatal("the ledger is not complete")
		}
		lines, pages = append(lines, page.Lines...), append(pages, len(page.Lines))
		if ask.After = page.Next; ask.After.IsZero() {
			return lines, pages
		}
	}
}

func mintsIn(lines []holder.Line) (mints []solana.PublicKey) {
	for _, line := range lines {
		mints = append(mints, line.Token.Mint)
	}
	return mints
}

// TestLedgerAcrossTokens tests a ledger by the last proofs for a holder, an owner below the minimum, an owner
// without a balance, and a token without a run.
func TestLedgerAcrossTokens(t *testing.T) {
	f := newFixture(t)
	holding, poor, sold, fresh, foreign := mintOf(1), mintOf(2), mintOf(3), mintOf(4), numbered(theirs, 1)
	f.launches(t, []solana.PublicKey{holding, poor, sold, fresh}, map[solana.PublicKey]string{
		holding: f.proves(t, holding, false), poor: f.proves(t, poor, true), sold: f.proves(t, sold, false),
	})
	f.holds(t, fresh, foreign, holding, poor)

	check := func(line holder.Line, owed, total uint64, why string) {
		t.Helper()
		got := ""
		if line.Why != nil {
			got = line.Why.Code
		}
		if line.Reward.Carried != owed || line.Reward.Total != total || got != why || !line.Reward.Asset.IsSOL() || len(line.Arrears) > 0 || line.MoreAssets {
			t.Errorf("%s: %+v because of %s, want %d owed, %d received, %s", line.Token.Mint, line.Reward, got, owed, total, why)
		}
	}
	lines, _ := f.read(t, holder.MaxPage)
	if got := mintsIn(lines); !slices.Equal(got, []solana.PublicKey{holding, poor, fresh}) {
		t.Fatalf("holds %v", got)
	}
	check(lines[0], share, received, "below_cost")
	check(lines[1], 0, 0, "below_minimum")
	check(lines[2], 0, 0, holder.WhyNoRun)
	if last := lines[0].Last; last == nil || last.Run != terms.RunID(holding, slot) || lines[2].Last != nil {
		t.Errorf("the last runs are %+v and %+v", last, lines[2].Last)
	}

	// What it has sold is named; what is not of the service is left out, named or held.
	lines, pages := f.read(t, 2, sold, foreign)
	if got := mintsIn(lines); !slices.Equal(got, []solana.PublicKey{sold, holding, poor, fresh}) || !slices.Equal(pages, []int{2, 2}) {
		t.Fatalf("with one that was sold: %v by pages of %v", got, pages)
	}
	check(lines[0], share, received, "below_cost") // and is owed still

	lines, pages = f.read(t, 2, fresh, sold) // fill the first page
	if got := mintsIn(lines); !slices.Equal(got, []solana.PublicKey{fresh, sold, holding, poor}) || !slices.Equal(pages, []int{2, 2}) {
		t.Fatalf("with a page of named ones: %v by pages of %v", got, pages)
	}

	lines, pages = f.read(t, 1, fresh, sold) // are more than the page has
	if got := mintsIn(lines); !slices.Equal(got, []solana.PublicKey{fresh, sold, holding, poor}) || !slices.Equal(pages, []int{2, 1, 1}) {
		t.Fatalf("with more named ones than a page has: %v by pages of %v", got, pages)
	}

	// A node that refuses leaves what was named.
	f.process.On(fault.Operation("solana", "getTokenAccountsByOwner"), fault.Down)
	page, err := f.Page(t.Context(), holder.Ask{Wallet: f.wallet, Limit: 100, Named: []solana.PublicKey{sold}})
	must.Do(t, err)
	if got := mintsIn(page.Lines); !slices.Equal(got, []solana.PublicKey{sold}) || page.Complete || !page.Next.IsZero() {
		t.Errorf("named, without the node: %+v", page)
	}
	if _, err := f.Page(t.Context(), holder.Ask{Wallet: f.wallet, Limit: 100}); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("without the node: %v", err)
	}
}

// TestLedgerOfWalletWithoutTokens tests the ledger of a wallet without a token account, and a store that
// fails.
func TestLedgerOfWalletWithoutTokens(t *testing.T) {
	f := newFixture(t)
	poor := mintOf(2)
	f.launches(t, []solana.PublicKey{poor}, map[solana.PublicKey]string{poor: f.proves(t, poor, true)})
	stranger := holder.Ask{Wallet: solana.NewWallet().PublicKey(), Limit: 100, Named: []solana.PublicKey{poor}}
	page, err := f.Page(t.Context(), stranger)
	must.Do(t, err)
	if len(page.Lines) != 1 || page.Lines[0].Why.Code != holder.WhyNotHolder || !page.Next.IsZero() {
		t.Errorf("a stranger: %+v", page)
	}
	stranger.Named = nil
	if page, err = f.Page(t.Context(), stranger); err != nil || len(page.Lines) != 0 || !page.Complete || !page.Next.IsZero() {
		t.Errorf("a stranger: %+v, %v", page, err)
	}
	f.process.On(fault.Operation("s3", "GetObject"), fault.Answer(http.StatusForbidden, ""))
	stranger.Named = []solana.PublicKey{poor}
	if _, err := f.Page(t.Context(), stranger); err == nil {
		t.Error("a proof that cannot be read is shown")
	}
}

// TestLedgerOfManyAssets tests that a look-up reads at most eight assets of a token, because a creator chooses
// the number of assets.
func TestLedgerOfManyAssets(t *testing.T) {
	f := newFixture(t)
	few, many := mintOf(1), mintOf(2)
	assets := make([]terms.Asset, 9)
	for n := range assets {
		assets[n] = terms.Asset(numbered(theirs, n))
	}
	f.launches(t, []solana.PublicKey{few, many}, map[solana.PublicKey]string{
		few: f.proves(t, few, true, assets[:2]...), many: f.proves(t, many, false, assets...),
	})
	page, err := f.Page(t.Context(), holder.Ask{Wallet: f.wallet, Limit: 100, Named: []solana.PublicKey{few, many}})
	must.Do(t, err)
	for n, want := range []struct {
		owed    uint64
		arrears int
		more    bool
	}{{0, 2, false}, {share, 7, true}} {
		line := page.Lines[n]
		if line.Reward.Carried != want.owed || !line.Reward.Asset.IsSOL() || len(line.Arrears) != want.arrears || line.MoreAssets != want.more {
			t.Errorf("line %d: %+v", n, line)
		}
		for i, row := range line.Arrears {
			if row.Asset != assets[i] || row.Carried != share || row.Total != received || row.Reason != allocation.AccountFrozen {
				t.Errorf("line %d: %+v", n, row)
			}
		}
	}
	before := len(f.process.Calls())
	_, err = f.Page(t.Context(), holder.Ask{Wallet: f.wallet, Limit: 1, Named: []solana.PublicKey{many}})
	must.Do(t, err)
	files := 0
	for _, c := range f.process.Calls()[before:] {
		if c.Service == "s3" {
			files++
		}
	}
	if files > 1+2*8 {
		t.Errorf("%d files were read", files)
	}
}

// TestLedgerOfManyTokens measures look-ups of a wallet that holds more tokens than a page has and other
// tokens, in a service of ten thousand tokens; by day of five hundred.
func TestLedgerOfManyTokens(t *testing.T) {
	service, held, dust := 500, 120, 200
	if nightly.Whole(t) {
		service, held, dust = 10_000, 250, 2_500
	}
	f := newFixture(t)
	mints, last := make([]solana.PublicKey, service), map[solana.PublicKey]string{}
	for n := range mints {
		mints[n] = mintOf(n)
	}
	var holdings, others []solana.PublicKey
	for n := range held {
		mint := mints[n*(service/held)]
		last[mint] = f.proves(t, mint, n%4 == 0)
		holdings = append(holdings, mint)
	}
	for _, mint := range mints { // that the wallet does not hold have runs, too
		if last[mint] == "" {
			last[mint] = last[holdings[0]]
		}
	}
	for n := range dust {
		others = append(others, numbered(theirs, n))
	}
	f.launches(t, mints, last)
	f.holds(t, holdings...)
	f.holds(t, others...)

	var seen []solana.PublicKey
	ask := holder.Ask{Wallet: f.wallet, Limit: holder.MaxPage}
	for number := 1; ; number++ {
		before := len(f.process.Calls())
		began := time.Now()
		page, err := f.Page(t.Context(), ask)
		took := time.Since(began)
		must.Do(t, err)
		calls := map[string]int{}
		for _, c := range f.process.Calls()[before:] {
			calls[c.Service+" "+c.Operation]++
		}
		var text []string
		for _, name := range slices.Sorted(maps.Keys(calls)) {
			text = append(text, fmt.Sprintf("%s %d", name, calls[name]))
		}
		figures.Show(t, "a holder's ledger of %d tokens and %d of others, in a service of %d: page %d has %d tokens, by %s, in %d ms",
			held, dust, service, number, len(page.Lines), strings.Join(text, ", "), took.Milliseconds())
		if calls["solana getTokenAccountsByOwner"] != 1 || calls["dynamodb BatchGetItem"] > 11 || calls["s3 GetObject"] > 5*len(page.Lines) || len(calls) > 3 {
			t.Errorf("page %d: %v", number, calls)
		}
		seen = append(seen, mintsIn(page.Lines)...)
		if ask.After = page.Next; ask.After.IsZero() {
			break
		}
	}
	if !slices.Equal(seen, holdings) {
		t.Errorf("%d tokens were seen of %d, or in another order", len(seen), len(holdings))
	}
}
