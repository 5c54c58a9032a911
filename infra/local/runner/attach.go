package runner

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

// Attach returns the stack that another process serves with this directory, from the stack's
// record. Callers may call and inspect the stack. The process that started the stack stops the
// stack.
func Attach(folder string) (*Stack, error) {
	s := &Stack{options: Options{Folder: folder}, name: stackName}
	text, err := os.ReadFile(s.recordFile())
	if err != nil {
		return nil, fmt.Errorf("find the running stack: %w", err)
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("read %s: %w", s.recordFile(), err)
	}
	s.APIURL, s.gatewayURL = r.APIURL, r.IPFSGateway
	s.AWS = &ministack.Server{Endpoint: r.AWSEndpoint}
	s.Chain = surfpool.At(r.RPCURL, r.WSURL)
	if r.Chain == agave.Name {
		s.Chain = agave.At(r.RPCURL, r.WSURL)
	}
	if s.Market, err = solana.PublicKeyFromBase58(r.Market); err != nil {
		return nil, fmt.Errorf("read the market in %s: %w", s.recordFile(), err)
	}
	return s, s.readOutputs(s.name)
}
