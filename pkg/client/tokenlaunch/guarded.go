package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/provider/guardian"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/handover"
)

// asking has the arguments of commands that call a guardian. The commands call nothing of the
// service.
type asking struct {
	Mint     string `arg:"" help:"Mint of the token."`
	Guardian string `help:"Address of the token's guardian." env:"TOKENLAUNCH_GUARDIAN" required:"" placeholder:"URL"`
}

func (a asking) open() (mint solana.PublicKey, asked *guardian.Client, err error) {
	if mint, err = address("MINT", a.Mint); err != nil {
		return mint, nil, err
	}
	if asked, err = guardian.New(a.Guardian, nil); err != nil {
		return mint, nil, usage("--guardian: %v", err)
	}
	return mint, asked, nil
}

type showGuarded struct{ asking }

// Run shows the newest order that the guardian has seen.
func (s showGuarded) Run(p *program) error {
	mint, asked, err := s.open()
	if err != nil {
		return err
	}
	now, err := asked.Newest(p.ctx, mint)
	if err != nil {
		return err
	}
	return p.showGuarded(now)
}

type orderGuarded struct {
	asking
	To string `arg:"" help:"Address that is to collect the tax from then on."`

	After time.Duration `help:"Wait longer than the guardian's delay, such as 48h." placeholder:"DURATION"`
	Yes   bool          `help:"Do not ask before signing." short:"y"`
}

// Run orders the hand-over at the guardian, by the signature of the creator's wallet.
func (o orderGuarded) Run(p *program) error {
	mint, asked, err := o.open()
	if err != nil {
		return err
	}
	to, err := address("TO", o.To)
	if err != nil {
		return err
	}
	key, err := p.wallet()
	if err == nil {
		err = p.answerable(o.Yes)
	}
	if err != nil {
		return err
	}
	about, err := asked.About(p.ctx)
	if err != nil {
		return err
	}
	before, err := asked.Newest(p.ctx, mint)
	if err != nil {
		return err
	}
	// The guardian's clock may be ahead of this clock.
	const ahead = 5 * time.Minute
	order := handover.Order{Number: before.Number + 1, To: to, EffectiveAt: time.Now().UTC().Add(about.Delay + o.After + ahead).Truncate(time.Second)}
	signature, err := p.signText(key, order.Text(mint), "Once guardian and you have carried it out, it cannot be undone", o.Yes)
	if err != nil {
		return err
	}
	order.Signature = signature
	now, err := asked.Order(p.ctx, mint, order)
	if err != nil {
		return err
	}
	return p.showGuarded(now)
}

type cancelGuarded struct {
	asking
	Yes bool `help:"Do not ask before signing." short:"y"`
}

// Run cancels the newest order at the guardian.
func (c cancelGuarded) Run(p *program) error {
	mint, asked, err := c.open()
	if err != nil {
		return err
	}
	key, err := p.wallet()
	if err == nil {
		err = p.answerable(c.Yes)
	}
	if err != nil {
		return err
	}
	before, err := asked.Newest(p.ctx, mint)
	if err != nil {
		return err
	}
	if before.Number == 0 {
		return errors.New("no hand-over of this token is ordered")
	}
	signature, err := p.signText(key, handover.CancelText(mint, before.Number), "The guardian then signs this order no more", c.Yes)
	if err != nil {
		return err
	}
	now, err := asked.Cancel(p.ctx, mint, before.Number, signature)
	if err != nil {
		return err
	}
	return p.showGuarded(now)
}

type moveGuarded struct {
	asking
	RPC         string `help:"The Solana node to ask and to send to." name:"rpc" env:"TOKENLAUNCH_RPC" required:"" placeholder:"URL"`
	PriorityFee uint64 `help:"Priority fee in lamports, in addition to the fee of the two signatures." placeholder:"LAMPORTS"`
	Yes         bool   `help:"Do not ask before signing." short:"y"`
}

// Run hands the authority over as ordered: the creator signs and pays, the guardian signs, and the
// node gets the transaction.
func (m moveGuarded) Run(p *program) error {
	mint, asked, err := m.open()
	if err != nil {
		return err
	}
	node, err := solanarpc.New(m.RPC)
	if err != nil {
		return usage("--rpc: %v", err)
	}
	if m.PriorityFee > uint64(client.MaxPriorityFee) {
		return usage("--priority-fee is %d: at most %d lamports", m.PriorityFee, client.MaxPriorityFee)
	}
	key, err := p.wallet()
	if err == nil {
		err = p.answerable(m.Yes)
	}
	if err != nil {
		return err
	}
	authority, co, err := p.members(node, mint, key.PublicKey())
	if err != nil {
		return err
	}
	noted, err := asked.Newest(p.ctx, mint)
	if err != nil {
		return err
	}
	order := handover.Order{Number: noted.Number, To: noted.NewAuthority, EffectiveAt: noted.EffectiveAt, Signature: noted.Signature}
	if noted.Number == 0 || !noted.CancelledAt.IsZero() {
		return errors.New("no hand-over of this token is ordered: see tokenlaunch guarded order")
	}
	// The guardian is not trusted with the address: the order has this wallet's own signature.
	if err := order.Verify(key.PublicKey(), mint); err != nil {
		return fmt.Errorf("the guardian's order is not yours: %w", err)
	}
	p.errs.printf("Guardian %s and your wallet hand the authority over the tax of %s over to %s. This cannot be undone.\n", co, mint, order.To)
	if !m.Yes {
		if err := p.ask("Sign it?", "not signed, and nothing was handed over"); err != nil {
			return err
		}
	}
	recent, err := node.RecentBlockhash(p.ctx)
	if err != nil {
		return fmt.Errorf("read a blockhash: %w", err)
	}
	message, err := p.withPriority(node, m.PriorityFee, key.PublicKey(), recent.Hash, order.Instructions(mint, authority, key.PublicKey(), co))
	if err != nil {
		return fmt.Errorf("compose the hand-over: %w", err)
	}
	tx := wire.NewTransaction(message)
	own, err := key.SignTransaction(p.ctx, message.Bytes())
	if err == nil {
		err = tx.SetSignature(key.PublicKey(), own)
	}
	if err != nil {
		return fmt.Errorf("sign the hand-over: %w", err)
	}
	theirs, err := asked.Sign(p.ctx, mint, tx.Bytes())
	if err != nil {
		return err
	}
	if err := tx.SetSignature(co, theirs); err != nil {
		return fmt.Errorf("the guardian's signature: %w", err)
	}
	signature, err := client.Send(p.ctx, node, tx.Base64(), recent.LastValid)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(map[string]any{"signature": signature, "newAuthority": order.To})
	}
	p.table([][2]string{{"new authority", order.To.String()}, {"signature", signature.String()}})
	return nil
}

