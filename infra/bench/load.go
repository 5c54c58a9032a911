package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
)

const (
	// loadFor is the time for which each route is called, by loadClients concurrent clients. Each
	// client calls again as soon as the response arrives.
	loadFor     = 10 * time.Second
	loadClients = 16
	// perAddress is the number of requests from an address, so that no limit is reached.
	perAddress = 10
)

// loadTargets are the called operations, one of each kind: the limiter only, a page, an item, the
// ledger, a write.
var loadTargets = []string{"getHealth", "listTokens", "getToken", "listRuns", "createChallenge"}

// serving is the first line of a serving process.
type serving struct {
	Address string // host and port
	Mint    string
}

// serve serves over HTTP until the caller ends the process.
func serve(ctx context.Context, in io.Reader, out io.Writer) error {
	var at place
	if err := json.NewDecoder(in).Decode(&at); err != nil {
		return fmt.Errorf("read where the stack is: %w", err)
	}
	b, err := newSession(ctx, at)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	var count atomic.Uint32
	for _, operation := range loadTargets {
		r, _ := find(operation)
		mux.HandleFunc(r.Pattern(), func(w http.ResponseWriter, request *http.Request) {
			n := count.Add(1) / perAddress
			from := netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}) //nolint:gosec // its bytes
			called := apigw.WithCaller(request.Context(), apigw.CallerContext{SourceIP: from.String(), RequestID: "load"})
			b.handlers[r.Function].ServeHTTP(w, request.WithContext(called))
		})
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: loadFor}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := json.NewEncoder(out).Encode(serving{listener.Addr().String(), b.mint}); err != nil {
		return err
	}
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// loadTables calls another serving process from this process, and returns the section on load.
func loadTables(ctx context.Context, o on) ([]document.Table, error) {
	machine, err := localMachine(ctx, o.folder)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	side, err := o.apart("load")
	if err != nil {
		return nil, err
	}
	cmd, err := side.Start(ctx)
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer func() { stop(); _ = cmd.Wait() }() // the process was told to end, which is an error of Wait
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("the process that serves has ended: %w", err)
	}
	var server serving
	if err := json.Unmarshal(line, &server); err != nil {
		return nil, err
	}
	rows := [][]string{{"route", "requests a second", "p50", "p99", "slowest", "failed", "CPU a request"}}
	for _, operation := range loadTargets {
		r, _ := find(operation)
		before, err := report.CPUTimeOf(cmd.Process.Pid)
		if err != nil {
			return nil, err
		}
		m := attack(server, r)
		after, err := report.CPUTimeOf(cmd.Process.Pid)
		if err != nil {
			return nil, err
		}
		rows = append(rows, []string{
			"`" + r.Pattern() + "`", fmt.Sprintf("%.0f", m.Throughput), report.Millis(m.Latencies.P50), report.Millis(m.Latencies.P99),
			report.Millis(m.Latencies.Max), fmt.Sprint(m.Requests - uint64(m.StatusCodes["200"])), //nolint:gosec // a count
			report.Millis((after - before) / time.Duration(max(m.Requests, 1))), //nolint:gosec // of some thousands
		})
	}
	return []document.Table{{Name: "bench:load", Text: machine + "\n\n" + document.Markdown(rows)}}, nil
}

// attack calls a route as fast as the clients receive responses.
func attack(server serving, r route.Route) (m vegeta.Metrics) {
	url := "http://" + server.Address + strings.NewReplacer("{mintAddress}", server.Mint, "{tokenId}", server.Mint).Replace(r.Path)
	targets := func(t *vegeta.Target) error {
		*t = vegeta.Target{Method: r.Method, URL: url}
		if r.Method == http.MethodPost {
			wallet, err := walkthrough.NewWallet()
			if err != nil {
				return err
			}
			t.Body, t.Header = []byte(`{"wallet":"`+wallet.Address()+`"}`), http.Header{"Content-Type": {"application/json"}}
		}
		return nil
	}
	attacker := vegeta.NewAttacker(vegeta.Workers(loadClients), vegeta.MaxWorkers(loadClients), vegeta.KeepAlive(true), vegeta.MaxBody(0))
	for result := range attacker.Attack(targets, vegeta.Rate{}, loadFor, r.Operation) {
		m.Add(result)
	}
	m.Close()
	return m
}
