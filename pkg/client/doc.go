// Package client calls the API of the token launch service: it launches tokens, trades on
// bonding curves, reads distributions and receives webhooks. New makes a Client of an address,
// and WithSigner gives the Client a wallet:
//
//	wallet, _, err := client.LoadKey("creator.pem")
//	…
//	c, err := client.New("https://api.example.com", client.WithSigner(wallet))
//	…
//	token, err := c.Launch(ctx, client.Order{Token: …, Picture: png}, client.LaunchHooks{})
//
// There is one method for each operation of the OpenAPI document, by its operationId, and the
// types are the document's schemas; the tests hold both to the document. Launch goes the whole
// way from a picture to a confirmed token, and the methods All… read lists page by page.
//
// Errors: an answer that is refused is a *Problem, and errors.Is compares its Code.
//
// Retries: reads, and writes that carry an Idempotency-Key, are repeated when the network or the
// service fails; such a write is done once however often it arrives. GenerateDistributionWallet is
// repeated without a key, and returns another wallet each time. A wait that the service asks
// for is kept to. A wait that is longer than WithMaxWait allows is left to the caller, as the
// *Problem that it is.
//
// Sessions: the Client signs in with the Signer when a token is needed, and renews the token.
//
// Money: amounts are integers, never floating point. Amount counts base units of a token,
// Lamports lamports, and Percent hundredths of a percent; constructors name the unit.
//
// Signing: nothing is signed unseen. A sign-in message must be one for this wallet and this
// address, and is never the bytes of a transaction. Every transaction is composed a second time,
// here, of what was asked for, and must be that to the byte: see CheckLaunch and CheckPool. There
// is no method that signs any other transaction.
//
// Sending: the service sends launches. A Sign method returns every other transaction, and Send
// sends the transaction through a Node, such as NodeAt makes, and waits until the chain has
// decided.
//
// A Client is safe for concurrent use.
//
// In the repository this folder is also the room of all clients: the command tokenlaunch, the
// agent's tools, and in typescript the package for programs in TypeScript. The room imports
// platform, solana, token and proof; the command also provider.
package client
