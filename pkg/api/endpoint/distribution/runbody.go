package distribution

import (
	"encoding/json"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
)

// runBody is a run in a list. Collected, burned and sold are amounts of the token. Proceeds and the
// paid amounts are in the reward. Amounts are in base units, and zero until known.
type runBody struct {
	ID   string      `json:"id"`
	Kind format.Kind `json:"kind"`
	scheduled
	Status       string               `json:"status"`
	OpenedAt     string               `json:"openedAt"`
	EndedAt      *string              `json:"endedAt"`
	Reason       *reasonBody          `json:"reason"`
	RewardToken  string               `json:"rewardToken"`
	Collected    string               `json:"collected"`
	Burned       string               `json:"burned"`
	Sold         string               `json:"sold"`
	Proceeds     string               `json:"proceeds"`
	CreatorPaid  string               `json:"creatorPaid"`
	HoldersPaid  string               `json:"holdersPaid"`
	PaidHolders  uint32               `json:"paidHolders"`
	Carried      string               `json:"carried"`
	FeesLamports string               `json:"feesLamports"`
	RentLamports string               `json:"rentLamports"`
	Proof        *contract.Content    `json:"proof"`
	Anchor       *contract.AnchorFile `json:"anchor"`
}

// scheduled is the time of a run, a boundary of the interval. Slot is the deprecated name of this
// time, because everywhere else a slot is a number of Solana.
type scheduled struct {
	ScheduledAt string `json:"scheduledAt"`
	Slot        string `json:"slot"`
}

func newScheduled(at time.Time) scheduled {
	text := apigw.Timestamp(at)
	return scheduled{text, text}
}

// reasonBody is the reason for an unusual state: a stable code and a sentence.
type reasonBody struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

func (e Endpoint) newRunBody(r run.Run) runBody {
	out := runBody{
		ID: r.ID, scheduled: newScheduled(r.Slot), Status: string(r.Status()), OpenedAt: apigw.Timestamp(r.OpenedAt),
		RewardToken: r.Reward.Asset.String(), Kind: r.ProofKind(),
	}
	totals := r.Figures()
	out.Proof, out.Anchor, out.PaidHolders = contract.OptionalContent(e.Gateway, totals.Manifest), contract.NewAnchorFile(e.Gateway, totals.Anchor), totals.PaidHolders
	if r.End != nil {
		out.EndedAt = new(apigw.Timestamp(r.End.At))
		if r.End.Code != "" {
			out.Reason = &reasonBody{string(r.End.Code), r.End.Detail}
		}
	}
	for _, field := range []struct {
		text   *string
		amount uint64
	}{
		{&out.Collected, totals.Collected},
		{&out.Burned, totals.Burned},
		{&out.Sold, totals.Sold},
		{&out.Proceeds, totals.Proceeds},
		{&out.CreatorPaid, totals.CreatorPaid},
		{&out.HoldersPaid, totals.HoldersPaid},
		{&out.Carried, totals.Carried},
		{&out.FeesLamports, totals.FeesLamports},
		{&out.RentLamports, totals.RentLamports},
	} {
		*field.text = contract.Amount(field.amount)
	}
	return out
}

// runDetail is a run with all known data.
type runDetail struct {
	runBody

	MintAddress  string             `json:"mintAddress"`
	Deadline     string             `json:"deadline"`
	Settings     contract.Settings  `json:"settings"`
	Snapshot     *snapshotBody      `json:"snapshot"`
	Steps        []stepBody         `json:"steps"`
	Legs         []legBody          `json:"legs"`
	Statements   []format.Statement `json:"statements"`
	Transactions uint64             `json:"transactions"`
	Anchor       *anchorBody        `json:"anchor"`
}

type snapshotBody struct {
	ChainSlot       uint64 `json:"chainSlot"`
	Supply          string `json:"supply"`
	Owners          uint32 `json:"owners"`
	Eligible        uint32 `json:"eligible"`
	EligibleBalance string `json:"eligibleBalance"`
	// Held is nil if the balances themselves count.
	Held   *heldBody `json:"held"`
	SHA256 string    `json:"sha256"`
}

