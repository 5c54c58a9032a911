package telegram

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
)

// answerLimit is the maximum size of a response, in bytes. The response to a sent message contains
// the message with the chat.
const answerLimit = 1 << 20

// record is the state of a call.
type record struct {
	wrote atomic.Bool // part of the request was sent
	// took and rejected are set if the response is Telegram's: {"ok": …}.
	took, refused bool
}

type recordKey struct{}

// watched stores the kind of the response in the record of the call's context. The library's errors
// do not distinguish an error response of Telegram from a broken response.
type watched struct{ http *http.Client }

// Do makes the call, and reads the whole response.
func (w *watched) Do(request *http.Request) (*http.Response, error) {
	response, err := w.http.Do(request) //nolint:gosec // G704: the address is the operator's
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	var answer struct {
		OK *bool `json:"ok"`
	}
	call, ok := request.Context().Value(recordKey{}).(*record)
	if ok && json.Unmarshal(raw, &answer) == nil && answer.OK != nil {
		call.took, call.refused = *answer.OK, !*answer.OK
	}
	response.Body = io.NopCloser(bytes.NewReader(raw))
	return response, nil
}
