package launchtable_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

func storedImage(uploader string) image.Stored {
	const cid = "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e"
	return image.Stored{
		CID: cid, Key: "images/" + cid + ".jpg", Bytes: 4711, Width: 512, Height: 512, Uploader: uploader,
		CreatedAt: time.Date(2026, 3, 1, 12, 0, 0, 123_000_000, time.UTC),
	}
}

func TestImagesKeepTheFirstRecord(t *testing.T) {
	stack := localnet.AWS(t)
	images := launchtable.Images{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
	first := storedImage("first")

	if _, err := images.Get(t.Context(), first.CID); !errors.Is(err, image.ErrNotFound) {
		t.Errorf("before: %v", err)
	}
	if err := images.Hold(t.Context(), first.CID, first.CreatedAt); !errors.Is(err, image.ErrNotFound) {
		t.Errorf("before: %v", err)
	}
	if err := images.Put(t.Context(), first, first.CreatedAt); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			later := storedImage("later")
			later.CreatedAt = first.CreatedAt.Add(time.Hour)
			if err := images.Put(t.Context(), later, later.CreatedAt); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, err := images.Get(t.Context(), first.CID); err != nil || got != first {
		t.Errorf("got %+v (%v), want %+v", got, err, first)
	}
	if err := images.Hold(t.Context(), first.CID, first.CreatedAt); err != nil {
		t.Errorf("after: %v", err)
	}
}

func TestImagesWithoutTheStore(t *testing.T) {
	stack := localnet.AWS(t)
	cfg := stack.Config(t.Context())
	nowhere := "http://127.0.0.1:1"
	cfg.BaseEndpoint = &nowhere
	images := launchtable.Images{Client: dynamo.New(cfg), Table: "launch"}
	_, getErr := images.Get(t.Context(), "cid")
	for call, err := range map[string]error{
		"Put": images.Put(t.Context(), storedImage("someone"), time.Now()), "Get": getErr, "Hold": images.Hold(t.Context(), "cid", time.Now()),
		"Allowed": images.Allowed(t.Context(), "cid", time.Now()),
	} {
		if apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("%s: %v, want an error of kind Unavailable", call, err)
		}
	}
}
