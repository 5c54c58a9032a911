package images_test

import (
	"image/color"
	"net/http"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/launch/unused"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/token/content"
)

// sweep removes what is due at a time, by the real stores.
func (b *bench) sweep(at time.Time) error {
	b.Helper()
	pins, err := ipfs.NewKubo(b.node.URL)
	if err != nil {
		b.Fatal(err)
	}
	_, err = unused.Pictures{
		Records: b.records, Files: content.Sweeper{Objects: b.bucket, Pins: pins}, Max: 100, Now: func() time.Time { return at },
	}.Run(b.Context())
	return err
}

// TestUnusedImagesAreDeleted tests docs/attacks.md, "Launching": of what an address uploads in an
// hour and launches nothing with, nothing is left after a week, neither file nor pin; a node that
// is away is asked again; and the same picture can be uploaded again.
func TestUnusedImagesAreDeleted(t *testing.T) {
	b := newBench(t)
	const many = 10
	for shade := range uint8(many) {
		if got := b.upload(picture(t, color.Gray{Y: 10 * shade}, 8, 8)); got.Status != http.StatusOK {
			t.Fatalf("picture %d: %+v", shade, got)
		}
	}
	begin := b.stored()
	if !strings.HasPrefix(begin, "10 objects, 10 records") || !strings.HasSuffix(begin, "10 pins") {
		t.Fatalf("uploaded: %s", begin)
	}
	week := b.now().Add(7 * 24 * time.Hour)
	if err := b.sweep(week.Add(-time.Second)); err != nil || b.stored() != begin {
		t.Errorf("within a week: %s, %v", b.stored(), err)
	}
	b.node.fail(http.StatusServiceUnavailable, "")
	if err := b.sweep(week); err == nil {
		t.Error("an unavailable node is not logged")
	}
	b.node.fail(http.StatusOK, "")
	if err := b.sweep(week.Add(time.Minute)); err != nil || b.node.count() != many {
		t.Errorf("an unavailable node is called again immediately: %d pins, %v", b.node.count(), err)
	}
	if err := b.sweep(week.Add(11 * time.Minute)); err != nil {
		t.Error(err)
	}
	if left := b.stored(); !strings.HasPrefix(left, "0 objects") || !strings.HasSuffix(left, " 0 pins") {
		t.Errorf("after a week: %s", left)
	}
	b.at = week.Add(time.Hour)
	if got := b.upload(picture(t, color.Gray{Y: 10}, 8, 8)); got.Status != http.StatusOK {
		t.Errorf("again: %+v", got)
	}
	if left := b.stored(); !strings.HasPrefix(left, "1 objects") || !strings.HasSuffix(left, " 1 pins") {
		t.Errorf("uploaded again: %s", left)
	}
	if err := b.sweep(week.Add(time.Hour)); err != nil || b.node.count() != 1 {
		t.Errorf("then: %d pins, %v", b.node.count(), err)
	}
}

// TestBlockedImageIsNotStored tests that neither a blocked image nor an image under removal reaches
// the store or IPFS.
func TestBlockedImageIsNotStored(t *testing.T) {
	b := newBench(t)
	file := picture(t, color.White, 8, 8)
	kept := b.upload(file)
	blocks := launchtable.Blocks(b.records)
	if _, err := blocks.BlockFile(t.Context(), kept.CID, false, b.now()); err != nil {
		t.Fatal(err)
	}
	if err := b.sweep(b.now()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := b.upload(file); got.Status != http.StatusForbidden || got.Code != "content_blocked" {
			t.Errorf("upload of a blocked image = %+v, want 403 content_blocked", got)
		}
	}
	if left := b.stored(); !strings.HasPrefix(left, "0 objects") || !strings.HasSuffix(left, " 0 pins") {
		t.Errorf("stored: %s", left)
	}
	if err := blocks.AllowFile(t.Context(), kept.CID); err != nil {
		t.Fatal(err)
	}
	if got := b.upload(file); got.Status != http.StatusServiceUnavailable {
		t.Errorf("while it is being removed: %+v", got)
	}
	b.at = b.now().Add(unused.Lease + time.Second)
	if got := b.upload(file); got.Status != http.StatusOK || b.node.count() != 1 {
		t.Errorf("allowed again: %+v, %d pins", got, b.node.count())
	}
}
