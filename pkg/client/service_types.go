package client

// Health says that the service is up.
type Health struct {
	Status string `json:"status"`
	// Which deployment answers.
	Stage   string `json:"stage"`
	Network string `json:"network"`
	// Version of the service's release, which is that of the command and the packages, too.
	// Where none is stamped, that of the API's document.
	Version string `json:"version"`
	Time    Time   `json:"time"`
}

// Status says how the service is.
type Status struct {
	Status State `json:"status"`
	// What is not as it should be, in sentences. Empty when all is well.
	Reasons []string `json:"reasons"`
	// When the service looked at itself last.
	At *Time `json:"at"`
	// How old that is.
	AgeSeconds *int        `json:"ageSeconds"`
	Parts      StatusParts `json:"parts"`
}

// StatusParts are the parts of the service.
type StatusParts struct {
	API           APIStatus          `json:"api"`
	Chain         ChainStatus        `json:"chain"`
	Launches      LaunchStatus       `json:"launches"`
	Distributions DistributionStatus `json:"distributions"`
	Notices       BacklogStatus      `json:"notices"`
	Pins          BacklogStatus      `json:"pins"`
}

// APIStatus is how the API is.
type APIStatus struct {
	Status State `json:"status"`
}

// ChainStatus is how the Solana network is.
type ChainStatus struct {
	Status State `json:"status"`
	// Slot of the newest final block.
	FinalizedSlot *uint64 `json:"finalizedSlot"`
	// Age of that block.
	AgeSeconds *int `json:"ageSeconds"`
}

// LaunchStatus is how launches go on.
type LaunchStatus struct {
	Status State `json:"status"`
	// How many launches can begin at once.
	NoncesFree *int `json:"noncesFree"`
	// How late the look at the launch or transaction is that waits longest.
	OldestWaitingSeconds *int `json:"oldestWaitingSeconds"`
}

// DistributionStatus is how distributions go on.
type DistributionStatus struct {
	Status State `json:"status"`
	// Distributions at work.
	Active *int `json:"active"`
	// How many of them are at which step.
	Doing map[string]int `json:"doing"`
	// Those of which nothing was heard for some minutes.
	Overdue *int `json:"overdue"`
	// The oldest slot with a distribution at work.
	OldestSlot *Time `json:"oldestSlot"`
	// The newest slot that was seen at work.
	LastSlot *Time `json:"lastSlot"`
	// Tokens whose distributions are stopped until an operator has looked into them.
	FrozenTokens *int `json:"frozenTokens"`
	// Tokens with payments of which it is not known whether they arrived. They are set aside.
	UndecidedTokens *int `json:"undecidedTokens"`
	// What of those is SOL.
	UndecidedLamports *int `json:"undecidedLamports"`
	// Whether all distributions were counted.
	Complete bool `json:"complete"`
}

// BacklogStatus says how many things wait.
type BacklogStatus struct {
	Status State `json:"status"`
	// How many wait.
	Waiting *int `json:"waiting"`
}
