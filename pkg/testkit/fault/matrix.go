package fault

import (
	"fmt"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/figures"
)

// Matrix is the list of cases of a test that plays a story in all its ways.
type Matrix[Ground, Case any] struct {
	// What it is of, for the figures.
	What  string
	Cases []Case
	Name  func(Case) string
	// Kinds are what a case shows; by day each kind is shown once, see Sample.
	Kinds func(Case) []string
	// Ground begins what cases share, such as a chain: so many of them, one after the other.
	// The more a chain remembers, the longer a transaction takes, and starting one takes time
	// too.
	Ground func(*testing.T) Ground
	Share  int
	Play   func(*testing.T, Ground, Case)
}

// lanes is how many cases are played at the same time; the local parts use two processors
// well.
const lanes = 3

// Run plays a sample of the cases, or all, each as a test of its name.
func (m Matrix[Ground, Case]) Run(t *testing.T) {
	t.Helper()
	cases := Sample(t, m.Cases, m.Name, m.Kinds)
	began := time.Now()
	t.Run("at", func(t *testing.T) {
		for lane := range lanes {
			t.Run(fmt.Sprint("lane ", lane), func(t *testing.T) {
				t.Parallel()
				for n := lane; n < len(cases); {
					t.Run(fmt.Sprint("from ", n), func(t *testing.T) {
						ground := m.Ground(t)
						for end := min(n+lanes*m.Share, len(cases)); n < end; n += lanes {
							c := cases[n]
							t.Run(m.Name(c), func(t *testing.T) { m.Play(t, ground, c) })
						}
					})
				}
			})
		}
	})
	figures.Show(t, "%s: %d of %d cases in %.0f s", m.What, len(cases), len(m.Cases), time.Since(began).Seconds())
}
