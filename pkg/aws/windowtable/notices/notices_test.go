package notices_test

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/windowtable/notices"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

func newNotices(t *testing.T) notices.Claims {
	t.Helper()
	stack := localnet.AWS(t)
	return notices.Claims{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Window)}
}

func TestClaimsOfANotice(t *testing.T) {
	s := newNotices(t)
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	claim := func(attempt string, at time.Time, want notice.ClaimState) {
		t.Helper()
		if got, err := s.Claim(t.Context(), "run_settled/1", attempt, at); err != nil || got != want {
			t.Fatalf("%s finds %q, want %q: %v", attempt, got, want, err)
		}
	}
	end := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	claim("a", now, notice.Claimed)
	claim("a", now, notice.Claimed) // the answer to the first was lost
	claim("b", now, notice.Busy)
	end(s.Release(t.Context(), "run_settled/1", "b")) // not b's to give back
	end(s.Finish(t.Context(), "run_settled/1", "b"))
	claim("b", now.Add(notice.Lease-1), notice.Busy)
	claim("b", now.Add(notice.Lease), notice.Abandoned)
	end(s.Release(t.Context(), "run_settled/1", "a"))
	claim("b", now, notice.Claimed)
	end(s.Finish(t.Context(), "run_settled/1", "b"))
	end(s.Release(t.Context(), "run_settled/1", "b"))
	for _, attempt := range []string{"b", "c"} {
		claim(attempt, now.Add(24*time.Hour), notice.Finished)
	}
	if got, err := s.Claim(t.Context(), "run_settled/2", "c", now); err != nil || got != notice.Claimed {
		t.Errorf("another event: %q, %v", got, err)
	}
	item, err := s.Client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &s.Table, Key: map[string]types.AttributeValue{
		schema.PartitionKey: &types.AttributeValueMemberS{Value: "NOTICE#run_settled/1"},
		schema.SortKey:      &types.AttributeValueMemberS{Value: "NOTICE"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	expires, _ := item.Item[schema.ExpiresAt].(*types.AttributeValueMemberN)
	if expires == nil || expires.Value != strconv.FormatInt(now.Add(notice.Remember).Unix(), 10) {
		t.Errorf("it expires at %v", item.Item[schema.ExpiresAt])
	}
}

func TestOneOfManyClaims(t *testing.T) {
	s := newNotices(t)
	var claimed atomic.Int32
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			state, err := s.Claim(t.Context(), "1", strconv.Itoa(i), time.Now())
			if err != nil {
				t.Error(err)
			}
			if state == notice.Claimed {
				claimed.Add(1)
			}
		})
	}
	all.Wait()
	if got := claimed.Load(); got != 1 {
		t.Errorf("%d have claimed it", got)
	}
}

func TestNoticesWithoutAStore(t *testing.T) {
	s := newNotices(t)
	s.Table = "nowhere"
	if _, err := s.Claim(t.Context(), "1", "a", time.Now()); err == nil || apperr.KindOf(err) == apperr.NotFound {
		t.Error(err)
	}
	if err := s.Finish(t.Context(), "1", "a"); err == nil {
		t.Error("an end is written nowhere")
	}
}
