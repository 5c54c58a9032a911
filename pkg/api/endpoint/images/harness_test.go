package images_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	stdimage "image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/endpoint/images"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
	"tokenlaunch.example/service/pkg/token/content"
)

const wallet = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"

// bench is the function with its real stores and an IPFS node of the test's.
type bench struct {
	*testing.T

	handler http.Handler
	records launchtable.Images
	bucket  s3store.Bucket
	sqs     *sqs.Client
	queue   string
	node    *node
	log     *logBuffer
	limiter *ratelimittest.Memory
	at      time.Time
}

func (b *bench) now() time.Time { return b.at }

func newBench(t *testing.T) *bench {
	t.Helper()
	stack := localnet.AWS(t)
	cfg := stack.Config(t.Context())
	name := strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()))
	b := &bench{T: t, node: newNode(t), log: &logBuffer{}, limiter: &ratelimittest.Memory{}, sqs: sqs.NewFromConfig(cfg)}
	b.at = time.Now().UTC().Truncate(time.Millisecond) // the store deletes what expires by its own clock

	b.bucket = s3store.Bucket{Client: s3.NewFromConfig(cfg), Name: name}
	if _, err := b.bucket.Client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &name}); err != nil {
		t.Fatal(err)
	}
	made, err := b.sqs.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name})
	if err != nil {
		t.Fatal(err)
	}
	b.queue = aws.ToString(made.QueueUrl)
	b.records = launchtable.Images{Client: dynamo.New(cfg), Table: stack.CreateTable(t, schema.Launch)}
	b.wire(b.bucket, b.queue)
	return b
}

// wire creates the function again, with this bucket and this queue.
func (b *bench) wire(bucket s3store.Bucket, queueURL string) {
	b.Helper()
	pinner, err := ipfs.NewKubo(b.node.URL)
	if err != nil {
		b.Fatal(err)
	}
	log := slog.New(slog.NewJSONHandler(b.log, nil))
	endpoint := images.Endpoint{
		Assets: content.Store{
			Objects: bucket, Pinner: pinner, Queue: sqsqueue.Pins{Client: b.sqs, URL: queueURL},
			CID: ipfs.CID, Log: log,
		},
		Records: b.records,
		Limiter: b.limiter, PerAddress: 25,
		Now: b.now,
	}
	api := apigw.API{Limiter: &ratelimittest.Memory{}, Log: log, Now: time.Now}
	if b.handler, err = api.Handler(route.FunctionImages, endpoint.Handlers()); err != nil {
		b.Fatal(err)
	}
}

// uploaded is the response of the route, or its problem.
type uploaded struct {
	Status  int            `json:"-"`
	Success bool           `json:"success"`
	URI     string         `json:"imageUri"`
	CID     string         `json:"imageCid"`
	Width   int            `json:"width"`
	Height  int            `json:"height"`
	Bytes   int            `json:"bytes"`
	Code    string         `json:"code"`
	Errors  []problemField `json:"errors"`
}

type problemField struct{ Field, Code string }

// send posts a body. Every call is another caller's, so that no limit is met.
func (b *bench) send(contentType string, body io.Reader) uploaded {
	b.Helper()
	ctx := apigw.WithCaller(b.Context(), apigw.CallerContext{Wallet: wallet, SourceIP: "203.0.113.9", RequestID: "request"})
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/tokens/upload-image", body)
	r.Header.Set("Content-Type", contentType)
	recorder := httptest.NewRecorder()
	b.handler.ServeHTTP(recorder, r)
	return decode(b.T, recorder.Code, recorder.Body.Bytes())
}

func decode(t *testing.T, status int, body []byte) uploaded {
	t.Helper()
	answer := uploaded{Status: status}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return answer
}

// upload sends a form with one file.
func (b *bench) upload(file []byte) uploaded {
	b.Helper()
	return b.send(form(b.T, part{"image", "token.png", file}))
}

// stored counts what is in the bucket, the table and the queue.
func (b *bench) stored() string {
	b.Helper()
	objects, err := b.bucket.Client.ListObjectsV2(b.Context(), &s3.ListObjectsV2Input{Bucket: &b.bucket.Name})
	if err != nil {
		b.Fatal(err)
	}
	items, err := b.records.Client.Scan(b.Context(), &dynamodb.ScanInput{TableName: &b.records.Table})
	if err != nil {
		b.Fatal(err)
	}
	return fmt.Sprintf("%d objects, %d records, %d messages, %d pins", len(objects.Contents), items.Count, len(b.messages()), b.node.count())
}

// messages takes what is in the queue.
func (b *bench) messages() []string {
	b.Helper()
	got, err := b.sqs.ReceiveMessage(b.Context(), &sqs.ReceiveMessageInput{QueueUrl: &b.queue, MaxNumberOfMessages: 10})
	if err != nil {
		b.Fatal(err)
	}
	var bodies []string
	for _, message := range got.Messages {
		bodies = append(bodies, aws.ToString(message.Body))
	}
	return bodies
}

// node stands in for an IPFS node and fails on request. The real node takes part in the launch on
// the local stack.
type node struct {
	*httptest.Server

	mu     sync.Mutex
	pinned map[string]bool
	status int    // other than 200: refuses
	answer string // answers this CID, whatever was sent
}

func newNode(t *testing.T) *node {
	t.Helper()
	n := &node{pinned: map[string]bool{}, status: http.StatusOK}
	n.Server = httptest.NewServer(n)
	t.Cleanup(n.Close)
	return n
}

func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r.URL.Path == "/api/v0/pin/rm" && n.status == http.StatusOK {
		delete(n.pinned, r.URL.Query().Get("arg"))
		return
	}
	file, _, err := r.FormFile("file")
	if err != nil || r.URL.Path != "/api/v0/add" || n.status != http.StatusOK {
		http.Error(w, `{"Message":"no"}`, max(n.status, http.StatusInternalServerError))
		return
	}
	body, err := io.ReadAll(file)
	cid, cidErr := ipfs.CID(body)
	if err != nil || cidErr != nil {
		http.Error(w, `{"Message":"no"}`, http.StatusInternalServerError)
		return
	}
	n.pinned[cid] = true
	if n.answer != "" {
		cid = n.answer
	}
	_, _ = fmt.Fprintf(w, `{"Name":"file","Hash":%q,"Size":"1"}`+"\n", cid)
}

func (n *node) fail(status int, answer string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.status, n.answer = status, answer
}

func (n *node) count() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.pinned)
}

type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

type part struct {
	field, name string
	body        []byte
}

// form creates a multipart form of files, and its Content-Type.
func form(t *testing.T, parts ...part) (contentType string, body io.Reader) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for _, p := range parts {
		file, err := w.CreateFormFile(p.field, p.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write(p.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), &out
}

// picture is a PNG of one colour.
func picture(t *testing.T, colour color.Color, width, height int) []byte {
	t.Helper()
	canvas := stdimage.NewPaletted(stdimage.Rect(0, 0, width, height), color.Palette{colour})
	var out bytes.Buffer
	if err := png.Encode(&out, canvas); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
