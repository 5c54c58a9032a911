package webhooktable_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/platform/httpclient"
	"tokenlaunch.example/service/pkg/provider/receiver"
)

// A redirect is not followed, wherever it leads.
func TestReceiverRedirectIsNotFollowed(t *testing.T) {
	var strayed atomic.Int32
	other := receive(t, func(http.ResponseWriter, *http.Request) { strayed.Add(1) })
	s := receive(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	w := newFixture(t, s.terms())
	id, _ := w.active(s.URL)
	w.tell(mint)
	w.visit()
	d := w.deliveries(id)[0]
	if d.Status != webhook.Waiting || d.LastCode != http.StatusTemporaryRedirect || strayed.Load() != 0 {
		t.Errorf("%+v, %d calls strayed", d, strayed.Load())
	}
}

// Only the beginning of an endless response is read, and the response counts by its status.
func TestReceiverAnswerIsCut(t *testing.T) {
	over := make(chan int, 1)
	s := receive(t, func(w http.ResponseWriter, r *http.Request) {
		written := 0
		for piece := make([]byte, 64<<10); r.Context().Err() == nil; {
			n, err := w.Write(piece)
			if written += n; err != nil {
				break
			}
		}
		over <- written
	})
	w := newFixture(t, s.terms())
	id, _ := w.active(s.URL)
	w.tell(mint)
	w.visit()
	if d := w.deliveries(id)[0]; d.Status != webhook.Delivered {
		t.Errorf("delivery = %+v, want delivered", d)
	}
	// The network buffers some megabytes between the two; a response that is read to its end has
	// none left.
	if written := <-over; written > 64<<20 {
		t.Errorf("sent %d bytes", written)
	}
}

// Receivers that do not respond delay no others: at most four deliveries of one destination run at
// a time, and the other destinations get theirs in between.
func TestReceiversThatDoNotAnswer(t *testing.T) {
	const many = 5
	hanging, maximum := 0, 0
	var mu sync.Mutex
	release := make(chan struct{})
	full := make(chan struct{})
	slow := receive(t, func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if hanging++; hanging > maximum {
			maximum = hanging
		}
		if hanging == webhook.Calls {
			close(full)
		}
		mu.Unlock()
		select {
		case <-release:
		case <-r.Context().Done():
		}
		mu.Lock()
		hanging--
		mu.Unlock()
	})
	fast := httptest.NewServer(&server{t: t})
	defer fast.Close()
	elsewhere := strings.Replace(fast.URL, "127.0.0.1", "localhost", 1) // another destination
	w := newFixture(t, slow.terms())
	w.courier.Within = time.Minute
	for range many - 1 {
		w.active(slow.URL)
	}
	w.tell(mint)
	var all sync.WaitGroup
	for _, r := range w.queued {
		all.Go(func() {
			if err := w.courier.Visit(t.Context(), r); err != nil {
				t.Error(err)
			}
		})
	}
	<-full
	// Another owner's webhook at the same destination waits; one elsewhere does not.
	first := w.queued[0]
	w.queued = nil
	crowded, _ := w.create(slow.URL + "/fifth")
	w.visit()
	if have := w.hook(crowded); have.Status != webhook.Pending {
		t.Errorf("a fifth call of the destination: %+v", have)
	}
	if err := w.service.Delete(t.Context(), owner, crowded); err != nil {
		t.Fatal(err)
	}
	w.active(elsewhere)
	close(release)
	all.Wait()
	if maximum != webhook.Calls {
		t.Errorf("%d calls at a time, want %d", maximum, webhook.Calls)
	}
	if d := w.deliveries(first.ID)[0]; d.Status != webhook.Delivered {
		t.Errorf("delivery = %+v, want delivered", d)
	}
}

