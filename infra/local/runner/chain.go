package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

// MainnetRPC is the public endpoint of Solana's mainnet (Solana documentation,
// "Clusters").
const MainnetRPC = "https://api.mainnet-beta.solana.com"

const (
	// answerTimeout is the maximum wait for the node to fork. A start without a network waits no
	// longer.
	answerTimeout = 2 * time.Second
	// slotTime is mainnet's target in late 2026.
	slotTime = 250 * time.Millisecond
	// authorityLamports is the initial balance of the service's nonce authority, 100 SOL, which
	// pays the rent of its nonce accounts.
	authorityLamports = 100_000_000_000
	// deploymentBucket receives the functions' zips. The stack has the same name.
	deploymentBucket = "cdk-assets"
)

// startChain starts the chain: a validator if the options contain its consensus, otherwise
// Surfpool.
func (s *Stack) startChain(ctx context.Context) (err error) {
	began := time.Now()
	kind := ""
	if s.options.Validator != "" {
		kind = "a real validator, with " + string(s.options.Validator)
		s.Chain, err = agave.Start(ctx, s.options.Project, agave.Options{
			Consensus: s.options.Validator, SlotTime: s.options.SlotTime, Log: s.log("agave"),
		})
	} else {
		kind, err = s.startSurfpool(ctx)
	}
	if err != nil {
		return err
	}
	s.watch(s.Chain.Name, s.Chain.Process)
	if !strings.HasPrefix(kind, "fork") {
		if err := s.Chain.CreateMints(ctx); err != nil {
			return err
		}
		kind += ", with USDC and USDT"
	}
	s.options.Progress.Done("Solana ("+s.Chain.Name+")", s.Chain.RPCURL+", "+kind+took(began))
	return nil
}

// startSurfpool starts a fork of a responding network, or an offline chain, and returns the kind.
func (s *Stack) startSurfpool(ctx context.Context) (kind string, err error) {
	options := surfpool.Options{
		BlockProduction: surfpool.ByClock, SlotTime: cmp.Or(s.options.SlotTime, slotTime), Log: s.log("surfpool"),
	}
	remote := s.options.RemoteRPCURL
	kind = "offline"
	switch {
	case s.options.Offline:
	case answers(ctx, remote):
		options.RemoteRPCURL = remote
		kind = "fork of " + host(remote)
	case remote == MainnetRPC:
		kind = "offline, because no network answers"
	default: // this node was requested
		return "", fmt.Errorf("the Solana node at %s does not answer", host(remote))
	}
	s.Chain, err = surfpool.Start(ctx, s.options.Project, options)
	return kind, err
}

// answers reports whether a healthy Solana node is at the address.
func answers(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"getHealth"}`)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body)
	if err != nil {
		return false
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	var health struct{ Result string }
	return json.NewDecoder(io.LimitReader(response.Body, 1<<16)).Decode(&health) == nil && health.Result == "ok"
}

// fundNonceAuthority funds the service's nonce authority for creating nonce accounts. On a public
// network the operator funds the authority.
func (s *Stack) fundNonceAuthority(ctx context.Context) error {
	keyID, err := s.Outputs.get("NonceKeyId")
	if err != nil {
		return err
	}
	signer := kms.Ed25519Signer{Client: awskms.NewFromConfig(s.AWS.Config()), KeyID: keyID}
	key, err := signer.PublicKey(ctx)
	if err != nil {
		return fmt.Errorf("read the nonce authority's key: %w", err)
	}
	authority := solana.PublicKey(key).String()
	if err := s.Chain.Fund(ctx, authority, authorityLamports); err != nil {
		return fmt.Errorf("fund the nonce authority: %w", err)
	}
	s.options.Progress.Done("Nonce authority", authority+" has 100 SOL")
	return nil
}

func (s *Stack) createDeploymentBucket(ctx context.Context) error {
	_, err := s3.NewFromConfig(s.AWS.Config()).CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String(deploymentBucket)})
	if err != nil {
		return fmt.Errorf("create the bucket for the deployment: %w", err)
	}
	return nil
}
