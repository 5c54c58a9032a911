// Package figures stores the public statistics of the service in the launch table.
package figures

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/platform/sweep"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The public statistics. The announcer counts runs, and the index counts volumes. Every minute the
// reconciler computes the content of lists and pages from both, so that no reader adds up:
//
//	FIGURES#<mint>            TOKEN      figures.Token; in the index under RANK#paid by lamports, if any
//	FIGURES#<mint>            VOLUME     in the index under RANK#volume by lamports
//	FIGURES#RUN#<run id>      RUN        marks a counted run; expires
//	FIGURES#ASSET#<asset>     <shard>    figures.Total, a part; in the index under ASSET by the number of runs
//	FIGURES#RUNS              <shard>    runs
//	FIGURES                   STATS      figures.Stats
//	FIGURES                   RANK#<by>  the mints of the first tokens
//
// Figures and totals are JSON documents (doc). The version prevents two writers from overwriting
// each other.
const (
	figuresPart  = "FIGURES"
	tokenFigures = "TOKEN"
	volumeSort   = "VOLUME"
	countedSort  = "RUN"
	statsSort    = "STATS"
	rankPrefix   = "RANK#"
	assetPrefix  = "ASSET#"
	assetRank    = "ASSET"
)

const (
	// figureShards is the number of parts of a total, divided by mint, so that runs that end
	// simultaneously rarely conflict.
	figureShards = 8
	// countTries is the maximum number of tries to count a run if other runs are counted
	// concurrently.
	countTries = 20
	// countPause is the maximum pause between two tries.
	countPause = 50 * time.Millisecond
	// keepCounted is the retention of the mark of a counted run. The run's event can be repeated
	// only for a shorter time, from a stream (a day) or a dead-letter queue (14 days).
	keepCounted = 30 * 24 * time.Hour
	// countWithin is the maximum age of a run that is counted. An event of an older run, for
	// example from a ledger that is restored from the journal, may arrive after the mark has
	// expired.
	countWithin = 20 * 24 * time.Hour
	// maxPaid is the maximum number of assets for which a run is counted, because a transaction
	// has at most 100 writes. A token whose creator often changed the reward may owe more assets.
	// The run's current reward comes first.
	maxPaid = 90
	// maxExamined is the maximum number of tokens of a rank that are checked for visibility.
	maxExamined = 500
)

// Store stores the public statistics. It implements figures.Store.
type Store struct {
	Client *dynamodb.Client
	Table  string
	Now    func() time.Time
}

func (f Store) tokens() launchtable.Tokens {
	return launchtable.Tokens{Client: f.Client, Table: f.Table}
}

func tokenFiguresKey(mint solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(schema.Figures+mint.String(), tokenFigures)
}

func countedKey(run string) map[string]types.AttributeValue {
	return dynamo.Key(schema.Figures+"RUN#"+run, countedSort)
}

func totalKey(asset terms.Asset, shard int) map[string]types.AttributeValue {
	return dynamo.Key(schema.Figures+assetPrefix+asset.String(), strconv.Itoa(shard))
}

func runsKey(shard int) map[string]types.AttributeValue {
	return dynamo.Key(schema.Figures+"RUNS", strconv.Itoa(shard))
}

func shardOf(mint solana.PublicKey) int { return int(mint[len(mint)-1]) % figureShards }

// document is a JSON document in an item, with the key of the index if the item is in the index.
type document struct {
	Doc     string `dynamodbav:"doc"`
	Version int64  `dynamodbav:"version"`
	DuePk   string `dynamodbav:"duePk,omitempty"`
}

// read reads the document under a key, and returns the document's version, or zero if the key has
// no item.
func (f Store) read(ctx context.Context, key map[string]types.AttributeValue, into any) (version int64, err error) {
	var stored document
	found, err := dynamo.Get(ctx, f.Client, f.Table, key, &stored)
	if err == nil && found {
		err = json.Unmarshal([]byte(stored.Doc), into)
	}
	if err != nil {
		return 0, fmt.Errorf("read the figures %v: %w", dynamo.IDOf(key), err)
	}
	return stored.Version, nil
}