// A receiver that never responds gets its timeout, and then waits among the failing webhooks.
func TestReceiverTimeout(t *testing.T) {
	s := receive(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	w := newFixture(t, s.terms())
	id, _ := w.active(s.URL)
	w.courier.Within = 100 * time.Millisecond
	for range 3 {
		w.tell(mint)
	}
	w.visit()
	tried := 0
	for _, d := range w.deliveries(id) {
		tried += min(d.Attempts, 1)
		if d.Attempts > 0 && d.Kind != webhook.Challenge && d.LastError != "The receiver did not answer within 10 seconds." {
			t.Errorf("delivery = %+v, want a timeout after 10 seconds", d)
		}
	}
	if tried != 2 { // the challenge, and one message
		t.Errorf("%d were tried in one visit", tried)
	}
	w.after(5*time.Minute, time.Minute)
	if have := w.hook(id); !have.Failing() {
		t.Errorf("webhook = %+v, want failing", have)
	}
	w.queued = nil
	w.tell(mint)
	if len(w.queued) != 0 {
		t.Error("a sick webhook is visited before the sweep finds it")
	}
}

// names answers every question for an IPv4 address with the one of the moment.
type names struct {
	mu sync.Mutex
	ip net.IP
}

func (n *names) lead(to string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ip = net.ParseIP(to).To4()
}

func (n *names) resolver(t *testing.T) *net.Resolver {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	go func() {
		packet := make([]byte, 1<<10)
		for {
			size, from, err := socket.ReadFrom(packet)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(packet[:size]) != nil {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				n.mu.Lock()
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class},
					Body:   &dnsmessage.AResource{A: [4]byte(n.ip)},
				}}
				n.mu.Unlock()
			}
			if answer, err := m.Pack(); err == nil {
				_, _ = socket.WriteTo(answer, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", socket.LocalAddr().String())
	}}
}

// A name that was public when the webhook was made and leads inside when it is called is
// checked at the address that is connected to.
func TestReceiverTurnsToPrivateAddress(t *testing.T) {
	var inside atomic.Int32
	s := receiveOver(t, func(net.Conn, http.ConnState) { inside.Add(1) }, func(http.ResponseWriter, *http.Request) { inside.Add(1) })
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	var lead names
	terms := s.terms()
	terms.Resolver = lead.resolver(t)
	w := newFixture(t, terms)
	lead.lead("127.0.0.1") // as if it were public: the terms allow this machine
	// example.com is one of the names of the test's certificate.
	address := "https://example.com:" + u.Port() + "/"
	store := w.service.Store
	hook := webhook.Webhook{ID: "0b9a3f5e-8c0e-4a63-8a53-2f5d7f0c9e21", Owner: owner, URL: address, Status: webhook.Active, CreatedAt: w.clock(), Events: nil}
	hook.Events = append(hook.Events, "promotion.started")
	if err := store.Create(t.Context(), hook, webhook.Delivery{
		ID: "00000000-0000-8000-8000-000000000000", Webhook: hook.ID, Kind: webhook.Test, Data: []byte("{}"), At: w.clock(), Status: webhook.Waiting, NextAt: w.clock(),
	}); err != nil {
		t.Fatal(err)
	}
	w.tell(mint)
	w.visit()
	if d := w.deliveries(hook.ID)[0]; d.Status != webhook.Delivered {
		t.Fatalf("the name leads nowhere: %+v", d)
	}
	w.tell(mint)
	terms.Loopback = false
	w.courier.Sender = receiver.Client{HTTP: httpclient.NewForUntrustedHosts(terms)}
	inside.Store(0)
	attempts := 0
	for _, to := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "100.64.0.1", "0.0.0.0"} {
		lead.lead(to)
		w.pass(time.Hour)
		w.tell(mint)
		w.after(2*time.Minute, time.Minute)
		before := attempts
		attempts = 0
		for _, d := range w.deliveries(hook.ID) {
			if d.Status == webhook.Delivered {
				continue
			}
			attempts += d.Attempts
			if d.Attempts > 0 && d.LastError != "The host's name leads to an address that is not public." {
				t.Errorf("delivery to %s = %+v, want that the address is not public", to, d)
			}
		}
		if attempts <= before {
			t.Errorf("%s: not tried", to)
		}
	}
	if inside.Load() != 0 {
		t.Errorf("opened %d connections", inside.Load())
	}
}

// A private address is rejected when the webhook is made, and by the client too.
func TestPrivateAddresses(t *testing.T) {
	client := receiver.Client{HTTP: httpclient.NewForUntrustedHosts(httpclient.UntrustedHosts{})}
	for _, host := range []string{"127.0.0.1", "localhost", "10.1.2.3", "[::1]", "169.254.169.254", "[fd00:ec2::254]", "[::ffff:127.0.0.1]", "0.0.0.0"} {
		if err := webhook.CheckURL("https://"+host+"/", false); apperrCode(err) != "url_not_allowed" {
			t.Errorf("CheckURL(%s) = %v, want url_not_allowed", host, err)
		}
		_, err := client.Send(t.Context(), webhook.Message{URL: "https://" + host + "/", ID: "1", Secrets: []string{"whsec_AAAA"}, At: time.Now()})
		if err == nil || !strings.Contains(err.Error(), "not public") {
			t.Errorf("Send() to %s: %v, want that the address is not public", host, err)
		}
	}
}
