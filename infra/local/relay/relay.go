// Package relay forwards TCP connections between addresses of this machine.
package relay

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
)

// Listen accepts connections at the address at and forwards the connections to the address to,
// until stop is called.
func Listen(ctx context.Context, at, to string) (stop func(), err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", at)
	if err != nil {
		return nil, fmt.Errorf("listen at %s: %w", at, err)
	}
	r := &relay{to: to, open: map[net.Conn]bool{}}
	r.ctx, r.cancel = context.WithCancel(context.WithoutCancel(ctx))
	r.work.Go(func() { r.accept(listener) })
	return func() {
		r.cancel()
		_ = listener.Close()
		r.closeAll()
		r.work.Wait()
	}, nil
}

type relay struct {
	to     string
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu   sync.Mutex
	open map[net.Conn]bool
}

func (r *relay) accept(listener net.Listener) {
	for {
		from, err := listener.Accept()
		if err != nil {
			return // closed
		}
		r.work.Go(func() { r.pass(from) })
	}
}

// pass copies in both directions until both sides have closed.
func (r *relay) pass(from net.Conn) {
	defer r.forget(from)
	if !r.keep(from) {
		return
	}
	var dialer net.Dialer
	to, err := dialer.DialContext(r.ctx, "tcp", r.to)
	if err != nil {
		return // the other side sees the end of its connection
	}
	defer r.forget(to)
	if !r.keep(to) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { copyTo(to, from) })
	both.Go(func() { copyTo(from, to) })
	both.Wait()
}

func copyTo(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	if half, ok := to.(*net.TCPConn); ok {
		_ = half.CloseWrite()
	}
}

func (r *relay) keep(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[c] = true
	return r.ctx.Err() == nil
}

func (r *relay) forget(c net.Conn) {
	r.mu.Lock()
	delete(r.open, c)
	r.mu.Unlock()
	_ = c.Close()
}

func (r *relay) closeAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.open {
		_ = c.Close()
	}
}
