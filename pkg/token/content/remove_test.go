package content_test

import (
	"context"
	"testing"

	"tokenlaunch.example/service/pkg/token/content"
)

// bin notes what is thrown away.
type bin []string

func (b *bin) Delete(_ context.Context, key string) error {
	*b = append(*b, key)
	return nil
}

func TestRemoveMetadata(t *testing.T) {
	var b bin
	s := content.Sweeper{Objects: &b}
	if err := s.RemoveMetadata(t.Context(), "cid"); err != nil || len(b) != 1 || b[0] != content.Metadata.Key("cid") {
		t.Errorf("removed %v, %v; want the metadata file of cid alone", b, err)
	}
	if err := s.RemoveMetadata(t.Context(), ""); err == nil || len(b) != 1 {
		t.Errorf("removed %v without a name, %v", b, err)
	}
}
