// Package receiver sends signed messages to the servers that creators named, as Standard
// Webhooks (https://www.standardwebhooks.com) lays it out.
package receiver

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/platform/httpclient"
)

// answerLimit is how much of an answer is read, in bytes. What is longer is cut, not refused.
const answerLimit = 16 << 10

// Client sends messages; it implements webhook.Sender. Make HTTP with
// httpclient.NewForStrangers.
type Client struct {
	HTTP *http.Client
}

// Send sends a message once, as long as the context lets it. A redirect is an answer as it
// is.
func (c Client) Send(ctx context.Context, m webhook.Message) (webhook.Answer, error) {
	var signatures []string
	for _, secret := range m.Secrets {
		signer, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return webhook.Answer{}, errors.New("sign a message: the secret is not in base64")
		}
		signature, err := signer.Sign(m.ID, m.At, m.Body)
		if err != nil {
			return webhook.Answer{}, fmt.Errorf("sign a message: %w", err)
		}
		signatures = append(signatures, signature)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return webhook.Answer{}, &webhook.Refusal{Why: "The URL cannot be called.", Cause: err}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "tokenlaunch-webhooks/1")
	request.Header.Set(standardwebhooks.HeaderWebhookID, m.ID)
	request.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(m.At.Unix(), 10))
	request.Header.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
	response, err := c.HTTP.Do(request) // #nosec G704 -- the client connects to public addresses alone
	if err != nil {
		return webhook.Answer{}, &webhook.Refusal{Why: why(err), Down: true, Cause: err}
	}
	defer func() { _ = response.Body.Close() }()
	// An answer that breaks off is one: its status has come.
	body, _ := io.ReadAll(io.LimitReader(response.Body, answerLimit))
	return webhook.Answer{Code: response.StatusCode, Body: body}, nil
}

// why says to the creator what went wrong, in our own words.
func why(err error) string {
	_, noName := errors.AsType[*net.DNSError](err)
	_, noCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	timeout, isNet := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, httpclient.ErrRefused):
		return "The host's name leads to an address that is not public."
	case errors.Is(err, context.DeadlineExceeded), isNet && timeout.Timeout():
		return fmt.Sprintf("The receiver did not answer within %d seconds.", int(webhook.Attempt.Seconds()))
	case noName:
		return "The host's name is not found."
	case noCertificate:
		return "The receiver's certificate is not valid."
	}
	return "The connection could not be made, or broke."
}