// heldBody is the counted part of the balances, if the lesser of two snapshots' balances counts.
type heldBody struct {
	PreviousRunID *string `json:"previousRunId"`
	Weight        string  `json:"weight"`
}

func newHeld(r run.Run) *heldBody {
	before, held := r.HeldBefore()
	if !held {
		return nil
	}
	body := &heldBody{Weight: contract.Amount(r.Weight())}
	if before != nil {
		body.PreviousRunID = &before.Run
	}
	return body
}

// stepBody is one step of a run. Signature is set if one transaction did the step, and Why if the
// step had no effect.
type stepBody struct {
	Step      string  `json:"step"`
	Done      bool    `json:"done"`
	Amount    string  `json:"amount,omitempty"`
	Proceeds  string  `json:"proceeds,omitempty"`
	Signature string  `json:"signature,omitempty"`
	ChainSlot uint64  `json:"chainSlot,omitempty"`
	At        *string `json:"at,omitempty"`
	Why       string  `json:"why,omitempty"`
}

// legBody is the result for one asset: the reward, or an earlier reward that is still owed.
type legBody struct {
	Asset            string        `json:"asset"`
	Creator          string        `json:"creator"`
	CreatorPaid      *stepBody     `json:"creatorPaid"`
	Creators         []creatorBody `json:"creators"`
	Share            string        `json:"share"`
	Payments         uint32        `json:"payments"`
	Due              string        `json:"due"`
	Paid             string        `json:"paid"`
	PaidHolders      uint32        `json:"paidHolders"`
	Charged          string        `json:"charged"`
	Carried          string        `json:"carried"`
	CarriedToHolders uint32        `json:"carriedToHolders"`
}

// creatorBody is the result for one of the creator's wallets.
type creatorBody struct {
	Wallet  string      `json:"wallet"`
	Percent json.Number `json:"percent"`
	Amount  string      `json:"amount"`
	Paid    *stepBody   `json:"paid"`
}

// newCreators converts the parts of a leg.
func newCreators(parts []run.CreatorPart) []creatorBody {
	list := make([]creatorBody, 0, len(parts))
	for _, part := range parts {
		one := creatorBody{Wallet: part.Wallet.String(), Percent: contract.Percent(part.Bps), Amount: contract.Amount(part.Amount())}
		if part.Paid != nil {
			one.Paid = new(newStep("creator", *part.Paid))
		}
		list = append(list, one)
	}
	return list
}

// anchorBody is the anchor of the proof on the chain, with data from the proof's manifest.
type anchorBody struct {
	MerkleRoot  string            `json:"merkleRoot"`
	Memo        string            `json:"memo"`
	Signature   *string           `json:"signature"`
	Transaction *contract.Content `json:"transaction"`
	Version     int               `json:"version"`
	Number      uint64            `json:"number"`
	Settings    int64             `json:"settingsVersion"`
	Ordered     bool              `json:"orderedByCreator"`
	OnTrust     []string          `json:"onTrust"`
}

func (e Endpoint) newRunDetail(r run.Run, manifest *format.Manifest) runDetail {
	out := runDetail{
		runBody: e.newRunBody(r), MintAddress: r.Mint.String(), Deadline: apigw.Timestamp(r.Deadline),
		Settings: contract.NewSettings(r.Settings), Steps: steps(r), Legs: legs(r),
		Statements: []format.Statement{},
	}
	if s := r.Snapshot; s != nil && r.Kind() == run.Distribution {
		out.Snapshot = &snapshotBody{
			ChainSlot: s.ChainSlot, Supply: contract.Amount(s.Supply), Owners: s.Owners, Eligible: s.Eligible,
			EligibleBalance: contract.Amount(s.EligibleBalance), Held: newHeld(r), SHA256: s.SHA256,
		}
	}
	if c := r.Closing; c != nil {
		out.Anchor = &anchorBody{MerkleRoot: c.Root, Memo: c.Memo, Transaction: contract.OptionalContent(e.Gateway, c.AnchorTx)}
		if r.Anchor != nil && !r.Anchor.Signature.IsZero() {
			out.Anchor.Signature = new(r.Anchor.Signature.String())
		}
	}
	if manifest != nil {
		out.Statements, out.Transactions = manifest.Statements, manifest.Transactions.Lines
		a := out.Anchor
		a.Version, a.Number, a.Settings, a.OnTrust = format.Version, manifest.Number, manifest.Settings.Version, verify.OnTrust(*manifest)
		a.Ordered = manifest.Settings.Order != format.Signature{}
	}
	return out
}

