// Package platform is the room for what any service would have and that knows of no token:
// errors for callers, logs and metrics, sign-in, rate limits, idempotency, secrets, the
// HTTP client, calls in parallel and the frame of background sweeps.
//
// It imports no other room.
package platform
