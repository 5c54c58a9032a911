package restore_test

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
)

// otherRegion is the stack in the other Region. MiniStack neither replicates nor copies backups, so
// the test copies as they would: tables as of one time, and objects without some of the newest. The
// settings of the real copies are in infra/stack.
const otherRegion = "token-launch-recovered"

func (w *fixture) s3() *s3.Client {
	return s3.NewFromConfig(w.stack.AWS.Config(), func(o *s3.Options) { o.UsePathStyle = true })
}

// objects are those of a bucket.
func (w *fixture) objects(bucket string) map[string][]byte {
	w.Helper()
	all := map[string][]byte{}
	pages := s3.NewListObjectsV2Paginator(w.s3(), &s3.ListObjectsV2Input{Bucket: &bucket})
	for pages.HasMorePages() {
		page, err := pages.NextPage(w.Context())
		must.Do(w, err)
		for _, o := range page.Contents {
			out, err := w.s3().GetObject(w.Context(), &s3.GetObjectInput{Bucket: &bucket, Key: o.Key})
			must.Do(w, err)
			all[*o.Key], err = io.ReadAll(out.Body)
			must.Do(w, errors.Join(err, out.Body.Close()))
		}
	}
	return all
}

// put writes objects into a bucket, which it makes when it is not there.
func (w *fixture) put(bucket string, objects map[string][]byte) {
	w.Helper()
	if _, err := w.s3().HeadBucket(w.Context(), &s3.HeadBucketInput{Bucket: &bucket}); err != nil {
		_, err = w.s3().CreateBucket(w.Context(), &s3.CreateBucketInput{Bucket: &bucket})
		must.Do(w, err)
	}
	for key, body := range objects {
		_, err := w.s3().PutObject(w.Context(), &s3.PutObjectInput{Bucket: &bucket, Key: &key, Body: bytes.NewReader(body)})
		must.Do(w, err)
	}
}

// lose takes tables and buckets away, as far as another Region sees them.
func (w *fixture) lose(tables *dynamodb.Client, names, buckets []string) {
	w.Helper()
	for _, name := range names {
		_, err := tables.DeleteTable(w.Context(), &dynamodb.DeleteTableInput{TableName: &name})
		must.Do(w, err)
	}
	for _, bucket := range buckets {
		for key := range w.objects(bucket) {
			_, err := w.s3().DeleteObject(w.Context(), &s3.DeleteObjectInput{Bucket: &bucket, Key: &key})
			must.Do(w, err)
		}
	}
}

