package content_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token/content"
)

// fixture is the surroundings of a store. It notes what happens, in order, and fails on request.
type fixture struct {
	events                   []string
	putErr, pinErr, queueErr error
	hang                     bool // the pinning ends with its context only
	leave                    context.CancelFunc
	log                      bytes.Buffer
}

func (w *fixture) Put(_ context.Context, key, contentType string, body []byte) error {
	w.events = append(w.events, "put "+key+" "+contentType+" "+string(body))
	return w.putErr
}

func (w *fixture) Pin(ctx context.Context, cid string, body []byte) error {
	w.events = append(w.events, "pin "+cid+" "+string(body))
	if w.leave != nil {
		w.leave()
	}
	if w.hang {
		<-ctx.Done()
		return ctx.Err()
	}
	return w.pinErr
}

func (w *fixture) Unpin(_ context.Context, cid string) error {
	w.events = append(w.events, "unpin "+cid)
	return nil
}

func (w *fixture) Send(ctx context.Context, request content.PinRequest) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, bounded := ctx.Deadline(); !bounded {
		return errors.New("no bound on the message")
	}
	w.events = append(w.events, "queue "+request.CID+" "+request.Key)
	return w.queueErr
}

func (w *fixture) store() content.Store {
	return content.Store{
		Objects: w, Pinner: w, Queue: w,
		CID: func(body []byte) (string, error) {
			if len(body) > 10 {
				return "", errors.New("too long")
			}
			return "cid-of-" + string(body), nil
		},
		Log: slog.New(slog.NewTextHandler(&w.log, nil)),
	}
}

func TestSave(t *testing.T) {
	down := errors.New("connection refused")
	const (
		put   = "put images/cid-of-dots.jpg image/jpeg dots"
		pin   = "pin cid-of-dots dots"
		queue = "queue cid-of-dots images/cid-of-dots.jpg"
	)
	for name, c := range map[string]struct {
		fixture fixture
		events  []string
		pinned  bool
		kind    apperr.Kind // 0 means saved
		logged  string
	}{
		"all well":                 {fixture{}, []string{put, pin}, true, 0, ""},
		"the object store is down": {fixture{putErr: down}, []string{put}, false, apperr.Unavailable, ""},
		"IPFS is down":             {fixture{pinErr: down}, []string{put, pin, queue}, false, 0, "connection refused"},
		"IPFS and the queue too":   {fixture{pinErr: down, queueErr: errors.New("no queue")}, []string{put, pin, queue}, false, apperr.Unavailable, "connection refused"},
		"the queue, not needed":    {fixture{queueErr: down}, []string{put, pin}, true, 0, ""},
		"the pinning does not end": {fixture{hang: true}, []string{put, pin, queue}, false, 0, "deadline exceeded"},
		"the caller cancels":       {fixture{hang: true, leave: func() {}}, []string{put, pin, queue}, false, 0, "canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &c.fixture
				ctx, cancel := context.WithTimeout(t.Context(), 25*time.Second)
				defer cancel()
				if w.leave != nil {
					w.leave = cancel
				}
				started := time.Now()
				got, err := w.store().Save(ctx, content.Image, []byte("dots"))
				if took := time.Since(started); took > 5*time.Second {
					t.Errorf("it took %v", took)
				}
				if !slices.Equal(w.events, c.events) {
					t.Errorf("events %q, want %q", w.events, c.events)
				}
				if c.kind != 0 {
					if apperr.KindOf(err) != c.kind {
						t.Errorf("%v, want %d", err, c.kind)
					}
					return
				}
				want := content.File{CID: "cid-of-dots", URI: "ipfs://cid-of-dots", Key: "images/cid-of-dots.jpg", Bytes: 4, Pinned: c.pinned}
				if err != nil || got != want {
					t.Errorf("got %+v (%v), want %+v", got, err, want)
				}
				if !strings.Contains(w.log.String(), c.logged) || c.logged == "" && w.log.Len() > 0 {
					t.Errorf("log %q, want %q", &w.log, c.logged)
				}
			})
		})
	}
}

func TestSaveMetadata(t *testing.T) {
	w := &fixture{}
	cid, err := w.store().Name([]byte("{}"))
	if err == nil {
		err = w.store().SaveMetadata(t.Context(), []byte("{}"))
	}
	want := []string{"put metadata/cid-of-{}.json application/json {}", "pin cid-of-{} {}"}
	if err != nil || cid != "cid-of-{}" || !slices.Equal(w.events, want) {
		t.Errorf("%s (%v), events %q", cid, err, w.events)
	}
}

func TestContentWithoutAName(t *testing.T) {
	w := &fixture{}
	if _, err := w.store().Save(t.Context(), content.Metadata, make([]byte, 11)); apperr.KindOf(err) != apperr.Internal || len(w.events) > 0 {
		t.Errorf("%v, events %q", err, w.events)
	}
}

func TestSaveWithoutPinnerQueuesEverything(t *testing.T) {
	w := &fixture{}
	store := w.store()
	store.Pinner = nil
	saved, err := store.Save(t.Context(), content.ProofList, []byte("dots"))
	want := []string{"put proofs/cid-of-dots.csv text/csv dots", "queue cid-of-dots proofs/cid-of-dots.csv"}
	if err != nil || saved.Pinned || !slices.Equal(w.events, want) || w.log.Len() > 0 {
		t.Errorf("%+v (%v), events %q, log %q", saved, err, w.events, &w.log)
	}
}
