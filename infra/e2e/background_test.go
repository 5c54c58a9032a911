package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/token/content"
)

// reconcileNow invokes the function itself, which has its own rights, with the
// event of its schedule.
func reconcileNow(t *testing.T, s *runner.Stack) {
	t.Helper()
	event, err := os.ReadFile("../../events/reconciler-minute.json")
	if err != nil {
		t.Fatal(err)
	}
	name := s.Outputs["ReconcilerFunctionName"]
	out, err := lambda.NewFromConfig(s.AWS.Config()).Invoke(t.Context(), &lambda.InvokeInput{FunctionName: &name, Payload: event})
	if err != nil || out.FunctionError != nil {
		t.Fatalf("Invoke(reconciler) = %v: %s, %s", err, aws.ToString(out.FunctionError), out.Payload)
	}
}

func TestReconcilerKeepsNoncesReady(t *testing.T) {
	s := deployed(t)
	reconcileNow(t, s)
	pool := nonce.Pool{
		Store:     launchtable.Nonces{Client: dynamodb.NewFromConfig(s.AWS.Config()), Table: s.Outputs["LaunchTableName"]},
		Authority: &kms.Ed25519Signer{Client: awskms.NewFromConfig(s.AWS.Config()), KeyID: s.Outputs["NonceKeyId"]},
	}
	free, err := pool.Ready(t.Context(), time.Now())
	if err != nil || free < 5 {
		t.Errorf("%d nonces are free, %v; want 5", free, err)
	}
}

func TestReconcilerRemovesUnsubmittedLaunches(t *testing.T) {
	s := deployed(t)
	const cid = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy" // of a launch that was never submitted
	key, bucket, table := content.Metadata.Key(cid), s.Outputs["AssetBucketName"], s.Outputs["LaunchTableName"]
	files := s3.NewFromConfig(s.AWS.Config(), func(o *s3.Options) { o.UsePathStyle = true })
	if _, err := files.PutObject(t.Context(), &s3.PutObjectInput{Bucket: &bucket, Key: &key, Body: strings.NewReader("{}")}); err != nil {
		t.Fatal(err)
	}
	text := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
	past := &types.AttributeValueMemberN{Value: "1"}
	_, err := dynamodb.NewFromConfig(s.AWS.Config()).PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: &table, Item: map[string]types.AttributeValue{
			"pk": text("TX#" + cid), "sk": text("TX"), "id": text(cid), "status": text("pending"),
			"validUntil": past, "duePk": text("DRAFT"), "dueAt": past,
			"draft": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"f": text(cid)}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	reconcileNow(t, s)
	if there, err := (s3store.Bucket{Client: files, Name: bucket}).Exists(t.Context(), key); there || err != nil {
		t.Errorf("the file is still there: %v, %v", there, err)
	}
}

// A message in the queue invokes the pinner, and its file reaches IPFS, or the message the
// dead-letter queue.
func TestPinnerPinsQueuedFiles(t *testing.T) {
	s := deployed(t)
	body := []byte("deferred by " + t.Name())
	cid, err := ipfs.CID(body)
	if err != nil {
		t.Fatal(err)
	}
	key, bucket := content.Metadata.Key(cid), s.Outputs["AssetBucketName"]
	files := s3.NewFromConfig(s.AWS.Config(), func(o *s3.Options) { o.UsePathStyle = true })
	if _, err := files.PutObject(t.Context(), &s3.PutObjectInput{Bucket: &bucket, Key: &key, Body: bytes.NewReader(body)}); err != nil {
		t.Fatal(err)
	}
	messages := sqs.NewFromConfig(s.AWS.Config())
	pins := sqsqueue.Pins{Client: messages, URL: s.Outputs["PinQueueUrl"]}
	// This content is new, because the pinner unpins a missing file.
	gone, err := ipfs.CID([]byte("gone before " + t.Name()))
	if err != nil {
		t.Fatal(err)
	}
	missing := content.PinRequest{CID: gone, Key: content.Image.Key(gone)}
	for _, request := range []content.PinRequest{{CID: cid, Key: key}, missing} {
		if err := pins.Send(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	if !isDeadLetter(t, messages, s.Outputs["PinDeadLetterQueueUrl"], missing.Key) {
		t.Error("the file that is missing is not among the dead letters")
	}
	if found := onIPFS(t, cid); !bytes.Equal(found, body) {
		t.Errorf("IPFS has %q, want %q", found, body)
	}
}

// isDeadLetter waits for a message that holds a text. Messages that other tests
// left there are passed over: they stay hidden for the queue's own time.
func isDeadLetter(t *testing.T, messages *sqs.Client, address, text string) bool {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		got, err := messages.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &address, WaitTimeSeconds: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, message := range got.Messages {
			if strings.Contains(*message.Body, text) {
				return true
			}
		}
	}
	return false
}

// onIPFS waits for a file to appear.
func onIPFS(t *testing.T, cid string) []byte {
	t.Helper()
	client := http.Client{Timeout: 2 * time.Second}
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, gateway(t)+"/ipfs/"+cid, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(request)
		if err != nil {
			continue
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err == nil && response.StatusCode == http.StatusOK {
			return body
		}
	}
	return nil
}

// gateway is the address under which the stack's IPFS node shows files.
func gateway(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "stack.json"))
	if err != nil {
		t.Fatal(err)
	}
	var record struct{ IPFSGateway string }
	if err := json.Unmarshal(text, &record); err != nil {
		t.Fatal(err)
	}
	return record.IPFSGateway
}
