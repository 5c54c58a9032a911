package deployed

import (
	"maps"
	"net"
	"net/url"
	"strings"
)

// ContainerHost is the name of this machine in a container: Docker Desktop defines the name, and on
// Linux --add-host host.docker.internal:host-gateway defines the name.
const ContainerHost = "host.docker.internal"

// toCallers are the variables with addresses that are sent to callers, or compared with callers'
// data. The function does not connect to these addresses.
var toCallers = map[string]bool{"PUBLIC_URL": true, "JWT_ISSUER": true, "IPFS_GATEWAY_URL": true}

// ContainerVariables returns the function's variables in a container, for SAM's --env-vars. In a
// container, this machine's loopback has another name. The secret has the node's address on
// loopback, so a variable with the container's address replaces the secret. A queue's address only
// identifies the queue, which is called at the endpoint.
func (f Function) ContainerVariables(endpoint, rpc string) map[string]string {
	env := maps.Clone(f.Variables)
	if env["RPC_SECRET"] != "" {
		env["RPC_SECRET"], env["RPC_URL"] = "", rpc
	}
	env["AWS_ENDPOINT_URL"] = endpoint
	for name, value := range env {
		if toCallers[name] || strings.HasSuffix(name, "_QUEUE_URL") {
			continue
		}
		var words []string
		for _, word := range strings.Fields(value) {
			words = append(words, fromContainer(word))
		}
		env[name] = strings.Join(words, " ")
	}
	return env
}

// fromContainer returns an address of this machine as seen from a container. Other values are
// returned unchanged.
func fromContainer(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return address
	}
	u.Host = net.JoinHostPort(ContainerHost, u.Port())
	return u.String()
}
