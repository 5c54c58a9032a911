package fault

import (
	"fmt"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/figures"
)

// Matrix is the list of cases of a test that plays a sequence of calls with all faults.
type Matrix[Env, Case any] struct {
	// What is the name of the matrix in the measurements.
	What  string
	Cases []Case
	Name  func(Case) string
	// Kinds returns the properties that a case tests. Outside the nightly run each kind is tested
	// once; see Sample.
	Kinds func(Case) []string
	// NewEnv creates an environment, such as a chain, that Share cases use in turn. Transactions on
	// a chain with a long history are slow, but a start takes time, too.
	NewEnv func(*testing.T) Env
	Share  int
	Play   func(*testing.T, Env, Case)
}

// workers is the number of cases that are played concurrently. The local services use two
// processors well.
const workers = 3

// Run plays a sample of the cases, or all cases, each as a subtest.
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
