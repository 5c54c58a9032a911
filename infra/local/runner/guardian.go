package runner

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"tokenlaunch.example/service/infra/local/guardian"
)

// startGuardian starts a guardian on this machine, in place of another organisation's.
func (s *Stack) startGuardian(ctx context.Context) error {
	if !s.options.Guardian {
		return nil
	}
	began := time.Now()
	log, err := os.Create(s.log("guardian"))
	if err != nil {
		return fmt.Errorf("open the guardian's log: %w", err)
	}
	// The log stays open for the life of the process.
	if s.Guardian, err = guardian.Start(ctx, s.AWS.Config(), s.Chain.RPCURL, slog.New(slog.NewJSONHandler(log, nil))); err != nil {
		return err
	}
	s.options.Progress.Done("Guardian", s.Guardian.URL+", key "+s.Guardian.Key.String()+took(began))
	return nil
}
