// Package platform is the layer of packages that any service needs, without a notion of tokens:
// errors for callers, logs and metrics, sign-in, rate limits, idempotency, secrets, the HTTP
// client, parallel calls and the frame of background sweeps.
//
// The layer imports no other layer.
package platform
