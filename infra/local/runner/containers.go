package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/local/relay"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
)

// roleFor is the validity of the credentials in the file: a day of work.
const roleFor = 12 * time.Hour

// writeSAM writes the files with which `sam local` runs a function in a container against this
// stack: env.json with the variables of each function, for --env-vars, and credentials with a
// profile of each function's role, both by the logical IDs of template.yaml.
func (s *Stack) writeSAM(ctx context.Context) error {
	functions, err := deployed.Functions(ctx, s.AWS.Config(), s.Outputs.Functions())
	if err != nil {
		return err
	}
	variables := map[string]map[string]string{}
	// The default profile may do everything, because `sam local start-api` has one profile for all
	// functions.
	profiles := []string{profile("default", ministack.Credentials)}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		f := functions[name]
		variables[f.LogicalID] = f.ContainerVariables(s.AWS.Endpoint, s.Chain.RPCURL)
		credentials, err := f.Credentials(ctx, s.AWS.Config(), roleFor)
		if err != nil {
			return err
		}
		profiles = append(profiles, profile(f.LogicalID, credentials))
	}
	text, err := json.MarshalIndent(variables, "", "  ")
	if err != nil {
		return fmt.Errorf("write the variables for SAM: %w", err)
	}
	for file, content := range map[string]string{
		"env.json": string(text) + "\n", "credentials": strings.Join(profiles, "\n"),
	} {
		if err := os.WriteFile(filepath.Join(s.options.Folder, file), []byte(content), 0o600); err != nil {
			return fmt.Errorf("write the variables for SAM: %w", err)
		}
	}
	return nil
}

func profile(name string, c aws.Credentials) string {
	text := fmt.Sprintf("[%s]\nregion = %s\naws_access_key_id = %s\naws_secret_access_key = %s\n",
		name, ministack.Region, c.AccessKeyID, c.SecretAccessKey)
	if c.SessionToken != "" {
		text += fmt.Sprintf("aws_session_token = %s\n", c.SessionToken)
	}
	return text
}

// openToContainers forwards connections from containers to the stack. The stack itself listens only
// on loopback, which containers on Linux cannot reach.
func (s *Stack) openToContainers(ctx context.Context) error {
	if s.options.Containers == "" {
		return nil
	}
	addresses := []string{s.AWS.Endpoint, s.Chain.RPCURL, s.marketURL}
	if s.ipfs != nil {
		addresses = append(addresses, s.ipfs.APIURL)
	}
	var stops []func()
	s.stopRelays = func() {
		for _, stop := range stops {
			stop()
		}
	}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil {
			return fmt.Errorf("open the stack to containers: %w", err)
		}
		stop, err := relay.Listen(ctx, net.JoinHostPort(s.options.Containers, u.Port()), u.Host)
		if err != nil {
			return fmt.Errorf("open the stack to containers at CONTAINERS=%s: %w", s.options.Containers, err)
		}
		stops = append(stops, stop)
	}
	s.options.Progress.Done("Open to containers", "at "+s.options.Containers)
	return nil
}
