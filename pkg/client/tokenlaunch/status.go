package main

type showStatus struct {
	TransactionID string `arg:"" name:"transaction" help:"Id of the launch's transaction, which also names the file that a launch is kept in."`
}

// Run shows the status of a launch.
func (s showStatus) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	t, err := c.GetTransaction(p.ctx, s.TransactionID)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(t)
	}
	signature, reason := "", ""
	if t.Signature != nil {
		signature = t.Signature.String()
	}
	if t.Reason != nil {
		reason = *t.Reason
	}
	p.table([][2]string{
		{"status", string(t.Status)},
		{"because", reason},
		{"mint", t.MintAddress.String()},
		{"signature", signature},
		{"can be submitted until", t.ExpiresAt.String()},
	})
	return nil
}
