package ledgertable

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/run"
)

// Runs stores runs, heads and burns in the ledger table. It implements run.Store.
type Runs struct {
	Client *dynamodb.Client
	Table  string
	Now    func() time.Time
	// Settings returns the check that the newest version of a token's settings has the given
	// number, for the opening of a run; nil if the program opens no runs.
	Settings func(mint solana.PublicKey, changes int64) types.TransactWriteItem
}

func ledgerHeadKey(mint solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(mintPartition(mint), ledgerHead)
}

func slotDigits(slot time.Time) string { return fmt.Sprintf("%012d", slot.Unix()) }

func runKey(mint solana.PublicKey, slot time.Time) map[string]types.AttributeValue {
	return dynamo.Key(mintPartition(mint), runPrefix+slotDigits(slot))
}

func runIDKey(id string) map[string]types.AttributeValue { return dynamo.Key("RUNID#"+id, runIDSort) }

func burnKey(mint solana.PublicKey, slot time.Time, id string) map[string]types.AttributeValue {
	return dynamo.Key(mintPartition(mint), burnPrefix+slotDigits(slot)+"#"+id)
}

// dueShards is the number of parts of the due index, so that the many runs of a busy slot do not
// all write to one partition of the index.
const dueShards = 16

func runDue(shard int) string { return "RUN#" + strconv.Itoa(shard) }

func dueShard(mint solana.PublicKey) int { return int(mint[len(mint)/2]) % dueShards }

// Head returns a token's head; see run.Store.
func (s Runs) Head(ctx context.Context, mint solana.PublicKey) (run.Head, error) {
	head := run.Head{Mint: mint}
	item, version, err := getFacts(ctx, s.Client, s.Table, ledgerHeadKey(mint), &head)
	if err != nil {
		return run.Head{}, fmt.Errorf("read the head of %s: %w", mint, err)
	}
	if item == nil {
		return head, nil
	}
	return head, completeHead(&head, item, version)
}

// completeHead adds the facts of an item that are not in the document.
func completeHead(head *run.Head, item map[string]types.AttributeValue, version int64) error {
	var sum struct {
		Burned uint64 `dynamodbav:"burned"`
	}
	if err := attributevalue.UnmarshalMap(item, &sum); err != nil {
		return fmt.Errorf("read the burned sum of %s: %w", head.Mint, err)
	}
	head.Version, head.Burned = version, sum.Burned
	return nil
}

// Run returns a run by slot; see run.Store.
func (s Runs) Run(ctx context.Context, mint solana.PublicKey, slot time.Time) (run.Run, error) {
	var r run.Run
	item, version, err := getFacts(ctx, s.Client, s.Table, runKey(mint, slot), &r)
	if err != nil {
		return run.Run{}, fmt.Errorf("read the run of %s at %d: %w", mint, slot.Unix(), err)
	}
	if item == nil {
		return run.Run{}, run.ErrNotFound
	}
	r.Version = version
	return r, nil
}

// headEntry returns the entry of a head. The last slot never becomes older.
func headEntry(h run.Head, rules ...rule) entry {
	version := h.Version
	h.Version = 0
	e := entry{
		key: ledgerHeadKey(h.Mint), facts: h, version: version,
		attributes: map[string]types.AttributeValue{"burned": amount(h.Burned), "lastSlot": dynamo.Number(h.LastSlot.Unix())},
		rules: append(rules, rule{"#lastSlot <= :lastSlot", map[string]types.AttributeValue{
			":lastSlot": dynamo.Number(h.LastSlot.Unix()),
		}}),
	}
	if !h.Active.IsZero() {
		e.attributes["active"] = dynamo.Number(h.Active.Unix())
	}
	if h.Frozen != "" {
		e.attributes[schema.Frozen] = dynamo.Text(h.Frozen)
	}
	undecided(h, e.attributes)
	return e
}

// activeRule returns the rule that the run of the slot is active. For the zero slot, no run must be
// active.
func activeRule(slot time.Time) rule {
	if slot.IsZero() {
		return rule{text: "attribute_not_exists(#active)"}
	}
	return rule{"#active = :active", map[string]types.AttributeValue{":active": dynamo.Number(slot.Unix())}}
}

// runEntry returns the entry of a run. An ended run is not written again.
func (s Runs) runEntry(r run.Run) entry {
	version := r.Version
	r.Version = 0
	e := entry{
		key: runKey(r.Mint, r.Slot), facts: r, version: version,
		attributes: map[string]types.AttributeValue{schema.RunStatus: dynamo.Text(string(r.Status()))},
		rules:      []rule{{text: "attribute_not_exists(#endedAt)"}},
	}
	if r.End != nil {
		e.attributes["endedAt"] = dynamo.Number(r.End.At.UnixMilli())
		return e
	}
	e.attributes["duePk"] = dynamo.Text(runDue(dueShard(r.Mint)))
	e.attributes["dueAt"] = dynamo.Number(s.Now().Add(run.OverdueAfter).UnixMilli())
	return e
}

func (s Runs) runID(r run.Run) ready {
	item := runIDKey(r.ID)
	item["mint"], item["slot"] = dynamo.Binary(r.Mint[:]), dynamo.Number(r.Slot.Unix())
	return ready{Put: &types.Put{TableName: &s.Table, Item: item}}
}

