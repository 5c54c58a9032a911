// Package cloudlog copies the functions' logs from CloudWatch Logs into files.
package cloudlog

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
)

// Follower copies logs while it runs.
type Follower struct {
	endpoint string
	cancel   context.CancelFunc
	done     sync.WaitGroup

	mu     sync.Mutex // held while copying
	groups []*group
}

// group is a function's log and its copied part.
type group struct {
	name string
	file *os.File
	last int64 // Unix milliseconds of the newest copied line
	// seen are the streams copied at that time. MiniStack creates a stream for each call.
	seen map[string]int64
}

const (
	logPeriod = time.Second
	// logOverlapMillis reaches back for a call that ended late.
	logOverlapMillis = 5_000
	// flushTimeout bounds the last copy, because MiniStack may not respond.
	flushTimeout = 2 * time.Second
)

// Follow starts to copy. files are the file paths by log group.
func Follow(ctx context.Context, endpoint string, files map[string]string) (*Follower, error) {
	f := &Follower{endpoint: endpoint}
	for name, path := range files {
		file, err := os.Create(path) // #nosec G304 -- a log file of the local stack
		if err != nil {
			f.close()
			return nil, fmt.Errorf("open the log for %s: %w", name, err)
		}
		f.groups = append(f.groups, &group{name: name, file: file, seen: map[string]int64{}})
	}
	following, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f.cancel = cancel
	f.done.Go(func() { f.follow(following) })
	return f, nil
}

func (f *Follower) follow(ctx context.Context) {
	tick := time.NewTicker(logPeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f.copy(ctx)
		}
	}
}

// copy updates the files. A failed group is copied the next time.
func (f *Follower) copy(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, g := range f.groups {
		_ = g.copy(ctx, f.endpoint)
	}
}

type logEvent struct {
	Timestamp     int64
	Message       string
	LogStreamName string
}

func (g *group) copy(ctx context.Context, endpoint string) error {
	events, err := g.fetch(ctx, endpoint)
	if err != nil {
		return err
	}
	var text strings.Builder
	fresh := map[string]bool{}
	for _, e := range events {
		if _, copied := g.seen[e.LogStreamName]; copied && !fresh[e.LogStreamName] {
			continue
		}
		fresh[e.LogStreamName] = true
		g.seen[e.LogStreamName] = e.Timestamp
		g.last = max(g.last, e.Timestamp)
		text.WriteString(e.Message + "\n")
	}
	for stream, at := range g.seen {
		if at < g.last-logOverlapMillis {
			delete(g.seen, stream)
		}
	}
	if _, err := g.file.WriteString(text.String()); err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	return nil
}

func (g *group) fetch(ctx context.Context, endpoint string) ([]logEvent, error) {
	body, err := json.Marshal(map[string]any{
		"logGroupName": g.name, "startTime": max(0, g.last-logOverlapMillis),
	})
	if err != nil {
		return nil, fmt.Errorf("ask for the log: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("ask for the log: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.1")
	request.Header.Set("X-Amz-Target", "Logs_20140328.FilterLogEvents")
	// MiniStack reads the service from the signature and does not verify the signature.
	request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/"+ministack.Region+"/logs/aws4_request, SignedHeaders=host, Signature=0")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask for the log: %w", err)
	}
	defer response.Body.Close()
	var answer struct{ Events []logEvent }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return answer.Events, nil
}

// Flush copies the logs up to now.
func (f *Follower) Flush() {
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	f.copy(ctx)
}

// Stop copies once more and closes the files.
func (f *Follower) Stop() {
	f.cancel()
	f.done.Wait()
	f.Flush()
	f.close()
}

func (f *Follower) close() {
	for _, g := range f.groups {
		_ = g.file.Close()
	}
}
