package ipfs_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/provider/ipfs"
)

// shelf is a place that has what was pinned, unless it fails.
type shelf struct {
	pins   map[string]bool
	failed error
}

func (s *shelf) Pin(_ context.Context, cid string, _ []byte) error {
	if s.failed == nil {
		s.pins[cid] = true
	}
	return s.failed
}

func (s *shelf) Unpin(_ context.Context, cid string) error {
	if s.failed == nil {
		delete(s.pins, cid)
	}
	return s.failed
}

func TestContentIsPinnedWhenAllPlacesHaveIt(t *testing.T) {
	away := errors.New("away")
	first, second := &shelf{pins: map[string]bool{}}, &shelf{pins: map[string]bool{}}
	places := ipfs.Places{first, second}
	for _, step := range []struct {
		name          string
		first, second error
		unpin         bool
		have          []bool
	}{
		{"the first fails", away, nil, false, []bool{false, true}},
		{"both respond", nil, nil, false, []bool{true, true}},
		{"the second keeps its pin", nil, away, true, []bool{false, true}},
		{"both remove it", nil, nil, true, []bool{false, false}},
		{"the second fails", nil, away, false, []bool{true, false}},
		{"both fail", away, away, false, []bool{true, false}},
	} {
		first.failed, second.failed = step.first, step.second
		do := func() error { return places.Pin(t.Context(), "cid", nil) }
		if step.unpin {
			do = func() error { return places.Unpin(t.Context(), "cid") }
		}
		if err := do(); errors.Is(err, away) != (step.first != nil || step.second != nil) {
			t.Errorf("%s: %v, want the error of a place", step.name, err)
		}
		if have := []bool{first.pins["cid"], second.pins["cid"]}; !slices.Equal(have, step.have) {
			t.Errorf("%s: pinned at %v, want %v", step.name, have, step.have)
		}
	}
}
