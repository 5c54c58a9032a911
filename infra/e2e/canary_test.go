package e2e_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/cloudwatch"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/client/canary"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// The deployed canary, with the rights of its role, makes the calls of a user.
func TestCanaryActsAsCaller(t *testing.T) {
	s := deployed(t)
	w := &watch{t: t, stack: s}
	w.reset()
	out, err := lambdas(s).Invoke(t.Context(), &lambda.InvokeInput{
		FunctionName: aws.String(s.Outputs["CanaryFunctionName"]), Payload: []byte(`{"detail-type": "Scheduled Event", "time": "2026-11-21T12:01:00Z"}`),
	})
	if err != nil || out.FunctionError != nil {
		t.Fatalf("Invoke(canary) = %v, %s", err, out.Payload)
	}
	lines := logLines(t, s, logGroup(t, s, s.Outputs["CanaryFunctionName"]), w.since)
	if failures, measured := measures(t, lines)["CanaryFailures"]; !measured || failures != 0 {
		t.Errorf("%v, %v:\n%s", failures, measured, strings.Join(lines, "\n"))
	}
}

// measures sums what lines measure, by metric.
func measures(t *testing.T, lines []string) map[string]float64 {
	t.Helper()
	sums := map[string]float64{}
	for _, line := range lines {
		data, err := cloudwatch.ReadEMF([]byte(line), time.Now())
		if err != nil {
			t.Error(err)
		}
		for _, d := range data {
			sums[d.Metric.Name] += d.Value
		}
	}
	return sums
}

// altered changes a response on its way to the canary.
type altered func(r *http.Response, body string) string

func (a altered) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	changed := a(response, string(body))
	response.Body, response.ContentLength = io.NopCloser(strings.NewReader(changed)), int64(len(changed))
	response.Header.Del("Content-Length")
	return response, nil
}

// canaryWatches runs the canary on a token with a proof: whole, and with each step broken.
func canaryWatches(t *testing.T, s *runner.Stack, mint solana.PublicKey) {
	t.Helper()
	node, err := solanarpc.New(s.Chain.RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	// Files of proofs, each with a byte that is not its own.
	forger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, rest, _ := strings.Cut(r.URL.Path, "/")
		request, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "http://"+rest, http.NoBody)
		if err != nil {
			t.Error(err)
			return
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			return
		}
		defer response.Body.Close()
		content, err := io.ReadAll(response.Body)
		if err != nil || len(content) == 0 {
			t.Errorf("%s: %v, %d bytes", request.URL, err, len(content))
			return
		}
		content[len(content)/2] ^= 1
		_, _ = w.Write(content)
	}))
	t.Cleanup(forger.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, test := range []struct {
		name, api string
		change    altered
		failures  float64
		refuted   float64
		says      string
	}{
		{name: "whole"},
		{name: "the API is down", api: gone.URL, failures: 3, says: "health: "},
		{name: "sign-in fails", failures: 1, says: "launch: sign in", change: func(r *http.Response, body string) string {
			if r.Request.URL.Path == "/auth/verify" {
				r.StatusCode = http.StatusInternalServerError
			}
			return body
		}},
		{name: "another transaction", failures: 1, says: "launch: hold the transaction to what was asked for", change: func(r *http.Response, body string) string {
			if r.Request.URL.Path == "/tokens/create-unsigned" {
				return strings.Replace(body, `"transaction":"A`, `"transaction":"B`, 1)
			}
			return body
		}},
		{name: "a proof that was altered", refuted: 1, says: "proof: ", change: func(r *http.Response, body string) string {
			if strings.Contains(r.Request.URL.Path, "/runs/") {
				return strings.ReplaceAll(body, `"url":"http://`, `"url":"`+forger.URL+"/")
			}
			return body
		}},
	} {
		t.Run("canary: "+test.name, func(t *testing.T) {
			var log bytes.Buffer
			c := canary.Check{
				API: s.APIURL, Mint: mint, Node: node, Markets: []solana.PublicKey{s.Market}, Within: 2 * time.Minute,
				Log: telemetry.New(&log, slog.LevelInfo, "canary"),
			}
			if test.api != "" {
				c.API = test.api
			}
			if test.change != nil {
				c.Options = append(c.Options, client.WithHTTPClient(&http.Client{Transport: test.change}))
			}
			err := c.Run(t.Context())
			if (err != nil) != (test.says != "") || err != nil && !strings.Contains(err.Error(), test.says) || errors.Is(err, canary.ErrRefuted) != (test.refuted > 0) {
				t.Errorf("%v, want %q", err, test.says)
			}
			sums := measures(t, strings.Split(strings.TrimSpace(log.String()), "\n"))
			if sums["CanaryFailures"] != test.failures || sums["ProofsRefuted"] != test.refuted {
				t.Errorf("%v in\n%s", sums, log.String())
			}
		})
	}
}
