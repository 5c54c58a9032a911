package idempotencytest

import (
	"context"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/idempotency"
)

// racers is the number of requests that claim a key concurrently.
const racers = 50

// Contract checks that a store meets the contract of idempotency.Store. The store is initially
// empty.
func Contract(t *testing.T, store idempotency.Store) {
	t.Helper()
	for name, test := range map[string]func(*bench){
		"the answer comes back, for a day":      keepsForADay,
		"another request is refused, for a day": refusesAnother,
		"a key is in progress until its lease":  leases,
		"what is released can be tried again":   releases,
		"who lost the lease changes nothing":    loses,
		"callers and keys are apart":            areApart,
		"one of many at once continues":         races,
	} {
		t.Run(name, func(t *testing.T) {
			test(&bench{T: t, store: store, now: time.UnixMilli(1_772_600_767_089).UTC()})
		})
	}
}

type bench struct {
	*testing.T

	store  idempotency.Store
	now    time.Time
	claims int
}

// claim returns a new claim. Each test has its own caller.
func (b *bench) claim(key string, fingerprint byte) idempotency.Claim {
	b.claims++
	return idempotency.Claim{
		Caller: b.Name(), Key: key, Fingerprint: [32]byte{fingerprint}, Holder: strconv.Itoa(b.claims),
	}
}

var answer = idempotency.Answer{
	Status: 200, Header: map[string]string{"Content-Type": "application/json"}, Body: []byte("{\"a\":\"\xc3\xa4\"}\x00"),
}

// expect begins a claim. code is the code of the expected error, "" for no error, and replayed
// reports whether the response is replayed.
func (b *bench) expect(c idempotency.Claim, after time.Duration, code string, replayed bool) {
	b.Helper()
	got, err := b.store.Begin(b.Context(), c, b.now.Add(after))
	if have := codeOf(err); have != code || (got != nil) != replayed {
		b.Fatalf("Begin after %v = %v, %v; want %q, replayed %v", after, got, err, code, replayed)
	}
	if replayed && !reflect.DeepEqual(*got, answer) {
		b.Errorf("answer %+v, want %+v", *got, answer)
	}
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return apperr.CodeOf(err)
}

const (
	reused     = "idempotency_key_reused"
	inProgress = "idempotency_in_progress"
)

func keepsForADay(b *bench) {
	first := b.claim("key", 1)
	b.expect(first, 0, "", false)
	b.must(b.store.Keep(b.Context(), first, answer))
	for _, after := range []time.Duration{0, time.Hour, idempotency.Lifetime - time.Millisecond} {
		b.expect(b.claim("key", 1), after, "", true)
	}
	b.expect(b.claim("key", 1), idempotency.Lifetime, "", false)
	b.expect(b.claim("key", 1), idempotency.Lifetime, inProgress, false)
}

func refusesAnother(b *bench) {
	first := b.claim("key", 1)
	b.expect(first, 0, "", false)
	b.expect(b.claim("key", 2), 0, reused, false)
	b.expect(b.claim("key", 2), 2*idempotency.Lease, reused, false)
	b.must(b.store.Keep(b.Context(), first, answer))
	b.expect(b.claim("key", 2), idempotency.Lifetime-time.Millisecond, reused, false)
	b.expect(b.claim("key", 2), idempotency.Lifetime, "", false)
}

func leases(b *bench) {
	b.expect(b.claim("key", 1), 0, "", false)
	b.expect(b.claim("key", 1), idempotency.Lease-time.Millisecond, inProgress, false)
	b.expect(b.claim("key", 1), idempotency.Lease, "", false)
	b.expect(b.claim("key", 1), 2*idempotency.Lease-time.Millisecond, inProgress, false)
}

func releases(b *bench) {
	first := b.claim("key", 1)
	b.expect(first, 0, "", false)
	b.must(b.store.Release(b.Context(), first))
	b.expect(b.claim("key", 2), 0, reused, false)
	second := b.claim("key", 1)
	b.expect(second, 0, "", false)
	b.must(b.store.Keep(b.Context(), second, answer))
	b.must(b.store.Release(b.Context(), second))
	b.expect(b.claim("key", 1), 0, "", true)
}

func loses(b *bench) {
	slow := b.claim("key", 1)
	b.expect(slow, 0, "", false)
	next := b.claim("key", 1)
	b.expect(next, idempotency.Lease, "", false)
	other := answer
	other.Status = 404
	b.must(b.store.Release(b.Context(), slow))
	b.must(b.store.Keep(b.Context(), slow, other))
	b.expect(b.claim("key", 1), idempotency.Lease, inProgress, false)
	b.must(b.store.Keep(b.Context(), next, answer))
	b.must(b.store.Keep(b.Context(), slow, other))
	b.expect(b.claim("key", 1), idempotency.Lease, "", true)
}

func areApart(b *bench) {
	b.expect(b.claim("key", 1), 0, "", false)
	b.expect(b.claim("Key", 2), 0, "", false)
	stranger := b.claim("key", 3)
	stranger.Caller += "2"
	b.expect(stranger, 0, "", false)
}

func races(b *bench) {
	for round, after := range []time.Duration{0, idempotency.Lease, idempotency.Lifetime + idempotency.Lease} {
		var won, refused atomic.Int32
		var all sync.WaitGroup
		for range racers {
			c := b.claim("key", 1)
			all.Go(func() {
				switch _, err := b.store.Begin(context.Background(), c, b.now.Add(after)); codeOf(err) {
				case "":
					won.Add(1)
				case inProgress:
					refused.Add(1)
				default:
					b.Error(err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 || refused.Load() != racers-1 {
			b.Errorf("round %d: %d of %d go on and %d are told to wait; want one and the rest", round, won.Load(), racers, refused.Load())
		}
	}
}
