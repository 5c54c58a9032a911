package e2e_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The tax of a launched token goes from the schedule's message to the holders through the deployed
// functions, with their rights, and is proven. Repeating the slot has no effect.
func TestTaxIsDistributed(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	told := webhook(t, l.Client)
	splits := split(t, l)
	l.Creation.CreatorSplits = splits
	if err := l.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	d := walkthrough.Distribution{
		Launch: l, Schedule: s, RPCURL: s.Chain.RPCURL, Market: s.Market,
		Table: func(name, value string) { t.Logf("%-14s%s", name, value) },
	}
	if err := d.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d.Run.PaidHolders < 20 || d.Run.Burned.Uint64() == 0 || d.Run.Proceeds.Uint64() == 0 || d.Run.CreatorPaid.Uint64() == 0 || !d.Report.OK() {
		t.Errorf("the run is %+v", d.Run)
	}
	// The next run returns the receipt of the last transaction, the anchor.
	if h := d.History; h.Nonces != 0 || len(h.Receipts) < 5 || len(h.Open) != 1 || h.Returned != len(h.Receipts)-1 {
		t.Errorf("the wallet's history is %+v", h)
	}
	splitPaid(t, &d, splits)
	told.checkEvents(t, d.Mint().String(), l.Submitted.Signature.String(), d.Run.ID)
	readmeVerifies(t, s, d.Mint(), l.Wallet.PublicKey())
	agentVerifies(t, s, d.Mint().String())
	typescriptVerifies(t, s, d.Run.Anchor)
	witnessed(t, s, d.Mint())
	canaryWatches(t, s, d.Mint())
	queues := sqs.NewFromConfig(s.AWS.Config())
	// Messages that wait for minutes are of the run that is over.
	_, waiting := messages(t, queues, s.Outputs["RunQueueUrl"])
	if err := s.OpenSlot(t.Context(), terms.EveryHour, d.Run.ScheduledAt.Time); err != nil {
		t.Fatal(err)
	}
	idle(t, queues, s.Outputs["DispatchQueueUrl"], 0)
	idle(t, queues, s.Outputs["RunQueueUrl"], waiting)
	list, err := l.Client.ListRuns(t.Context(), d.Mint().String(), client.Cursor{})
	if err != nil {
		t.Fatal(err)
	}
	// The test may last over the full hour, whose rule opens the next slot.
	again := slices.DeleteFunc(list.Runs, func(r client.RunSummary) bool { return !r.ScheduledAt.Equal(d.Run.ScheduledAt.Time) })
	if len(again) != 1 || again[0].ID != d.Run.ID {
		t.Errorf("the runs of a slot that was opened twice are %+v; want one", again)
	}
	splitChanges(t, l, splits)
}

// split divides what the creator gets among three wallets that are on the chain.
func split(t *testing.T, l *walkthrough.Launch) []client.CreatorSplit {
	t.Helper()
	splits := []client.CreatorSplit{{Percent: client.MustPercent("50.01")}, {Percent: client.MustPercent("30")}, {Percent: client.MustPercent("19.99")}}
	for i := range splits {
		wallet, err := walkthrough.NewWallet()
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Chain.Fund(t.Context(), wallet.Address(), 1_000_000_000); err != nil {
			t.Fatal(err)
		}
		splits[i].Wallet = wallet.PublicKey()
	}
	return splits
}

// splitPaid holds what the chain, the run and its proof, which was verified, say of the
// creator's wallets against the splits.
func splitPaid(t *testing.T, d *walkthrough.Distribution, splits []client.CreatorSplit) {
	t.Helper()
	rows := d.Run.Legs[0].Creators
	proven := d.Report.Manifest.Legs[0].Creators
	if len(rows) != len(splits) || len(proven) != len(splits) {
		t.Fatalf("the creator's wallets are %+v, and in the proof %+v; want %+v", rows, proven, splits)
	}
	total := d.Run.Legs[0].Creator.Uint64()
	rest := total
	for _, split := range splits {
		rest -= total * split.Percent.Hundredths() / 10_000
	}
	for i, split := range splits {
		due := total * split.Percent.Hundredths() / 10_000
		if i == 0 {
			due += rest
		}
		if row := rows[i]; row.Wallet != split.Wallet || row.Percent != split.Percent || row.Amount.Uint64() != due || row.Paid == nil || !row.Paid.Done {
			t.Errorf("wallet %d has %+v, want %d paid", i, row, due)
		}
		if row := proven[i]; solana.PublicKey(row.Wallet) != split.Wallet || uint64(row.Paid) != due || row.Carried != 0 {
			t.Errorf("wallet %d has %+v in the proof, want %d paid", i, row, due)
		}
		has, err := d.BalanceOf(t.Context(), split.Wallet)
		if err != nil || has != 1_000_000_000+due {
			t.Errorf("wallet %d has %d lamports, %v; want %d more than it had", i, has, err, due)
		}
	}
}

