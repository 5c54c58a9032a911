package deployed

import (
	"maps"
	"net"
	"net/url"
	"strings"
)

// ContainerHost is the name by which a container reaches this machine: Docker Desktop
// has it, and on Linux --add-host host.docker.internal:host-gateway makes it.
const ContainerHost = "host.docker.internal"

// toCallers are the variables whose addresses are given to callers, or compared with
// what they send. The function connects to none of them.
var toCallers = map[string]bool{"PUBLIC_URL": true, "JWT_ISSUER": true, "IPFS_GATEWAY_URL": true}

// ContainerVariables are the function's variables in a container, from which this
// machine's loopback has another name: those for SAM's --env-vars. The address of the
// node is in a secret, which knows no containers, so it comes as a variable in its
// place. A queue's address only names the queue: it is called at the endpoint.
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

// fromContainer is an address as a container has it; what is no address of this
// machine stays as it is.
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
