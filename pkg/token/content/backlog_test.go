package content_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/token/content"
)

// The pauses before the last attempt outlast an hour by far, and a day.
func TestPausesOutlastDay(t *testing.T) {
	var covered, before time.Duration
	for n := 1; n < content.PinAttempts; n++ {
		pause := content.PinPause(n)
		if pause < before || pause < 30*time.Second || pause > 30*time.Minute {
			t.Errorf("the pause after attempt %d is %s", n, pause)
		}
		before = pause
		covered += pause
	}
	t.Logf("%d attempts within %s", content.PinAttempts, covered)
	if covered < 24*time.Hour {
		t.Errorf("an outage of a day sets files aside: %s are covered", covered)
	}
	// A message waits 14 days in its queue at most.
	if covered > 7*24*time.Hour {
		t.Errorf("%s come near the time that a message is kept", covered)
	}
	for _, n := range []int{-1, 0, 1} {
		if content.PinPause(n) != 30*time.Second {
			t.Errorf("the pause after attempt %d is %s", n, content.PinPause(n))
		}
	}
}

// shelf holds files by their key.
type shelf map[string]string

var errShelf = errors.New("the store is away")

func (s shelf) Get(_ context.Context, key string) ([]byte, error) {
	body, ok := s[key]
	switch {
	case key == "away":
		return nil, errShelf
	case !ok:
		return nil, content.ErrNoObject
	}
	return []byte(body), nil
}

func TestBacklog(t *testing.T) {
	away := errors.New("the node is away")
	for name, c := range map[string]struct {
		request   content.PinRequest
		pinErr    error
		want      error
		permanent bool
		pinned    bool
	}{
		"pinned":          {request: content.PinRequest{CID: "cid-of-a", Key: "images/a"}, pinned: true},
		"IPFS away":       {request: content.PinRequest{CID: "cid-of-a", Key: "images/a"}, pinErr: away, want: away, pinned: true},
		"store down":      {request: content.PinRequest{CID: "cid-of-a", Key: "away"}, want: errShelf},
		"no such file":    {request: content.PinRequest{CID: "cid-of-b", Key: "images/b"}, want: content.ErrNoObject, permanent: true},
		"other content":   {request: content.PinRequest{CID: "cid-of-b", Key: "images/a"}, want: content.ErrPermanent, permanent: true},
		"cannot be named": {request: content.PinRequest{CID: "cid-of-b", Key: "images/long"}, want: content.ErrPermanent, permanent: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := &fixture{pinErr: c.pinErr}
			b := content.Backlog{
				Objects: shelf{"images/a": "a", "images/long": "much too long for a name"}, Pinner: w, CID: w.store().CID,
			}
			err := b.Pin(t.Context(), c.request)
			if !errors.Is(err, c.want) || errors.Is(err, content.ErrPermanent) != c.permanent {
				t.Errorf("%v; want %v, hopeless %v", err, c.want, c.permanent)
			}
			if pinned := len(w.events) > 0; pinned != c.pinned {
				t.Errorf("sent to IPFS: %v", w.events)
			}
		})
	}
}

// leaving is a file that is removed while it is being pinned.
type leaving struct{ reads int }

func (l *leaving) Get(context.Context, string) ([]byte, error) {
	if l.reads++; l.reads > 1 {
		return nil, content.ErrNoObject
	}
	return []byte("a"), nil
}

// TestRemovedFileKeepsNoPin tests a sweep that removes the file and its pin between our read and
// our pin. A proof's pin stays, because it may be the last copy.
func TestRemovedFileKeepsNoPin(t *testing.T) {
	for key, want := range map[string][]string{
		"images/cid-of-a.jpg":    {"pin cid-of-a a", "unpin cid-of-a"},
		"metadata/cid-of-a.json": {"pin cid-of-a a", "unpin cid-of-a"},
		"proofs/cid-of-a.json":   {"pin cid-of-a a"},
	} {
		w := &fixture{}
		b := content.Backlog{Objects: &leaving{}, Pinner: w, CID: w.store().CID}
		if err := b.Pin(t.Context(), content.PinRequest{CID: "cid-of-a", Key: key}); !errors.Is(err, content.ErrPermanent) || !slices.Equal(w.events, want) {
			t.Errorf("%s: %v, %v; want %v", key, w.events, err, want)
		}
	}
}
