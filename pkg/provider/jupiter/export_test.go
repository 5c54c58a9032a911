package jupiter

import (
	"encoding/json"

	"tokenlaunch.example/service/pkg/distribution/exchange"
)

// ReadQuote reads the body of a quote.
var ReadQuote = readQuote

// ReadSwap reads the body of a quote's swap.
func ReadSwap(raw []byte, q exchange.Quote) (exchange.Swap, error) {
	var answer swapAnswer
	if err := json.Unmarshal(raw, &answer); err != nil {
		return exchange.Swap{}, err
	}
	return readSwap(answer, q)
}
