package main

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/handover"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestWindDownChapterRuns reads the commands out of the chapter "Wind down" of the operations guide, and runs
// the commands in the chapter's order: an announcement, its cancellation, the wind-down, the end of claims,
// and the check.
func TestWindDownChapterRuns(t *testing.T) {
	guide, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, chapter, _ := strings.Cut(string(guide), "\n## Wind down\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	var commands [][]string
	for _, found := range regexp.MustCompile("wind-down (-[^`\n]* all)\\b").FindAllStringSubmatch(chapter, -1) {
		words := regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(strings.ReplaceAll(found[1], `"$LAST_DAY"`, "2026-06-29T12:00:00Z"), -1)
		for i := range words {
			words[i] = strings.Trim(words[i], `"`)
		}
		if n := len(words); n < 3 || words[n-2] != "$STACK" {
			t.Fatalf("%q does not end with a stack and its tokens", found[1])
		}
		commands = append(commands, words[:len(words)-2]) // execute adds both
	}
	if len(commands) != 5 {
		t.Fatalf("the chapter has %d commands, want 5: %q", len(commands), commands)
	}
	announce, cancel, end, final, check := commands[0], commands[1], commands[2], commands[3], commands[4]

	rich, poor := solana.PublicKey{1, 1}, solana.PublicKey{1, 2}
	s := &service{
		records: map[solana.PublicKey]token.Record{}, orders: map[solana.PublicKey]handover.State{}, released: map[solana.PublicKey]bool{},
		holds: map[solana.PublicKey]bool{rich: true, poor: true}, now: time.Date(2026, 3, 29, 12, 0, 0, 0, time.UTC),
		heads: map[solana.PublicKey]run.Head{poor: {Mint: poor, Debts: run.Debts{Owed: map[terms.Asset]uint64{terms.SOL: 5}}}},
	}
	for mint := range s.holds {
		s.records[mint] = token.Record{Mint: mint, Creator: solana.PublicKey{2, mint[1]}, Status: token.Confirmed}
	}
	step := func(command []string, ends error, says string) {
		t.Helper()
		text, err := s.execute(t, 0, command...)
		if !errors.Is(err, ends) || !strings.Contains(text, says) {
			t.Fatalf("%q ends with %v, want %v, and says\n%s, want %q", command, err, ends, text, says)
		}
	}
	step(announce, nil, rich.String()+": winds down at 2026-06-29T12:00:00Z")
	step(cancel, nil, "2 of 2 tokens")
	if at := s.records[rich].WindDown.At; !at.IsZero() {
		t.Errorf("after the cancellation the token winds down at %s", at)
	}
	step(announce, nil, "2026-06-29T12:00:00Z")
	if len(s.orders) > 0 {
		t.Error("an announcement hands over")
	}
	s.now = time.Date(2026, 6, 29, 12, 0, 0, 0, time.UTC)
	step(end, errNotWoundDown, poor.String()+": handed over; its wallet keeps")
	step(check, errOwed, "1 of 2 tokens need")
	step(final, nil, "2 of 2 tokens are wound down")
	step(check, nil, "0 of 2 tokens need")
}
