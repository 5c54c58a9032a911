package stack

// A new external service is a row here, in addition to the code that opens the service.

// Groups of secrets. A function reads whole groups.
const (
	secretsOfNodes   = "nodes"
	secretsOfCheck   = "second node"
	secretsOfHolders = "holders"
	secretsOfPins    = "pins"
	secretsOfNotices = "notices"
	secretsOfVenues  = "venues"

	secretsOfGuardian = "guardian"
)

// rpcSecret is the context value of the secret with the addresses of nodes. A stack needs this
// secret, or rpcUrl.
const rpcSecret = "rpcSecret" // #nosec G101 -- a name

// botSecret is the context value of the secret with the bot's token. Without the secret, the stack
// has no bot.
const botSecret = "telegramSecret" // #nosec G101 -- a name

// guardianSecret is the context value of the secret with the guardian's token.
const guardianSecret = "guardianSecret" // #nosec G101 -- a name

// SecretRow is one secret.
type SecretRow struct {
	// Context is the context value that names the secret. Variable is the corresponding variable of
	// functions.
	Context, Variable string
	group             string
	// Run is the variable of make run with the secret's value. Empty means that the local stack has
	// another source for the secret, or no secret.
	Run string
}

// SecretRows lists the secrets. A new secret is a row here, and a field in the settings of the
// functions that read the group.
var SecretRows = []SecretRow{
	{rpcSecret, "RPC_SECRET", secretsOfNodes, ""},           // addresses of Solana nodes, separated by spaces
	{"rpcSecret2", "RPC_SECRET_2", secretsOfCheck, ""},      // addresses of a second provider's nodes
	{"heliusSecret", "HELIUS_SECRET", secretsOfHolders, ""}, // an address of Helius, which lists holders page by page
	{"pinataSecret", "PINATA_SECRET", secretsOfPins, "PINATA_JWT"},
	{botSecret, "TELEGRAM_SECRET", secretsOfNotices, "TELEGRAM_BOT_TOKEN"}, // the bot's token, required for notices
	{guardianSecret, "GUARDIAN_SECRET", secretsOfGuardian, ""},             // the token that the guardian expects of the service
	{"exchangeSecret", "EXCHANGE_SECRET", secretsOfVenues, ""},             // the key of Jupiter's API
}

// pinningServices are the services that pin files, the preferred service first, with the required
// context value.
var pinningServices = []struct{ name, needs string }{
	{"pinata", "pinataSecret"},
	{"kubo", "ipfsApiUrl"},
}

// venues are the venues for selling tokens. needsURL means that exchangeUrl is the venue's address.
// forTests means that mainnet rejects the venue.
var venues = []struct {
	name               string
	needsURL, forTests bool
}{
	{name: "jupiter", needsURL: true},
	{name: "pools"},
	{name: "maker", needsURL: true, forTests: true},
}