// replace returns the write that replaces the document of a version. rank is the item's list in the
// index, and by the position in the list. An item with an empty rank is not in the index.
func (f Store) replace(key map[string]types.AttributeValue, version int64, facts any, rank, by string) (types.TransactWriteItem, error) {
	text, err := json.Marshal(facts)
	if err != nil {
		return types.TransactWriteItem{}, fmt.Errorf("encode the figures %v: %w", dynamo.IDOf(key), err)
	}
	item, err := dynamo.NewItem(key, document{Doc: string(text), Version: version + 1, DuePk: rank})
	if err != nil {
		return types.TransactWriteItem{}, err
	}
	if rank != "" {
		item["dueAt"] = &types.AttributeValueMemberN{Value: by}
	}
	put := &types.Put{TableName: &f.Table, Item: item, ConditionExpression: new("attribute_not_exists(pk)")}
	if version > 0 {
		put.ConditionExpression = new("#version = :version")
		put.ExpressionAttributeNames = map[string]string{"#version": "version"}
		put.ExpressionAttributeValues = map[string]types.AttributeValue{":version": dynamo.Number(version)}
	}
	return types.TransactWriteItem{Put: put}, nil
}

// Count adds a run to the statistics. The same transaction marks the run as counted, which prevents
// a second count; see figures.Store.
func (f Store) Count(ctx context.Context, s figures.Settled) error {
	if f.Now().Sub(s.At) > countWithin {
		return nil
	}
	for range countTries {
		writes, err := f.counting(ctx, s)
		if err != nil {
			return err
		}
		_, err = f.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
		if err == nil {
			return nil
		}
		failed, canceled := dynamo.CanceledAt(err)
		if !canceled {
			return dynamo.Unavailable(fmt.Errorf("count run %s: %w", s.Run, err))
		}
		if slices.Contains(failed, 0) {
			return nil // the run was counted before
		}
		select {
		case <-ctx.Done():
			return dynamo.Unavailable(ctx.Err())
		case <-time.After(rand.N(countPause)): //nolint:gosec // G404: a pause, not a secret
		}
	}
	return dynamo.Unavailable(fmt.Errorf("count run %s: %w", s.Run, errors.New("other runs went before")))
}

// counting returns the writes of Count. The first write is the mark.
func (f Store) counting(ctx context.Context, s figures.Settled) ([]types.TransactWriteItem, error) {
	counted := countedKey(s.Run)
	counted[schema.ExpiresAt] = dynamo.Number(f.Now().Add(keepCounted).Unix())
	shard := shardOf(s.Mint)
	writes := []types.TransactWriteItem{
		{Put: &types.Put{TableName: &f.Table, Item: counted, ConditionExpression: new("attribute_not_exists(pk)")}},
		{Update: &types.Update{
			TableName: &f.Table, Key: runsKey(shard), UpdateExpression: new("ADD runs :one"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":one": dynamo.Number(1)},
		}},
	}
	var of figures.Token
	key := tokenFiguresKey(s.Mint)
	version, err := f.read(ctx, key, &of)
	if err != nil {
		return nil, err
	}
	of.Add(s)
	rank := ""
	if of.Lamports.Sign() > 0 {
		rank = rankPrefix + string(figures.ByPaid)
	}
	write, err := f.replace(key, version, of, rank, of.Lamports.String())
	if err != nil {
		return nil, err
	}
	writes = append(writes, write)
	for _, paid := range s.Paid[:min(len(s.Paid), maxPaid)] {
		var total figures.Total
		key := totalKey(paid.Asset, shard)
		version, err := f.read(ctx, key, &total)
		if err != nil {
			return nil, err
		}
		total.Add(s, paid)
		write, err := f.replace(key, version, total, assetRank, strconv.FormatUint(total.Runs, 10))
		if err != nil {
			return nil, err
		}
		writes = append(writes, write)
	}
	return writes, nil
}

