// Package runner runs the whole service on this machine: it builds the
// functions, starts AWS (MiniStack), Solana (Surfpool or Agave) and IPFS on loopback,
// deploys the real CDK stack into them, and puts the API on one port. Every
// start is fresh, and everything ends with this process.
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
	"tokenlaunch.example/service/infra/local/ipfsnode"
	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// TestSlotTime is the SlotTime of tests, which mostly wait for finality. A blockhash, which is good
// for 150 slots, still lasts for the 20 s in which a slow machine signs and sends.
const TestSlotTime = 150 * time.Millisecond

// Options of a run.
type Options struct {
	Project project.Folder
	// Port of the public API on loopback; any free one if zero.
	Port int
	// Folder receives logs, the deployment's files and stack.json.
	Folder string
	// Validator is the consensus of the real validator that is the chain; Surfpool is if it is empty.
	Validator agave.Consensus
	// Offline keeps Surfpool from looking for a network to fork.
	Offline bool
	// RemoteRPCURL is the node to fork when it answers.
	RemoteRPCURL string
	IPFS         IPFS
	// Secrets are values of secrets by the context values that name them; an empty value is no
	// secret.
	Secrets map[string]string
	// SlotTime of the chain, mainnet's if zero. Finality takes 32 of them, except with Alpenglow.
	SlotTime time.Duration
	// AllowedOrigins are those of third-party pages, with commas between, whose domains
	// sign-in messages name; none if empty.
	AllowedOrigins string
	// PayoutVersion is how payouts are encoded: legacy or 1, which it is if empty.
	PayoutVersion string
	// Containers is an address of this machine at which containers reach the stack, such
	// as that of Docker's bridge on Linux; the stack is on loopback alone if empty.
	Containers string
	Progress   *progress.Printer
}

// IPFS says where images and metadata are pinned; the embedded node if empty.
type IPFS struct {
	APIURL     string // RPC of a Kubo node
	Pins       string // the context value pins
	GatewayURL string // of what the two above pin
}

// Stack is the running service.
type Stack struct {
	APIURL  string // where callers reach the API
	AWS     *ministack.Server
	Chain   *localchain.Chain
	Outputs Outputs // of the deployment
	// Treasury is the wallet to which featured placement is paid, made for this run.
	Treasury solana.PublicKey

	options    Options
	name       string         // of the stack that is served
	assembly   string         // folder that cdk made it of
	ipfs       *ipfsnode.Node // nil when another one is used
	gatewayURL string
	token      string // the mint that Record was given
	// Market is whom the distribution wallets exchange tokens with: no one else makes a
	// market on a chain of one machine.
	Market     solana.PublicKey
	marketURL  string
	stopMarket func()
	stopRelays func()
	proxy      *gateway.Proxy
	logs       *cloudlog.Follower

	stop sync.Once
	died chan error
}

// Start starts everything and returns when the API answers. When it fails,
// nothing is left running.
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
	// First of all, for it is what most often fails.
	if s.proxy, err = gateway.Listen(ctx, s.options.Port); err != nil {
		return err
	}
	s.APIURL = s.proxy.URL
	// The record of the last run points at nothing now.
	if err := os.Remove(s.recordFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the last stack.json: %w", err)
	}
	s.options.Progress.Doing("starting AWS, the chain and IPFS, building the functions")
	if err := s.startParts(ctx); err != nil {
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

// startParts starts what the stack needs, side by side.
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
		// The functions may do what their roles allow, and nothing else.
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

// process is a part that may end by itself.
type process interface {
	Done() <-chan struct{}
	LogTail(lines int) string
}

// watch reports a part that ends before Stop.
func (s *Stack) watch(name string, p process) {
	go func() {
		<-p.Done()
		select {
		case s.died <- fmt.Errorf("%s ended by itself:\n%s", name, p.LogTail(20)):
		default: // another part's end is reported already
		}
	}()
}

// Wait returns nil when ctx ends, or why the stack cannot go on.
func (s *Stack) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.died:
		return err
	}
}

// Stop ends everything that Start started. It may be called more than once.
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

// took says how long a step took, for the end of its line.
func took(began time.Time) string {
	return fmt.Sprintf(" (%.1f s)", time.Since(began).Seconds())
}

// host is the part of an address that holds no password or key.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "(unreadable address)"
	}
	return u.Host
}
