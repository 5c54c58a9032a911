package telegram

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
)

// answerLimit bounds an answer, in bytes. A message that was sent comes back with
// its chat.
const answerLimit = 1 << 20

// record is what is known of one call.
type record struct {
	wrote atomic.Bool // part of the request has left
	// took and refused are set when the answer is one of Telegram's own: {"ok": …}.
	took, refused bool
}

type recordKey struct{}

// watched writes down, in the record of the call's context, what the answer was:
// the library's errors do not tell a refusal by Telegram from a broken answer.
type watched struct{ http *http.Client }

// Do makes the call. The answer is read to its end.
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