// VolumeOf returns the write of a curve's total volume, by which the token is ranked.
func VolumeOf(table string, mint solana.PublicKey, paid, received uint64) types.TransactWriteItem {
	volume := paid + received
	if volume < paid {
		volume = math.MaxUint64
	}
	item := dynamo.Key(schema.Figures+mint.String(), volumeSort)
	item["duePk"], item["dueAt"] = dynamo.Text(rankPrefix+string(figures.ByVolume)), &types.AttributeValueMemberN{Value: strconv.FormatUint(volume, 10)}
	return types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: item}}
}

// OfTokens returns the figures of tokens. A token without a run and without a trade is not in the
// map.
func (f Store) OfTokens(ctx context.Context, mints ...solana.PublicKey) (map[solana.PublicKey]figures.Public, error) {
	var keys []map[string]types.AttributeValue
	for _, mint := range mints {
		keys = append(keys, tokenFiguresKey(mint), dynamo.Key(schema.Figures+mint.String(), volumeSort))
	}
	all := make(map[solana.PublicKey]figures.Public, len(mints))
	for some := range slices.Chunk(keys, dynamo.MaxInBatch) {
		items, err := dynamo.BatchGet(ctx, f.Client, f.Table, some, false)
		if err != nil {
			return nil, fmt.Errorf("read the figures of %d tokens: %w", len(mints), err)
		}
		for _, item := range items {
			if err := addPublic(item, all); err != nil {
				return nil, fmt.Errorf("decode the item %v: %w", dynamo.IDOf(item), err)
			}
		}
	}
	return all, nil
}

// addPublic adds an item of a token to the figures of tokens.
func addPublic(item map[string]types.AttributeValue, to map[solana.PublicKey]figures.Public) error {
	id := dynamo.IDOf(item)
	mint, err := solana.PublicKeyFromBase58(strings.TrimPrefix(id.Partition, schema.Figures))
	if err != nil {
		return err
	}
	of := to[mint]
	if id.Sort == volumeSort {
		err = attributevalue.Unmarshal(item["dueAt"], &of.Volume)
	} else {
		var stored document
		if err = attributevalue.UnmarshalMap(item, &stored); err == nil {
			err = json.Unmarshal([]byte(stored.Doc), &of.Token)
		}
	}
	to[mint] = of
	return err
}

// Stats returns the statistics of the service at the last Refresh; the zero Stats before the first
// Refresh.
func (f Store) Stats(ctx context.Context) (figures.Stats, error) {
	var stored struct {
		Doc string `dynamodbav:"doc"`
	}
	var stats figures.Stats
	found, err := dynamo.Read(ctx, f.Client, f.Table, dynamo.Key(figuresPart, statsSort), false, &stored)
	if err == nil && found {
		err = json.Unmarshal([]byte(stored.Doc), &stats)
	}
	if err != nil {
		return figures.Stats{}, fmt.Errorf("read the figures of the service: %w", err)
	}
	return stats, nil
}

// Refresh computes the content of lists and pages: the statistics of the service, and the visible
// tokens of each rank. It returns the number of ranked tokens. The amount of data that Refresh
// reads is bounded, no matter how many tokens exist.
func (f Store) Refresh(ctx context.Context) (ranked int, err error) {
	stats, err := f.stats(ctx)
	if err != nil {
		return 0, err
	}
	text, err := json.Marshal(stats)
	if err != nil {
		return 0, fmt.Errorf("encode the figures of the service: %w", err)
	}
	item := dynamo.Key(figuresPart, statsSort)
	item["doc"] = dynamo.Text(string(text))
	if err := f.put(ctx, item); err != nil {
		return 0, err
	}
	for _, by := range figures.Ranks() {
		mints, err := f.first(ctx, by)
		if err != nil {
			return ranked, err
		}
		item := dynamo.Key(figuresPart, rankPrefix+string(by))
		list := make([]types.AttributeValue, len(mints))
		for i, mint := range mints {
			list[i] = dynamo.Binary(mint[:])
		}
		item["mints"] = &types.AttributeValueMemberL{Value: list}
		if err := f.put(ctx, item); err != nil {
			return ranked, err
		}
		ranked += len(mints)
	}
	return ranked, nil
}

