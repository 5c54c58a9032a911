package stack

// A new service outside AWS is a row here, beside the code that opens the service.

// Groups of secrets. A function reads whole groups.
const (
	secretsOfNodes   = "nodes"
	secretsOfCheck   = "second node"
	secretsOfHolders = "holders"
	secretsOfPins    = "pins"
	secretsOfNotices = "notices"
	secretsOfVenues  = "venues"
)

// rpcSecret is the context value of the secret without which no stack reaches a node.
const rpcSecret = "rpcSecret" // #nosec G101 -- a name

// botSecret is the context value of the secret without which there is no bot.
const botSecret = "telegramSecret" // #nosec G101 -- a name

// SecretRow is one secret.
type SecretRow struct {
	// Context is the context value that names the secret, Variable the variable of functions
	// with the same name.
	Context, Variable string
	group             string
	// Run is the variable of make run with the secret's value; empty if the local stack has
	// the secret from elsewhere or not at all.
	Run string
}

// SecretRows has each secret once. A new secret is a row here and a field of the settings of the
// functions that read the group.
var SecretRows = []SecretRow{
	{rpcSecret, "RPC_SECRET", secretsOfNodes, ""},           // addresses of Solana nodes, with spaces between
	{"rpcSecret2", "RPC_SECRET_2", secretsOfCheck, ""},      // addresses of a second provider's nodes
	{"heliusSecret", "HELIUS_SECRET", secretsOfHolders, ""}, // an address of Helius, which lists holders by pages
	{"pinataSecret", "PINATA_SECRET", secretsOfPins, "PINATA_JWT"},
	{botSecret, "TELEGRAM_SECRET", secretsOfNotices, "TELEGRAM_BOT_TOKEN"}, // without the bot's token no notice is sent
	{"exchangeSecret", "EXCHANGE_SECRET", secretsOfVenues, ""},             // the key of Jupiter's API
}

// pinningServices are the services that pin files, the preferred one first, each with the context
// value without which it is not used.
var pinningServices = []struct{ name, needs string }{
	{"pinata", "pinataSecret"},
	{"kubo", "ipfsApiUrl"},
}

// venues are the venues that tokens are sold at. needsURL: exchangeUrl is the venue's address.
// forTests: the venue is refused on mainnet.
var venues = []struct {
	name               string
	needsURL, forTests bool
}{
	{name: "jupiter", needsURL: true},
	{name: "pools"},
	{name: "maker", needsURL: true, forTests: true},
}