// earlierSteps returns the steps before the payments. A claim has none of these steps.
func earlierSteps(r run.Run) []stepBody {
	list := []stepBody{}
	if r.Kind() != run.Distribution {
		return list
	}
	if c := r.Collecting; c != nil {
		list = append(list, stepBody{Step: "collect", Done: c.Done, Amount: contract.Amount(c.Collected), ChainSlot: c.ChainSlot})
	}
	if s := r.Snapshot; s != nil {
		list = append(list, stepBody{Step: "snapshot", Done: true, ChainSlot: s.ChainSlot})
	}
	if r.Burn != nil {
		list = append(list, newStep("burn", *r.Burn))
	}
	if f := r.Fuel; f != nil && (f.Sold > 0 || !f.Done) {
		list = append(list, newSale("fuel", *f))
	}
	if x := r.Exchange; x != nil {
		list = append(list, newSale("exchange", *x))
	}
	return list
}

// steps returns the known steps of the run, in order.
func steps(r run.Run) []stepBody {
	list := earlierSteps(r)
	if p := r.Payment; p != nil {
		done := true
		for _, leg := range p.Legs {
			done = done && leg.Done && leg.CreatorPaid != nil
		}
		list = append(list, stepBody{Step: "pay", Done: done})
	}
	if c := r.Closing; c != nil {
		anchored := stepBody{Step: "anchor"}
		if r.Anchor != nil {
			anchored = newStep("anchor", *r.Anchor)
			anchored.Amount = ""
		}
		list = append(list, anchored)
	}
	return list
}

func newStep(name string, m run.Movement) stepBody {
	out := stepBody{Step: name, Done: true, Amount: contract.Amount(m.Amount), ChainSlot: m.ChainSlot, At: apigw.TimeOrNull(m.At), Why: m.Why}
	if !m.Signature.IsZero() {
		out.Signature = m.Signature.String()
	}
	return out
}

func newSale(name string, x run.Exchange) stepBody {
	out := newStep(name, x.Movement)
	out.Done, out.Amount, out.Proceeds = x.Done, contract.Amount(x.Sold), contract.Amount(x.Proceeds)
	if x.Deferred != "" {
		out.Why = x.Deferred
	}
	return out
}

func legs(r run.Run) []legBody {
	list := []legBody{}
	if r.Payment == nil {
		return list
	}
	for i, leg := range r.Payment.Legs {
		out := legBody{
			Asset: leg.Currency.Asset.String(), Creator: contract.Amount(leg.Creator), Share: contract.Amount(leg.Share),
			Payments: leg.Payments, Due: contract.Amount(leg.Due), Paid: "0", Charged: "0", Carried: "0",
		}
		if leg.CreatorPaid != nil {
			out.CreatorPaid = new(newStep("creator", *leg.CreatorPaid))
		}
		out.Creators = newCreators(r.CreatorParts(i))
		if r.Closing != nil && i < len(r.Closing.Legs) {
			c := r.Closing.Legs[i]
			out.Paid, out.PaidHolders, out.Charged = contract.Amount(c.Paid), c.PaidHolders, contract.Amount(c.Charged)
			out.Carried, out.CarriedToHolders = contract.Amount(c.Carried), c.CarriedTo
		}
		list = append(list, out)
	}
	return list
}
