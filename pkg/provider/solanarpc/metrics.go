package solanarpc

import "tokenlaunch.example/service/pkg/platform/metric"

// The metrics of the client, as a whole and by node.
var (
	RPCCalls   = metric.New("RPCCalls", metric.Count, "calls of a Solana node")
	RPCErrors  = metric.New("RPCErrors", metric.Count, "calls that a node did not answer, or with a failure of its own")
	RPCLatency = metric.New("RPCLatency", metric.Milliseconds, "time that a call took")
)
