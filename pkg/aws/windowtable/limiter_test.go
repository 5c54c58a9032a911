package windowtable_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/limits"
	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// wire wraps the SDK's HTTP client: it counts calls, and loses the given number of responses.
type wire struct {
	sent atomic.Int64
	lose atomic.Int64
	// lost happens when a response is lost, before the call is sent again.
	lost func()
	next dynamodb.HTTPClient
}

// errLost is the client's error when the server's response does not arrive.
var errLost = syscall.ECONNRESET

func (w *wire) Do(r *http.Request) (*http.Response, error) {
	w.sent.Add(1)
	response, err := w.next.Do(r)
	if err == nil && w.lose.Add(-1) >= 0 {
		_ = response.Body.Close()
		if w.lost != nil {
			w.lost()
		}
		return nil, errLost
	}
	return response, err
}

// windowTable returns a fresh window table, a client of it, and the wire between.
func windowTable(t *testing.T) (*dynamodb.Client, string, *wire) {
	t.Helper()
	stack := localnet.AWS(t)
	hand := &wire{next: http.DefaultClient}
	config := stack.Config(t.Context())
	config.HTTPClient = awsconfig.Client{Next: hand}
	return dynamo.New(config), stack.CreateTable(t, schema.Window), hand
}

// windows returns a limiter on a fresh table, and the wire to it.
func windows(t *testing.T, now func() time.Time) (windowtable.Limiter, *wire) {
	t.Helper()
	client, table, hand := windowTable(t)
	return windowtable.Limiter{Client: client, Table: table, Now: now, Rand: rand.Int64N}, hand
}

func TestWindowsKeepTheContract(t *testing.T) {
	ratelimittest.Contract(t, func(t *testing.T, now func() time.Time) ratelimit.Limiter {
		limiter, _ := windows(t, now)
		return limiter
	})
}

// TestWindowsTakeTwoUnitsAHundredSlotsWithoutRaces fills a window of each limit, of the
// rule with the longest name and for the longest key that there is: its item stays within
// one unit for each hundred slots, and each request within two calls.
func TestWindowsTakeTwoUnitsAHundredSlotsWithoutRaces(t *testing.T) {
	clock := ratelimittest.NewClock()
	limiter, _ := windows(t, clock.Now)
	var metered meter.Meter
	options := limiter.Client.Options()
	limiter.Client = dynamodb.New(options, func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, metered.Middleware) })
	longest := map[int]ratelimit.Rule{}
	for _, rule := range limits.Rules() {
		if len(rule.Name) > len(longest[rule.Limit].Name) {
			longest[rule.Limit] = rule
		}
	}
	wallet := solana.PublicKey(bytes.Repeat([]byte{255}, 32)).String() // of the longest
	for _, rule := range longest {
		for i := range rule.Limit + 3 {
			clock.Advance(time.Second)
			d, err := limiter.Spend(t.Context(), rule, wallet)
			if err != nil {
				t.Fatal(err)
			}
			calls, units := 2, (rule.Limit+99)/100
			if i == 0 || !d.Allowed {
				calls = 1
			}
			if took := metered.Take(); took.Calls > calls || took.Write > float64(calls*units) {
				t.Fatalf("%s: request %d used %+v, want at most %d calls of %d units", rule.Name, i+1, took, calls, units)
			}
		}
	}
}

// TestWindowsNeverCountTooLittleWhenAnAnswerIsLost tests a claim between a claim whose response is
// lost and its repetition: the first claim takes a second place.
func TestWindowsNeverCountTooLittleWhenAnAnswerIsLost(t *testing.T) {
	clock := ratelimittest.NewClock()
	limiter, hand := windows(t, clock.Now)
	rule := ratelimit.Rule{Name: "rule", Limit: 4, Window: time.Minute}
	hand.lost = func() {
		if d, err := limiter.Spend(t.Context(), rule, "key"); err != nil || !d.Allowed {
			t.Errorf("the claim between: %+v, %v", d, err)
		}
	}
	hand.lose.Store(1)
	d, err := limiter.Spend(t.Context(), rule, "key")
	if err != nil || !d.Allowed || d.Remaining != 1 {
		t.Errorf("%+v, %v; want one of four places left", d, err)
	}
}

func TestWindowsCountARequestOnceWhenTheAnswerIsLost(t *testing.T) {
	clock := ratelimittest.NewClock()
	limiter, hand := windows(t, clock.Now)
	rule := ratelimit.Rule{Name: "rule", Limit: 2, Window: time.Minute}

	hand.lose.Store(1)
	first, err := limiter.Spend(t.Context(), rule, "key")
	if err != nil || !first.Allowed || first.Remaining != 1 {
		t.Fatalf("with a lost response: %+v, %v", first, err)
	}
	if sent := hand.sent.Load(); sent != 2 {
		t.Errorf("%d calls, want the claim and the SDK's second try", sent)
	}
	hand.lose.Store(1)
	if err := limiter.Refund(t.Context(), first.Ticket); err != nil {
		t.Fatalf("refund with a lost response: %v", err)
	}
	again, err := limiter.Spend(t.Context(), rule, "key")
	if err != nil || again.Remaining != 1 {
		t.Fatalf("after the give-back: %+v, %v", again, err)
	}
}

func TestWindowsExpireAfterTheirLastClaim(t *testing.T) {
	clock := ratelimittest.NewClock()
	limiter, _ := windows(t, clock.Now)
	for range 3 {
		if _, err := limiter.Spend(t.Context(), limits.TokenCreate, "wallet"); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Minute)
	}
	out, err := limiter.Client.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: &limiter.Table,
		Key: map[string]types.AttributeValue{
			schema.PartitionKey: &types.AttributeValueMemberS{Value: "RATE#token-create#wallet"},
			schema.SortKey:      &types.AttributeValueMemberS{Value: "W"},
		},
		ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		t.Fatal(err)
	}
	expires, _ := out.Item[schema.ExpiresAt].(*types.AttributeValueMemberN)
	// The last claim is a minute old, the window an hour, and the slack a minute.
	if want := clock.Now().Add(time.Hour).Unix(); expires == nil || expires.Value != strconv.FormatInt(want, 10) {
		t.Errorf("expires at %+v, want %d", expires, want)
	}
}

func TestWindowsFailWhenTheStoreIsDown(t *testing.T) {
	limiter := offline(down{})
	_, err := limiter.Spend(t.Context(), limits.Tokens, "key")
	if apperr.KindOf(err) != apperr.Unavailable || !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("take: %v", err)
	}
	err = limiter.Refund(t.Context(), ratelimit.Ticket{Rule: limits.Tokens, Key: "key", Stamp: "1700000000000000123456789"})
	if apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("give back: %v", err)
	}
}

// offline is a limiter whose calls end in the given client.
func offline(client aws.HTTPClient) windowtable.Limiter {
	return windowtable.Limiter{
		Client: dynamo.New(aws.Config{
			Region:     "us-east-1",
			HTTPClient: client,
			Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
			}),
		}),
		Table: "window", Now: time.Now, Rand: rand.Int64N,
	}
}

// down is a network that rejects every connection.
type down struct{}

func (down) Do(*http.Request) (*http.Response, error) { return nil, syscall.ECONNREFUSED }
