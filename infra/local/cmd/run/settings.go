package main

import (
	"fmt"
	"net"
	"strconv"

	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// settings are the settings of a run, all from the environment.
type settings struct {
	port   int  // PORT of the API, default 8080
	once   bool // ONCE: end after the launch, with its status
	launch bool // LAUNCH: perform the launch, default yes
	// guardian is GUARDIAN: run a guardian, which launches may name, default no.
	guardian bool
	// distribute is DISTRIBUTE: distribute the token's first tax, default yes.
	distribute bool
	// chain is CHAIN: "offline", "agave" or "agave-alpenglow" for a real validator, or the RPC
	// address of a node to fork; default mainnet's.
	chain string

	ipfs runner.IPFS // IPFS_API_URL of a Kubo node, PINS, and IPFS_GATEWAY_URL
	// secrets are PINATA_JWT, TELEGRAM_BOT_TOKEN and the other variables of stack.SecretRows, by
	// context value.
	secrets map[string]string

	origins string // ALLOWED_ORIGINS of pages whose domains sign-in messages name

	// containers is CONTAINERS: the address at which containers reach the stack.
	containers string
}

// defaultGateway serves files that Kubo and Pinata have pinned.
const defaultGateway = "https://ipfs.io"

func readSettings(variable func(name string) string) (settings, error) {
	s := settings{
		port:   8080,
		launch: true, distribute: true,
		chain:   variable("CHAIN"),
		secrets: map[string]string{},

		origins:    variable("ALLOWED_ORIGINS"),
		containers: variable("CONTAINERS"),
		ipfs: runner.IPFS{
			APIURL:     variable("IPFS_API_URL"),
			Pins:       variable("PINS"),
			GatewayURL: variable("IPFS_GATEWAY_URL"),
		},
	}
	for _, row := range stack.SecretRows {
		if row.Run != "" {
			s.secrets[row.Context] = variable(row.Run)
		}
	}
	if s.ipfs.GatewayURL == "" {
		s.ipfs.GatewayURL = defaultGateway
	}
	if text := variable("PORT"); text != "" {
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil || port == 0 {
			return settings{}, fmt.Errorf("PORT is %q: it must be a number from 1 to 65535", text)
		}
		s.port = int(port)
	}
	if s.containers != "" && net.ParseIP(s.containers) == nil {
		return settings{}, fmt.Errorf("CONTAINERS is %q: it must be an IP address of this machine, such as that of Docker's bridge", s.containers)
	}
	for name, target := range map[string]*bool{"ONCE": &s.once, "LAUNCH": &s.launch, "DISTRIBUTE": &s.distribute, "GUARDIAN": &s.guardian} {
		switch text := variable(name); text {
		case "":
		case "0", "1":
			*target = text == "1"
		default:
			return settings{}, fmt.Errorf("%s is %q: it must be 0 or 1", name, text)
		}
	}
	return s, nil
}

func (s settings) options(folder project.Folder, out *progress.Printer) runner.Options {
	o := runner.Options{
		Project:      folder,
		Port:         s.port,
		Folder:       folder.Path(".local"),
		Offline:      s.chain == "offline",
		RemoteRPCURL: runner.MainnetRPC,
		IPFS:         s.ipfs,
		Containers:   s.containers,

		AllowedOrigins: s.origins,

		Alarms:   true,
		Guardian: s.guardian,
		Progress: out,
		Secrets:  s.secrets,
	}
	if consensus, ok := agave.Named(s.chain); ok {
		o.Validator = consensus
	} else if s.chain != "" && !o.Offline {
		o.RemoteRPCURL = s.chain
	}
	return o
}
