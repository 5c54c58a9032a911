package fault

import (
	"fmt"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/figures"
)

// Matrix is the list of cases of a test that plays one sequence of calls in all its ways.
type Matrix[Env, Case any] struct {
	// What it is of, for the figures.
	What  string
	Cases []Case
	Name  func(Case) string
	// Kinds are what a case shows; by day each kind is shown once, see Sample.
	Kinds func(Case) []string
	// NewEnv makes what Share cases use one after the other, such as a chain.
	// The more a chain remembers, the longer a transaction takes, and starting one takes time
	// too.
	NewEnv func(*testing.T) Env
	Share  int
	Play   func(*testing.T, Env, Case)
}

// workers is how many cases are played at the same time; the local parts use two processors
// well.
const workers = 3

// Run plays a sample of the cases, or all, each as a test of its name.
func (m Matrix[Env, Case]) Run(t *testing.T) {
	t.Helper()
	cases := Sample(t, m.Cases, m.Name, m.Kinds)
	began := time.Now()
	t.Run("at", func(t *testing.T) {
		for worker := range workers {
			t.Run(fmt.Sprint("worker ", worker), func(t *testing.T) {
				t.Parallel()
				for n := worker; n < len(cases); {
					t.Run(fmt.Sprint("from ", n), func(t *testing.T) {
						env := m.NewEnv(t)
						for end := min(n+workers*m.Share, len(cases)); n < end; n += workers {
							c := cases[n]
							t.Run(m.Name(c), func(t *testing.T) { m.Play(t, env, c) })
						}
					})
				}
			})
		}
	})
	figures.Show(t, "%s: %d of %d cases in %.0f s", m.What, len(cases), len(m.Cases), time.Since(began).Seconds())
}
