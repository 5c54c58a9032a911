package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	main "tokenlaunch.example/service/pkg/client/tokenlaunch"
	"tokenlaunch.example/service/pkg/token/terms"
)

// An agent has the user's wallet sign exactly the text that begin_sign_in returns, so this text
// must be a sign-in and never, for example, an order of settings.
func TestAgentOnlyGetsSignIns(t *testing.T) {
	const wallet = "DG1yk4D7h9e8iC3Bbr1tSkxLPHBggZPCfDYoq1TZEJKa"
	order := terms.OrderText([32]byte{1}, 2, terms.Settings{RewardToken: "SOL"})
	api := answering(t, http.StatusOK, fmt.Sprintf(`{"challenge":%q,"expiresAt":"2026-11-27T00:00:00.000Z"}`, order))
	in, asks := io.Pipe()
	answers, out := io.Pipe()
	go func() {
		main.Run(t.Context(), []string{"--api", api, "mcp"}, in, out, &bytes.Buffer{})
		_ = out.Close()
	}()
	go func() {
		_, _ = fmt.Fprintln(asks, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"begin_sign_in","arguments":{"wallet":"`+wallet+`"}}}`)
	}()
	lines := bufio.NewScanner(answers)
	for lines.Scan() {
		if !strings.Contains(lines.Text(), `"id":2`) {
			continue
		}
		if got := lines.Text(); !strings.Contains(got, "the service asks to sign what is") || strings.Contains(got, "Minimum holding") {
			t.Errorf("returned %s", got)
		}
		break
	}
	_ = asks.Close()
	_, _ = io.Copy(io.Discard, answers)
}
