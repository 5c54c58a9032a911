package relay_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"testing"

	"tokenlaunch.example/service/infra/local/relay"
)

func TestConnectionsArePassedOn(t *testing.T) {
	var config net.ListenConfig
	behind, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = behind.Close() }()
	go func() {
		for {
			c, err := behind.Accept()
			if err != nil {
				return
			}
			go func() {
				text, _ := io.ReadAll(c) // until the other side has said all
				_, _ = fmt.Fprintf(c, "heard %s", text)
				_ = c.Close()
			}()
		}
	}()
	at, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0") // a port that is free
	if err != nil {
		t.Fatal(err)
	}
	address := at.Addr().String()
	_ = at.Close()
	stop, err := relay.Listen(t.Context(), address, behind.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	var dialer net.Dialer
	c, err := dialer.DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	send(t, c, "hello")
	_ = c.(*net.TCPConn).CloseWrite()
	if text, err := io.ReadAll(c); err != nil || string(text) != "heard hello" {
		t.Errorf("%q, %v", text, err)
	}
	open, err := dialer.DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	send(t, open, "and on")
	stop()
	if _, err := bufio.NewReader(open).ReadByte(); err == nil {
		t.Error("a connection outlives the relay")
	}
	if again, err := dialer.DialContext(t.Context(), "tcp", address); err == nil {
		_ = again.Close()
		t.Error("the relay still listens")
	}
}

func send(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Error(err)
	}
}
