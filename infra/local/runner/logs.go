package runner

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

	"github.com/aws/aws-sdk-go-v2/service/lambda"
)

// logs copies what the functions log from CloudWatch Logs into files.
type logs struct {
	endpoint string
	groups   []*logGroup
	cancel   context.CancelFunc
	mu       sync.Mutex // held while copying
	done     sync.WaitGroup
}

// logGroup is one function's log and how far it has been copied.
type logGroup struct {
	name string
	file *os.File
	last int64 // Unix milliseconds of the newest copied line
	// seen are the streams copied at that time; MiniStack makes one for each call.
	seen map[string]int64
}

const (
	logPeriod = time.Second
	// logOverlapMillis reaches back for a call that ended late.
	logOverlapMillis = 5_000
	// flushTimeout bounds the last copy, which MiniStack may not answer.
	flushTimeout = 2 * time.Second
)

func (s *Stack) startLogs(ctx context.Context) error {
	client := lambda.NewFromConfig(s.AWS.Config())
	l := &logs{endpoint: s.AWS.Endpoint}
	for logical, physical := range s.Outputs.having("FunctionName") {
		config, err := client.GetFunctionConfiguration(ctx, &lambda.GetFunctionConfigurationInput{FunctionName: &physical})
		if err != nil {
			return fmt.Errorf("find the log of %s: %w", logical, err)
		}
		group := "/aws/lambda/" + physical
		if config.LoggingConfig != nil && config.LoggingConfig.LogGroup != nil {
			group = *config.LoggingConfig.LogGroup
		}
		file, err := os.Create(s.log(logical))
		if err != nil {
			return fmt.Errorf("open the log of %s: %w", logical, err)
		}
		l.groups = append(l.groups, &logGroup{name: group, file: file, seen: map[string]int64{}})
	}
	following, cancel := context.WithCancel(context.WithoutCancel(ctx))
	l.cancel = cancel
	l.done.Go(func() { l.follow(following) })
	s.logs = l
	return nil
}

func (l *logs) follow(ctx context.Context) {
	tick := time.NewTicker(logPeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			l.copy(ctx)
		}
	}
}

// copy brings the files up to date. A failure leaves the rest to the next time.
func (l *logs) copy(ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, group := range l.groups {
		_ = group.copy(ctx, l.endpoint)
	}
}

type logEvent struct {
	Timestamp     int64
	Message       string
	LogStreamName string
}

func (g *logGroup) copy(ctx context.Context, endpoint string) error {
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

func (g *logGroup) fetch(ctx context.Context, endpoint string) ([]logEvent, error) {
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
	sign(request, "logs")
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

// flush copies what has been logged until now.
func (l *logs) flush() {
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	l.copy(ctx)
}

func (l *logs) stop() {
	l.cancel()
	l.done.Wait()
	l.flush()
	for _, group := range l.groups {
		_ = group.file.Close()
	}
}
