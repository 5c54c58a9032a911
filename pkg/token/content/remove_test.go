package content_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/token/content"
)

// bin notes what is thrown away, in order.
type bin struct {
	gone []string
	err  error
}

func (b *bin) Delete(_ context.Context, key string) error {
	b.gone = append(b.gone, key)
	return b.err
}

func (b *bin) Unpin(_ context.Context, cid string) error {
	b.gone = append(b.gone, "pin of "+cid)
	return b.err
}

func TestRemove(t *testing.T) {
	var b bin
	s := content.Sweeper{Objects: &b, Pins: &b}
	if err := s.Remove(t.Context(), content.Metadata, "cid"); err != nil || !slices.Equal(b.gone, []string{content.Metadata.Key("cid"), "pin of cid"}) {
		t.Errorf("removed %v, %v; want the file of cid, and then its pin", b.gone, err)
	}
	if err := s.Remove(t.Context(), content.Metadata, ""); err == nil || len(b.gone) != 2 {
		t.Errorf("removed %v without a name, %v", b.gone, err)
	}
	b = bin{err: errors.New("away")}
	if err := s.Remove(t.Context(), content.Image, "cid"); !errors.Is(err, b.err) || len(b.gone) != 1 {
		t.Errorf("a file that stays loses its pin: %v, %v", b.gone, err)
	}
}
