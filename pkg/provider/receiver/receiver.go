// Package receiver sends signed messages to the servers of creators, according to Standard Webhooks
// (https://www.standardwebhooks.com).
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

// answerLimit is the maximum number of bytes that are read of a response. A longer response is cut
// without an error.
const answerLimit = 16 << 10

// Client sends messages. It implements webhook.Sender. Create HTTP with httpclient.NewForUntrustedHosts.
type Client struct {
	HTTP *http.Client
}

// Send sends a message once, within the context. A redirect is returned as the response.
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
	// A response counts even if the body breaks off, because the status has arrived.
	body, _ := io.ReadAll(io.LimitReader(response.Body, answerLimit))
	return webhook.Answer{Code: response.StatusCode, Body: body}, nil
}

// why describes an error for the creator, without the text of the error.
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
