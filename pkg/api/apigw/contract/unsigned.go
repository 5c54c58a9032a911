package contract

import (
	"encoding/base64"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// UnsignedBody is the part of a response with a transaction that the caller signs and sends. The
// transaction uses a blockhash. Each route embeds UnsignedBody in the route's own response.
type UnsignedBody struct {
	Transaction   string     `json:"transaction"` // base64
	TransactionID string     `json:"transactionId"`
	ExpiresAt     string     `json:"expiresAt"`
	LastValid     uint64     `json:"lastValidBlockHeight"`
	Cost          Cost       `json:"cost"`
	Explanation   []string   `json:"explanation"`
	Simulation    Simulation `json:"simulation"`
}

// Unsigned converts a transaction that the caller signs and sends.
func Unsigned(u transaction.Unsigned) UnsignedBody {
	return UnsignedBody{
		Transaction: base64.StdEncoding.EncodeToString(u.Transaction), TransactionID: u.ID,
		ExpiresAt: apigw.Timestamp(u.ExpiresAt), LastValid: u.LastValid, Cost: NewCost(u.Cost),
		Explanation: u.Explanation, Simulation: NewSimulation(u.Simulation),
	}
}

// Cost is the caller's cost of a transaction, in lamports.
type Cost struct {
	NetworkFee string `json:"networkFeeLamports"`
	Rent       string `json:"rentLamports"`
	Protocol   string `json:"protocolFeeLamports"`
	Deposit    string `json:"depositLamports"`
	Total      string `json:"totalLamports"`
}

// NewCost converts a cost.
func NewCost(c transaction.Cost) Cost {
	return Cost{
		NetworkFee: Amount(c.NetworkFee), Rent: Amount(c.Rent), Protocol: Amount(c.Protocol),
		Deposit: Amount(c.Deposit), Total: Amount(c.Total()),
	}
}

// Simulation is the result of simulating a prepared transaction.
type Simulation struct {
	OK              bool     `json:"ok"`
	Reason          string   `json:"reason,omitempty"`
	Detail          string   `json:"detail,omitempty"`
	MissingLamports string   `json:"missingLamports,omitempty"`
	MissingTokens   string   `json:"missingTokens,omitempty"`
	ComputeUnits    uint64   `json:"computeUnits,omitempty"`
	Logs            []string `json:"logs,omitempty"`
}

// NewSimulation converts a simulation. The missing amount is set only if not zero.
func NewSimulation(s transaction.Simulation) Simulation {
	out := Simulation{OK: s.OK, ComputeUnits: s.ComputeUnits, Logs: s.Logs}
	if s.OK {
		return out
	}
	out.Reason, out.Detail = string(s.Reason), s.Detail
	if s.MissingLamports > 0 {
		out.MissingLamports = Amount(s.MissingLamports)
	}
	if s.MissingTokens > 0 {
		out.MissingTokens = Amount(s.MissingTokens)
	}
	return out
}