// Step returns Refresh as a step of the run of each minute.
func (f Store) Step(within time.Duration) sweep.Step {
	return sweep.Step{Name: "figures", Within: within, Run: func(ctx context.Context) (sweep.Counts, error) {
		ranked, err := f.Refresh(ctx)
		return sweep.Counts{{Name: "ranked", N: ranked}}, err
	}}
}

func (f Store) put(ctx context.Context, item map[string]types.AttributeValue) error {
	_, err := f.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &f.Table, Item: item})
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("write the figures %v: %w", dynamo.IDOf(item), err))
	}
	return nil
}

// best lists the keys of the first items of a list in the index in descending order, maximum items per
// page.
func (f Store) best(list string, maximum int) *dynamodb.QueryPaginator {
	return dynamodb.NewQueryPaginator(f.Client, &dynamodb.QueryInput{
		TableName: &f.Table, IndexName: &schema.DueLaunches.Name, Limit: dynamo.PageLimit(maximum), ScanIndexForward: new(false),
		KeyConditionExpression:    new("duePk = :list"),
		ProjectionExpression:      new("pk, sk"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":list": dynamo.Text(list)},
	})
}

// first returns the first visible tokens of a rank.
func (f Store) first(ctx context.Context, by figures.Rank) (mints []solana.PublicKey, err error) {
	pages := f.best(rankPrefix+string(by), dynamo.MaxInBatch)
	for examined := 0; pages.HasMorePages() && len(mints) < figures.MaxRanked && examined < maxExamined; {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, dynamo.Unavailable(fmt.Errorf("list the tokens by %s: %w", by, err))
		}
		examined += len(page.Items)
		candidates := make([]solana.PublicKey, len(page.Items))
		for i, item := range page.Items {
			if candidates[i], err = solana.PublicKeyFromBase58(strings.TrimPrefix(dynamo.IDOf(item).Partition, schema.Figures)); err != nil {
				return nil, fmt.Errorf("decode the item %v: %w", dynamo.IDOf(item), err)
			}
		}
		shown, err := f.visible(ctx, candidates)
		if err != nil {
			return nil, err
		}
		mints = append(mints, shown...)
	}
	return mints[:min(len(mints), figures.MaxRanked)], nil
}

// visible returns the mints of visible tokens among mints, which has at most 100 mints.
func (f Store) visible(ctx context.Context, mints []solana.PublicKey) ([]solana.PublicKey, error) {
	records, err := f.tokens().TokensOf(ctx, mints)
	if err != nil {
		return nil, err
	}
	var shown []solana.PublicKey
	for _, record := range records {
		if record.Visible {
			shown = append(shown, record.Mint)
		}
	}
	return shown, nil
}

// stats adds up the statistics of the service.
func (f Store) stats(ctx context.Context) (figures.Stats, error) {
	stats := figures.Stats{At: f.Now().UTC()}
	assets, err := f.assets(ctx)
	if err != nil {
		return stats, err
	}
	var keys []map[string]types.AttributeValue
	for shard := range figureShards {
		keys = append(keys, runsKey(shard))
		for _, asset := range assets {
			keys = append(keys, totalKey(asset, shard))
		}
	}
	byAsset := map[terms.Asset]figures.Total{}
	for some := range slices.Chunk(keys, dynamo.MaxInBatch) {
		items, err := dynamo.BatchGet(ctx, f.Client, f.Table, some, false)
		if err != nil {
			return stats, err
		}
		for _, item := range items {
			if err := addUp(item, &stats, byAsset); err != nil {
				return stats, fmt.Errorf("decode the item %v: %w", dynamo.IDOf(item), err)
			}
		}
	}
	for _, total := range byAsset {
		stats.Totals = append(stats.Totals, total)
	}
	stats.Totals = figures.Ordered(stats.Totals)
	stats.Tokens, err = f.tokens().CountVisible(ctx)
	if err != nil {
		return stats, err
	}
	return stats, f.hideProofs(ctx, &stats)
}