// forgetNonces deletes what the launch table has of the old Region's nonce authority.
func (w *fixture) forgetNonces(tables *dynamodb.Client, table string) {
	w.Helper()
	pages := dynamodb.NewScanPaginator(tables, &dynamodb.ScanInput{
		TableName: &table, FilterExpression: aws.String("begins_with(pk, :nonces)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":nonces": &types.AttributeValueMemberS{Value: "NONCE"}},
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(w.Context())
		must.Do(w, err)
		for _, item := range page.Items {
			_, err := tables.DeleteItem(w.Context(), &dynamodb.DeleteItemInput{
				TableName: &table, Key: map[string]types.AttributeValue{"pk": item["pk"], "sk": item["sk"]},
			})
			must.Do(w, err)
		}
	}
}

// idle waits until the queue of payments has nothing left.
func (w *fixture) idle() {
	w.Helper()
	queues := sqs.NewFromConfig(w.stack.AWS.Config())
	w.await("the queue of payments is empty", func() bool {
		out, err := queues.GetQueueAttributes(w.Context(), &sqs.GetQueueAttributesInput{
			QueueUrl: aws.String(w.stack.Outputs["PayoutQueueUrl"]), AttributeNames: []sqstypes.QueueAttributeName{sqstypes.QueueAttributeNameAll},
		})
		return err == nil && out.Attributes["ApproximateNumberOfMessages"] == "0" && out.Attributes["ApproximateNumberOfMessagesNotVisible"] == "0"
	})
}

// balances returns the holders' balances.
func (w *fixture) balances(d *walkthrough.Distribution) (list []uint64) {
	w.Helper()
	for _, holder := range d.Wallets() {
		balance, err := d.Balance(w.Context(), holder)
		must.Do(w, err)
		list = append(list, balance)
	}
	return list
}

// resolve runs `operate money resolve --all`, which fails while something is open.
func (w *fixture) resolve(env []string) (said string, ok bool) {
	w.Helper()
	cmd := w.prepare(env, "money", "resolve", "--all")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		w.Fatal(err)
	}
	w.Logf("money resolve --all: %s", strings.TrimSpace(string(out)))
	return string(out), err == nil
}

// TestGameDay loses a Region during a run's payments: the copy of the ledger is older than the copy
// of its bucket, which is older than the chain. The service comes back from the copies, pays no
// holder before wallets are compared, and each holder once afterwards. Payments that neither the
// copies nor the chain can decide wait for the rest of the journal.
func TestGameDay(t *testing.T) {
	if !nightly.Whole(t) {
		t.Skip("deploys two stacks; TestRecoveredServicePaysOnce plays the same against the ledger and the chain alone")
	}
	w := start(t)
	ctx := t.Context()
	l, err := walkthrough.New(w.stack.APIURL, w.stack.Chain, nil)
	must.Do(t, err)
	must.Do(t, l.Run(ctx))
	d := &walkthrough.Distribution{Launch: l, Schedule: anHourEarlier{w.stack}, RPCURL: w.stack.Chain.RPCURL, Market: w.stack.Market, Holders: holders}
	must.Do(t, d.Begin(ctx))
	tables := dynamodb.NewFromConfig(w.stack.AWS.Config())
	old := w.stack.Outputs
	first := w.books(old["LedgerTableName"], d)

	// The copies of the tables, and most of the bucket's.
	var r run.Run
	w.await("batch 1 is sent", func() bool {
		var ok bool
		r, ok = first.active()
		return ok && r.Payment != nil && first.batch(r, 1) == payout.Sent
	})
	backups, copied := map[string]string{}, map[string]string{"LaunchTable": "launch", "SettingsTable": "settings", "LedgerTable": "ledger"}
	for name := range copied {
		made, err := tables.CreateBackup(ctx, &dynamodb.CreateBackupInput{TableName: aws.String(old[name+"Name"]), BackupName: aws.String(strings.ToLower(name))})
		must.Do(t, err)
		backups[name] = *made.BackupDetails.BackupArn
	}
	copies := w.objects(old["LedgerBucketName"])

	// The Region is lost after some payments. One batch of the later objects was replicated.
	w.await("two batches are paid", func() bool {
		paid := 0
		for batch := range 5 {
			if first.batch(r, batch) == payout.Landed {
				paid++
			}
		}
		return paid > 1
	})
	w.command(nil, "operate", "pause", "token-launch-local")
	lost := time.Now()
	whole, assets := w.objects(old["LedgerBucketName"]), w.objects(old["AssetBucketName"])
	missing := 0
	for key, body := range whole {
		if strings.Contains(key, "/pay-000-00000001-") {
			copies[key] = body
		}
		if !bytes.Equal(copies[key], body) {
			missing++
		}
	}
	if missing == 0 {
		t.Fatal("the copies are whole")
	}
	w.lose(tables, []string{old["LaunchTableName"], old["SettingsTableName"], old["LedgerTableName"]}, []string{old["LedgerBucketName"], old["AssetBucketName"]})
	t.Logf("the Region is lost: %d objects of the ledger's bucket are in no copy", missing)

	// Back in another one.
	values := map[string]string{
		"stackName": otherRegion, "paused": "true", "recovered": lost.UTC().Format(time.RFC3339),
		"ledgerBucket": "ledger-copy", "assetBucket": "asset-copy",
		"walletKeyArn": "arn:aws:kms:" + ministack.Region + ":" + ministack.AccountID + ":key/" + old["WalletKeyId"],
	}
	w.put(values["ledgerBucket"], copies)
	w.put(values["assetBucket"], assets)
	for name, table := range copied {
		restored := table + "-recovered"
		_, err := tables.RestoreTableFromBackup(ctx, &dynamodb.RestoreTableFromBackupInput{BackupArn: aws.String(backups[name]), TargetTableName: &restored})
		must.Do(t, err)
		w.command(nil, "operate", "table", restored, table)
		values[table+"Table"] = restored
	}
	w.forgetNonces(tables, values["launchTable"])
	must.Do(t, w.stack.Deploy(ctx, runner.Deployment{Values: values}))
	deployed := time.Since(lost)

	// No holder is paid before wallets are compared.
	second := w.books(values["ledgerTable"], d)
	had := w.balances(d)
	w.command(nil, "operate", "resume", otherRegion)
	second.redrive(r)
	w.idle()
	if got := w.balances(d); !slices.Equal(got, had) {
		t.Fatalf("before wallets were compared it paid: %d, want %d", got, had)
	}
	w.command(nil, "operate", "pause", otherRegion)
	env := []string{
		"LAUNCH_TABLE=" + values["launchTable"], "LEDGER_TABLE=" + values["ledgerTable"], "LEDGER_BUCKET=" + values["ledgerBucket"],
		"NETWORK=localnet", "RPC_URL=" + w.stack.Chain.RPCURL, "RECOVERED=" + values["recovered"],
		"SIGNER_FUNCTION=" + w.stack.Outputs["SignerFunctionName"],
	}
	if said, ok := w.resolve(env); ok || !strings.Contains(said, "too soon") {
		t.Errorf("a signed transaction may still land, and the output is: %s", said)
	}
	must.Do(t, w.stack.Chain.TimeTravel(ctx, lost.Add(4*time.Minute)))
	said, ok := w.resolve(env)
	if !ok && strings.Contains(said, "which neither ledger nor journal knows") {
		t.Log("the rest of the journal comes from the lost Region")
		w.put(values["ledgerBucket"], whole)
		said, ok = w.resolve(env)
	}
	if !ok {
		t.Fatalf("the game day failed: %s", said)
	}
	w.command(nil, "operate", "resume", otherRegion)
	second.redrive(r)
	must.Do(t, d.Await(ctx))
	w.paidOnce(d)
	t.Logf("nothing that was paid is lost; the stack was back after %s, and all were paid after %s",
		deployed.Round(time.Second), time.Since(lost).Round(time.Second))

	w.nextRun(l, d)
}
