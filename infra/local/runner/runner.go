// Package runner runs the whole service on this machine. Package runner builds the functions,
// starts AWS (MiniStack), Solana (Surfpool or Agave) and IPFS on loopback, deploys the real CDK
// stack, and serves the API on one port. Every start is fresh, and all parts end with this process.
package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
	"golang.org/x/sync/errgroup"

	"tokenlaunch.example/service/infra/local/cloudlog"
	"tokenlaunch.example/service/infra/local/gateway"
	"tokenlaunch.example/service/infra/local/guardian"
	"tokenlaunch.example/service/infra/local/ipfsnode"
	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// TestSlotTime is the SlotTime of tests, which mostly wait for finality. A blockhash, which is
// valid for 150 slots, still lasts for the 20 s in which a slow machine signs and sends.
const TestSlotTime = 150 * time.Millisecond

// Options are the options of a run.
type Options struct {
	Project project.Folder
	// Port is the port of the public API on loopback; any free port if zero.
	Port int
	// Folder receives logs, the deployment's files and stack.json.
	Folder string
	// Validator is the consensus of the real validator that runs the chain; empty means Surfpool.
	Validator agave.Consensus
	// Offline keeps Surfpool from looking for a network to fork.
	Offline bool
	// RemoteRPCURL is the node to fork, if the node responds.
	RemoteRPCURL string
	IPFS         IPFS
	// Secrets are values of secrets by the context values that name the secrets. An empty value
	// means no secret.
	Secrets map[string]string
	// SlotTime is the slot time of the chain, mainnet's if zero. Finality takes 32 slots, except
	// with Alpenglow.
	SlotTime time.Duration
	// AllowedOrigins are the origins of third-party pages, separated by commas, whose domains
	// sign-in messages name; empty means no origins.
	AllowedOrigins string
	// PayoutVersion is the encoding of payouts, legacy or 1; empty means 1.
	PayoutVersion string
	// Containers is an address of this machine at which containers reach the stack, such as the
	// address of Docker's bridge on Linux. If Containers is empty, the stack is only on loopback.
	Containers string
	// Alarms deploys the stack of the alarms, too. The local AWS evaluates no alarm, so only tests of
	// alarms need that stack.
	Alarms bool
	// Guardian runs a guardian, which launches may name.
	Guardian bool
	Progress *progress.Printer
}

// IPFS is the pinning configuration for images and metadata; empty means the embedded node.
type IPFS struct {
	APIURL     string // RPC of a Kubo node
	Pins       string // the context value pins
	GatewayURL string // for the pinned files
}

// Stack is the running service.
type Stack struct {
	APIURL  string // the public address of the API
	AWS     *ministack.Server
	Chain   *localchain.Chain
	Outputs Outputs // of the deployment
	// Treasury is the wallet that receives the payments for featured placement, created for this
	// run.
	Treasury solana.PublicKey

	options    Options
	name       string         // of the served stack
	assembly   string         // directory of the assembly
	ipfs       *ipfsnode.Node // nil if another node is used
	gatewayURL string
	token      string // the argument of Record
	// Market is the market maker of the distribution wallets. No other market exists on a local
	// chain.
	Market     solana.PublicKey
	marketURL  string
	stopMarket func()
	// Guardian is the guardian that launches may name; nil without one.
	Guardian   *guardian.Guardian
	stopRelays func()
	proxy      *gateway.Proxy
	logs       *cloudlog.Follower

	stop sync.Once
	died chan error
}