// Open writes a new run and the head; see run.Store. It also fails while the head is frozen.
func (s Runs) Open(ctx context.Context, head run.Head, opened run.Run) error {
	slot, active := opened.Slot, opened.Slot
	if opened.End != nil {
		active = time.Time{}
	}
	if head.Mint != opened.Mint || !head.Active.Equal(active) || !head.LastSlot.Equal(slot) {
		return fmt.Errorf("open run %s: the head does not open this run", opened.ID)
	}
	if head.Frozen != "" || opened.Version != 0 {
		return run.ErrConflict
	}
	parts := []part{
		headEntry(head, activeRule(time.Time{}), rule{text: "attribute_not_exists(#frozen)"}, rule{
			"#lastSlot < :slot", map[string]types.AttributeValue{":slot": dynamo.Number(slot.Unix())},
		}),
		s.runEntry(opened), s.runID(opened),
	}
	parts = append(parts, s.taken(opened)...)
	if s.Settings != nil {
		parts = append(parts, ready(s.Settings(opened.Mint, opened.SettingsNewest)))
	}
	return s.write(ctx, "open", opened, parts...)
}

// Save writes an active run; see run.Store.
func (s Runs) Save(ctx context.Context, r run.Run) error {
	if r.End != nil || r.Version == 0 {
		return fmt.Errorf("save run %s: it is not under way", r.ID)
	}
	return s.write(ctx, "save", r, s.runEntry(r))
}

// SaveBurn writes a run and the run's burn; see run.Store. The write increments the head's version.
func (s Runs) SaveBurn(ctx context.Context, r run.Run, burn run.Burn) error {
	if r.End != nil || r.Version == 0 || burn.Run != r.ID || burn.Mint != r.Mint {
		return fmt.Errorf("save the burn of run %s: it is not under way, or the burn is not its own", r.ID)
	}
	item := burnItem(r.Slot, burn)
	sum := &types.Update{
		TableName: &s.Table, Key: ledgerHeadKey(r.Mint),
		UpdateExpression:    new("SET #burned = #burned + :amount, #version = #version + :one"),
		ConditionExpression: new("#active = :active"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":amount": amount(burn.Amount), ":one": dynamo.Number(1), ":active": dynamo.Number(r.Slot.Unix()),
		},
	}
	sum.ExpressionAttributeNames = namesIn(*sum.UpdateExpression + *sum.ConditionExpression)
	return s.write(ctx, "save the burn of", r, s.runEntry(r),
		ready{Put: &types.Put{
			TableName: &s.Table, Item: item, ConditionExpression: new("attribute_not_exists(pk)"),
		}},
		ready{Update: sum})
}

// burnItem returns the item of a burn. at is in Unix milliseconds.
func burnItem(slot time.Time, burn run.Burn) map[string]types.AttributeValue {
	item := burnKey(burn.Mint, slot, burn.Run)
	item["amount"], item["signature"] = amount(burn.Amount), dynamo.Binary(burn.Signature[:])
	item["chainSlot"], item["at"] = amount(burn.ChainSlot), dynamo.Number(burn.At.UnixMilli())
	item["run"] = dynamo.Text(burn.Run)
	return item
}

// End writes the end of a run and the head; see run.Store.
func (s Runs) End(ctx context.Context, ended run.Run, head run.Head) error {
	if ended.End == nil || ended.Version == 0 || head.Mint != ended.Mint || !head.Active.IsZero() {
		return fmt.Errorf("end run %s: it has no end, or the head is not free of it", ended.ID)
	}
	return s.write(ctx, "end", ended, s.runEntry(ended), headEntry(head, activeRule(ended.Slot)))
}

// Reopen writes a run that continues, and the head; see run.Store.
func (s Runs) Reopen(ctx context.Context, r run.Run, head run.Head) error {
	if r.End != nil || r.Version == 0 || head.Mint != r.Mint || !head.Active.Equal(r.Slot) || !head.LastSlot.Equal(r.Slot) {
		return fmt.Errorf("reopen run %s: it has an end, or the head does not reopen it", r.ID)
	}
	again := s.runEntry(r)
	again.rules = []rule{{text: "attribute_exists(#endedAt)"}}
	return s.write(ctx, "reopen", r, again, headEntry(head, activeRule(time.Time{})))
}

// SaveHead writes a head; see run.Store. SaveHead neither opens nor ends a run: the head's active
// run must be the stored active run.
func (s Runs) SaveHead(ctx context.Context, head run.Head) error {
	if head.Version == 0 && !head.Active.IsZero() {
		return run.ErrConflict
	}
	err := write(ctx, s.Client, s.Table, run.ErrConflict, headEntry(head, activeRule(head.Active)))
	return unlessIs(err, run.ErrConflict, "save the head of %s", head.Mint)
}

func (s Runs) write(ctx context.Context, what string, r run.Run, parts ...part) error {
	return unlessIs(write(ctx, s.Client, s.Table, run.ErrConflict, parts...), run.ErrConflict, "%s run %s", what, r.ID)
}
