// Package client calls the API of the token launch service: it launches tokens, trades on bonding
// curves, reads distributions and receives webhooks. New returns a Client of an address, and
// WithSigner sets the Client's wallet:
//
//	wallet, _, err := client.LoadKey("creator.pem")
//	…
//	c, err := client.New("https://api.example.com", client.WithSigner(wallet))
//	…
//	token, err := c.Launch(ctx, client.Order{Token: …, Picture: png}, client.LaunchHooks{})
//
// Each operation of the OpenAPI document has one method, named by the operationId, and each schema
// has a type. Tests compare the methods and the types with the document. Launch does a whole
// launch, from a picture to a confirmed token, and the methods All… read lists page by page.
//
// Errors: an error response is a *Problem, and errors.Is compares the Code.
//
// Retries: the Client retries reads, and writes with an Idempotency-Key, if the network or the
// service fails. A write with a key is done only once, however often it is sent.
// GenerateDistributionWallet and ValidateToken are retried without a key, so a retry of
// GenerateDistributionWallet returns another wallet. The Client waits as long as the service asks.
// If the service asks for more than WithMaxWait allows, the call returns the *Problem without
// another attempt.
//
// Sessions: the Client signs in with the Signer if an operation needs an access token, and renews
// the access token before the end.
//
// Money: amounts are integers, never floating point. Amount counts base units of a token, Lamports
// counts lamports, and Percent counts hundredths of a percent. The constructors name the unit.
//
// Signing: the Client checks everything before the Signer signs. A sign-in message must name this
// wallet and this address, and is never the bytes of a transaction. Every transaction is composed a
// second time from the request, and must be equal to the byte: see CheckLaunch and CheckPool. No
// method signs any other transaction.
//
// Sending: the service sends launches. For every other transaction, a Sign method returns the
// signed transaction, and Send sends the transaction through a Node, such as NodeAt returns, and
// waits until the chain has decided.
//
// A Client is safe for concurrent use.
//
// In the repository, this directory is also the room of all clients: the command tokenlaunch, the
// agent's tools, the canary, and in typescript the package for programs in TypeScript. The room
// imports platform, solana, token and proof. The command also imports provider.
package client