// addUp adds an item to the statistics of the service. The item is a part of a total, or of the
// number of runs.
func addUp(item map[string]types.AttributeValue, stats *figures.Stats, byAsset map[terms.Asset]figures.Total) error {
	var stored struct {
		Doc  string `dynamodbav:"doc"`
		Runs uint64 `dynamodbav:"runs"`
	}
	if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
		return err
	}
	stats.Runs += stored.Runs
	if stored.Doc == "" {
		return nil
	}
	var part figures.Total
	if err := json.Unmarshal([]byte(stored.Doc), &part); err != nil {
		return err
	}
	total := byAsset[part.Asset]
	total.Asset, total.Decimals = part.Asset, part.Decimals
	byAsset[part.Asset] = total.Plus(part)
	return nil
}

// assets returns the currencies, and then the assets with the most runs in one part. The currencies
// are always present, no matter how many runs pay other assets.
func (f Store) assets(ctx context.Context) (assets []terms.Asset, err error) {
	page, err := f.best(assetRank, figures.MaxTotals*figureShards).NextPage(ctx)
	if err != nil {
		return nil, dynamo.Unavailable(fmt.Errorf("list the assets that were paid: %w", err))
	}
	assets = terms.Currencies()
	for _, item := range page.Items {
		asset, err := terms.ParseAsset(strings.TrimPrefix(dynamo.IDOf(item).Partition, schema.Figures+assetPrefix))
		if err != nil {
			return nil, fmt.Errorf("decode the item %v: %w", dynamo.IDOf(item), err)
		}
		if !slices.Contains(assets, asset) && len(assets) < figures.MaxTotals {
			assets = append(assets, asset)
		}
	}
	return assets, nil
}

// hideProofs removes the proofs of hidden tokens, because the pages of hidden tokens return not
// found.
func (f Store) hideProofs(ctx context.Context, stats *figures.Stats) error {
	var mints []solana.PublicKey // MaxTotals times KeptProofs: one batch
	for _, total := range stats.Totals {
		for _, proof := range total.Proofs {
			if !slices.Contains(mints, proof.Mint) {
				mints = append(mints, proof.Mint)
			}
		}
	}
	if len(mints) == 0 {
		return nil
	}
	shown, err := f.visible(ctx, mints)
	if err != nil {
		return err
	}
	for i := range stats.Totals {
		total := &stats.Totals[i]
		total.Proofs = slices.DeleteFunc(total.Proofs, func(p figures.Proof) bool { return !slices.Contains(shown, p.Mint) })
	}
	return nil
}

// Ranked returns one page of the first MaxRanked tokens of a rank and the number of ranked tokens,
// as of the last Refresh.
func (f Store) Ranked(ctx context.Context, by figures.Rank, page, limit int64) ([]token.Record, int64, error) {
	var stored struct {
		Mints [][]byte `dynamodbav:"mints"`
	}
	if _, err := dynamo.Read(ctx, f.Client, f.Table, dynamo.Key(figuresPart, rankPrefix+string(by)), false, &stored); err != nil {
		return nil, 0, fmt.Errorf("read the tokens by %s: %w", by, err)
	}
	mints := make([]solana.PublicKey, len(stored.Mints))
	for i, mint := range stored.Mints {
		mints[i] = dynamo.PublicKey(mint)
	}
	return f.tokens().SomeOf(ctx, mints, page, limit)
}
