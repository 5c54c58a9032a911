package localchain

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// maxAnswer bounds an RPC response, in bytes.
const maxAnswer = 64 << 20

// Call makes a JSON-RPC call and decodes its result into result, which may be nil.
func (c *Chain) Call(ctx context.Context, result any, method string, params ...any) error {
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return fmt.Errorf("encode %s: %w", method, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.RPCURL, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("call %s: %w", method, err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("call %s: %w", method, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("read the answer to %s: %w", method, err)
	}
	var answer struct {
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("decode the answer to %s (%s): %w", method, response.Status, err)
	}
	if answer.Error != nil {
		return fmt.Errorf("%s: error %d: %s", method, answer.Error.Code, answer.Error.Message)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return fmt.Errorf("decode the result of %s: %w", method, err)
	}
	return nil
}
