package distribution

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token"
)

// Runs reads the ledger; see ledgertable.Runs.
type Runs interface {
	// Head returns a token's head, or an empty head if no head was written.
	Head(ctx context.Context, mint solana.PublicKey) (run.Head, error)
	// RunByID returns the run with an ID, or run.ErrNotFound.
	RunByID(ctx context.Context, mint solana.PublicKey, id string) (run.Run, error)
	// Page returns up to limit runs with slots before a time, newest first, or the newest runs if
	// the time is zero. The next page begins before next, which is zero after the last page.
	Page(ctx context.Context, mint solana.PublicKey, before time.Time, limit int) (page []run.Run, next time.Time, err error)
}

type runsBody struct {
	Runs       []runBody `json:"runs"`
	NextCursor *string   `json:"nextCursor"`
}

// slotForm is the position at the end of a page of runs: Unix seconds.
var slotForm = regexp.MustCompile(`^[1-9][0-9]{0,11}$`)

func (e Endpoint) listRuns(w http.ResponseWriter, r *http.Request) error {
	limit, after, err := contract.ReadPage(r.URL.Query(), slotForm)
	if err != nil {
		return err
	}
	record, err := e.token(r)
	if err != nil {
		return err
	}
	var before time.Time
	if after != "" {
		seconds, err := strconv.ParseInt(after, 10, 64)
		if err != nil {
			return fmt.Errorf("read a cursor: %w", err)
		}
		before = time.Unix(seconds, 0)
	}
	page, next, err := e.Runs.Page(r.Context(), record.Mint, before, limit)
	if err != nil {
		return err
	}
	out := runsBody{Runs: make([]runBody, len(page))}
	for i, one := range page {
		out.Runs[i] = e.newRunBody(one)
	}
	if !next.IsZero() {
		out.NextCursor = contract.Cursor(strconv.FormatInt(next.Unix(), 10))
	}
	return apigw.WriteJSON(w, http.StatusOK, out)
}

func (e Endpoint) getRun(w http.ResponseWriter, r *http.Request) error {
	record, err := e.token(r)
	if err != nil {
		return err
	}
	id, err := uuid.Parse(r.PathValue("runId"))
	if err != nil || len(r.PathValue("runId")) != len(id.String()) {
		return noSuchRun()
	}
	found, err := e.Runs.RunByID(r.Context(), record.Mint, id.String())
	if errors.Is(err, run.ErrNotFound) {
		return noSuchRun()
	}
	if err != nil {
		return err
	}
	var manifest *format.Manifest
	if found.Closing != nil {
		if manifest, err = e.manifest(r.Context(), found.Closing.Manifest); err != nil {
			return err
		}
	}
	return apigw.WriteJSON(w, http.StatusOK, e.newRunDetail(found, manifest))
}

// token returns the token in the path, for every caller.
func (e Endpoint) token(r *http.Request) (token.Record, error) {
	return token.Find(r.Context(), e.Tokens, r.PathValue("tokenId"))
}

func noSuchRun() error {
	return apperr.New(apperr.CodeRunNotFound, "This token has no such distribution.")
}

// manifest returns the manifest of a proof. A proof is public, so a read error is a fault of the
// service.
func (e Endpoint) manifest(ctx context.Context, cid string) (*format.Manifest, error) {
	m, err := format.ReadManifest(ctx, e.Proofs, cid)
	if err != nil {
		return nil, apperr.Upstream("The file store", fmt.Errorf("read the proof %s: %w", cid, err))
	}
	return &m, nil
}