// splitChanges changes the splits, ends them, and changes the one wallet, which is read-only
// before.
func splitChanges(t *testing.T, l *walkthrough.Launch, splits []client.CreatorSplit) {
	t.Helper()
	id, other := l.Submitted.Token.ID, splits[0].Wallet
	_, err := l.Client.ChangeDistributionSettings(t.Context(), id, client.SettingsChange{DeveloperWallet: other})
	wantProblem(t, err, http.StatusBadRequest, client.ValidationFailed)
	want := []client.CreatorSplit{{Wallet: splits[2].Wallet, Percent: client.MustPercent("0.01")}, {Wallet: splits[1].Wallet, Percent: client.MustPercent("99.99")}}
	now, err := l.Client.ChangeDistributionSettings(t.Context(), id, client.SettingsChange{CreatorSplits: want})
	if err != nil || !slices.Equal(now.CreatorSplits, want) {
		t.Errorf("changed to %+v, %v; want %+v", now.CreatorSplits, err, want)
	}
	now, err = l.Client.ChangeDistributionSettings(t.Context(), id, client.SettingsChange{BurnPercent: new(client.MustPercent("19"))})
	if err != nil || !slices.Equal(now.CreatorSplits, want) {
		t.Errorf("with another change they are %+v, %v; want %+v", now.CreatorSplits, err, want)
	}
	now, err = l.Client.ChangeDistributionSettings(t.Context(), id, client.SettingsChange{CreatorSplits: []client.CreatorSplit{}, DeveloperWallet: other})
	if err != nil || len(now.CreatorSplits) > 0 || now.DeveloperWallet != other {
		t.Errorf("ended, they are %+v and the wallet %s, %v", now.CreatorSplits, now.DeveloperWallet, err)
	}
}

// idle waits until a queue has no message at hand or under way, and at most the given
// number that wait for their time.
func idle(t *testing.T, client *sqs.Client, url string, waiting int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		active, delayed := messages(t, client, url)
		if active == 0 && delayed <= waiting {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not become idle: %d messages, %d more wait", url, active, delayed)
		}
	}
}

// messages counts those of a queue that are at hand or under way, and those that
// wait for their time.
func messages(t *testing.T, client *sqs.Client, url string) (active, delayed int) {
	t.Helper()
	out, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameAll},
	})
	if err != nil {
		t.Fatal(err)
	}
	count := func(name types.QueueAttributeName) int {
		n, err := strconv.Atoi(out.Attributes[string(name)])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	active = count(types.QueueAttributeNameApproximateNumberOfMessages) + count(types.QueueAttributeNameApproximateNumberOfMessagesNotVisible)
	return active, count(types.QueueAttributeNameApproximateNumberOfMessagesDelayed)
}

// An event that the dispatcher cannot read is an error, so EventBridge retries the event and then
// sets it aside.
func TestDispatcherRejectsUnreadableEvents(t *testing.T) {
	s := deployed(t)
	name := s.Outputs["DispatcherFunctionName"]
	for _, message := range []string{`{"task":"slot","interval":"1h"}`, `{"task":"slot","interval":"1h","time":"noon"}`, `{}`} {
		out, err := lambda.NewFromConfig(s.AWS.Config()).Invoke(t.Context(), &lambda.InvokeInput{FunctionName: &name, Payload: []byte(message)})
		if err != nil || out.FunctionError == nil || !strings.Contains(string(out.Payload), "dispatcher's message") {
			t.Errorf("Invoke(dispatcher) with %s = %v, %s, %s; want a dispatcher's error", message, err, aws.ToString(out.FunctionError), out.Payload)
		}
	}
}