// Start starts all parts and returns when the API responds. After an error, no part is left
// running.
func Start(ctx context.Context, o Options) (*Stack, error) {
	treasury, err := solana.NewRandomPrivateKey()
	if err != nil {
		return nil, fmt.Errorf("make a treasury: %w", err)
	}
	s := &Stack{options: o, Treasury: treasury.PublicKey(), name: stackName, died: make(chan error, 1)}
	if err := s.start(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Stack) start(ctx context.Context) error {
	if err := os.MkdirAll(s.logFolder(), 0o750); err != nil {
		return fmt.Errorf("make the folder of logs: %w", err)
	}
	var err error
	// Listen first, because the port is the most frequent failure.
	if s.proxy, err = gateway.Listen(ctx, s.options.Port); err != nil {
		return err
	}
	s.APIURL = s.proxy.URL
	// The record of the last run is stale.
	if err := os.Remove(s.recordFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the last stack.json: %w", err)
	}
	s.options.Progress.Doing("starting AWS, the chain and IPFS, building the functions")
	if err := s.startParts(ctx); err != nil {
		return err
	}
	if err := s.startGuardian(ctx); err != nil {
		return err
	}
	s.options.Progress.Doing("deploying the CDK stack")
	if err := s.createSecrets(ctx); err != nil {
		return err
	}
	if err := s.deploy(ctx, Deployment{}); err != nil {
		return err
	}
	s.options.Progress.Doing("opening the API")
	if err := s.open(ctx); err != nil {
		return err
	}
	s.options.Progress.Doing("")
	if err := s.openToContainers(ctx); err != nil {
		return err
	}
	if err := s.writeSAM(ctx); err != nil {
		return err
	}
	return s.writeRecord()
}

// startParts starts the parts of the stack concurrently.
func (s *Stack) startParts(ctx context.Context) error {
	group, all := errgroup.WithContext(ctx)
	group.Go(func() error { return s.startAWS(all) })
	group.Go(func() error {
		if err := s.startChain(all); err != nil {
			return err
		}
		return s.startMarket(all)
	})
	group.Go(func() error { return s.startIPFS(all) })
	group.Go(func() error { return s.build(all) })
	return group.Wait()
}

func (s *Stack) startAWS(ctx context.Context) (err error) {
	began := time.Now()
	s.AWS, err = ministack.Start(ctx, s.options.Project, ministack.Options{
		Log: s.log("ministack"),
		// Enforce the functions' roles.
		Env: map[string]string{"AUTH": "true"},
	})
	if err != nil {
		return err
	}
	s.watch("MiniStack", s.AWS.Process)
	if err := s.createDeploymentBucket(ctx); err != nil {
		return err
	}
	s.options.Progress.Done("AWS (MiniStack)", s.AWS.Endpoint+took(began))
	return nil
}

func (s *Stack) startIPFS(ctx context.Context) (err error) {
	o, service := s.options.IPFS, stack.PinsWithSecret(s.options.Secrets)
	switch {
	case service != "":
		s.gatewayURL = o.GatewayURL
		s.options.Progress.Done("IPFS ("+service+")", "gateway "+host(s.gatewayURL))
	case o.APIURL != "":
		s.gatewayURL = o.GatewayURL
		s.options.Progress.Done("IPFS (Kubo)", host(o.APIURL)+", gateway "+host(s.gatewayURL))
	default:
		if s.ipfs, err = ipfsnode.Start(ctx); err != nil {
			return err
		}
		s.gatewayURL = s.ipfs.GatewayURL
		s.options.Progress.Done("IPFS (embedded)", "gateway "+s.gatewayURL)
	}
	return nil
}

// open makes the deployed API reachable.
func (s *Stack) open(ctx context.Context) error {
	if err := s.repairCORS(ctx); err != nil {
		return err
	}
	if err := s.fundNonceAuthority(ctx); err != nil {
		return err
	}
	if err := s.startLogs(ctx); err != nil {
		return err
	}
	s.proxy.Serve(s.AWS.Endpoint, s.Outputs.apiID())
	return s.awaitAPI(ctx)
}

// process is a part that may end unexpectedly.
type process interface {
	Done() <-chan struct{}
	LogTail(lines int) string
}

// watch reports a part that ends before Stop.
func (s *Stack) watch(name string, p process) {
	go func() {
		<-p.Done()
		select {
		case s.died <- fmt.Errorf("%s ended unexpectedly:\n%s", name, p.LogTail(20)):
		default: // another part's end is already reported
		}
	}()
}

// Wait returns nil when ctx ends, or the error of an ended part.
func (s *Stack) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.died:
		return err
	}
}

// Stop ends all parts that Start has started. It is idempotent.
func (s *Stack) Stop() {
	s.stop.Do(func() {
		if s.proxy != nil {
			s.proxy.Close()
		}
		if s.logs != nil {
			s.logs.Stop()
		}
		if s.stopRelays != nil {
			s.stopRelays()
		}
		if s.stopMarket != nil {
			s.stopMarket()
		}
		if s.Guardian != nil {
			s.Guardian.Stop()
		}
		var ending sync.WaitGroup
		if s.AWS != nil {
			ending.Go(s.AWS.Stop)
		}
		if s.Chain != nil {
			ending.Go(s.Chain.Stop)
		}
		if s.ipfs != nil {
			ending.Go(s.ipfs.Stop)
		}
		ending.Wait()
	})
}

func (s *Stack) logFolder() string { return filepath.Join(s.options.Folder, "logs") }

func (s *Stack) log(name string) string { return filepath.Join(s.logFolder(), name+".log") }

// took returns the duration of a step, for the end of the step's line.
func took(began time.Time) string {
	return fmt.Sprintf(" (%.1f s)", time.Since(began).Seconds())
}

// host returns the part of an address without passwords and keys.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "(unreadable address)"
	}
	return u.Host
}