// withPriority returns the message with a priority fee of at most the lamports. The limit of compute units
// is the simulation's, with a margin.
func (p *program) withPriority(node *solanarpc.Client, lamports uint64, payer solana.PublicKey, recent solana.Hash, list []solana.Instruction) (wire.Message, error) {
	message, err := wire.Compile(payer, recent, list)
	if err != nil || lamports == 0 {
		return message, err
	}
	simulated, err := node.Simulate(p.ctx, wire.NewTransaction(message).Bytes())
	if err != nil {
		return message, err
	}
	if !simulated.OK {
		return message, fmt.Errorf("it would fail: %s", simulated.Detail)
	}
	const margin, microLamports = 1_000, 1_000_000 // the instructions of the compute budget take units, too
	units := min(simulated.ComputeUnits*11/10+margin, computebudget.MaxUnitLimit)
	return wire.Compile(payer, recent, append([]solana.Instruction{
		computebudget.SetUnitLimit(uint32(units)), // #nosec G115 -- at most MaxUnitLimit
		computebudget.SetUnitPrice(lamports * microLamports / units),
	}, list...))
}

// members returns the account that has the authority over a token's tax, and the guardian. It returns
// an error unless the account is of a distribution wallet, the guardian and the creator.
func (p *program) members(node *solanarpc.Client, mint, creator solana.PublicKey) (authority, co solana.PublicKey, err error) {
	stored, found, err := node.Account(p.ctx, mint)
	if err != nil {
		return authority, co, fmt.Errorf("read mint %s: %w", mint, err)
	}
	if !found {
		return authority, co, fmt.Errorf("there is no mint %s", mint)
	}
	state, err := token2022.DecodeMint(stored.Owner, stored.Data)
	if err != nil || state.TransferFee == nil {
		return authority, co, fmt.Errorf("%s is not a mint with a transfer tax", mint)
	}
	authority = state.TransferFee.WithdrawWithheldAuthority
	made, err := creation.MultisigAddress(creator, mint)
	if err != nil || made != authority {
		return authority, co, fmt.Errorf("the authority over the tax of %s is %s, and not the account of its members that your wallet's launch makes: %s has no guardian, was handed over, or is not yours", mint, authority, mint)
	}
	stored, _, err = node.Account(p.ctx, authority)
	if err != nil {
		return authority, co, fmt.Errorf("read the authority %s: %w", authority, err)
	}
	multisig, err := token2022.DecodeMultisig(stored.Owner, stored.Data)
	if err != nil || len(multisig.Members) != 3 {
		return authority, co, fmt.Errorf("%s is not an account of three members", authority)
	}
	return authority, multisig.Members[1], nil
}

// signText shows a text, asks, and signs.
func (p *program) signText(key client.Key, text, note string, yes bool) (solana.Signature, error) {
	p.errs.printf("Your wallet signs this text. %s:\n\n%s\n\n", note, text)
	if !yes {
		if err := p.ask("Sign it?", "not signed, and nothing has changed"); err != nil {
			return solana.Signature{}, err
		}
	}
	return key.SignMessage(p.ctx, []byte(text))
}

func (p *program) showGuarded(o guardian.Order) error {
	if p.json {
		return p.write(o)
	}
	if o.Number == 0 {
		p.table([][2]string{{"hand-over", "none"}})
		return nil
	}
	status := "ordered"
	if !o.CancelledAt.IsZero() {
		status = "cancelled"
	}
	rows := [][2]string{{"hand-over", status}, {"number", fmt.Sprint(o.Number)}}
	if !o.NewAuthority.IsZero() {
		rows = append(rows, [2]string{"to", o.NewAuthority.String()})
	}
	for _, row := range []struct {
		name string
		at   time.Time
	}{{"seen at", o.SeenAt}, {"not before", o.EffectiveAt}, {"not after", o.ExpiresAt}, {"cancelled at", o.CancelledAt}, {"signed at", o.SignedAt}} {
		if !row.at.IsZero() {
			rows = append(rows, [2]string{row.name, row.at.Format(time.RFC3339)})
		}
	}
	p.table(rows)
	return nil
}
