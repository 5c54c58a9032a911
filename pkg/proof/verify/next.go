package verify

import (
	"strings"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/terms"
)

// lowered returns the names of the settings that lower what holders get, in the order of the settings'
// text.
func lowered(before, after terms.Settings) string {
	list := terms.Lowered(before, after)
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

// checkNext checks the settings in force of a run by earlier settings.
func checkNext(m format.Manifest, r *rules) {
	if m.Next == nil {
		return
	}
	next := m.Next.Settings
	r.hold(len(next.Terms().ValidateProven()) == 0, "version %d of the settings was in force, and is not valid", next.Version)
	r.hold(m.Settings.ChangeDelay != "" && next.Version > m.Settings.Version && lowered(m.Settings.Terms(), next.Terms()) != "",
		"version %d of the settings was in force, and is no reason for a run by version %d", next.Version, m.Settings.Version)
	r.hold(m.Next.Since <= uint64(m.Slot.Unix()), "the run is by earlier settings since %d, which is later than the run", m.Next.Since) //nolint:gosec // after 1970
}

// delayed holds a run to the settings that were in force before: the tax that was withheld before a
// change that lowers what holders get is divided by the settings before the change.
func (r *rules) delayed(m format.Manifest, before terms.Paid) {
	in := m.Settings
	if m.Next != nil {
		in = m.Next.Settings
	}
	now := terms.Version{Settings: in.Terms(), Number: in.Version}
	want := before.Due(now, m.Slot, m.Kind == format.Distribution)
	if want.Next == nil {
		r.hold(m.Next == nil, "the run is by version %d of the settings, and version %d was in force", m.Settings.Version, in.Version)
		return
	}
	due := terms.OrderHash(m.Mint.PublicKey(), want.Version.Number, want.Version.Settings)
	r.hold([32]byte(m.OrderHash()) == due, "version %d of the settings lowers %s: the tax withheld before is divided by version %d, and the run is by version %d",
		in.Version, lowered(want.Version.Settings, now.Settings), want.Version.Number, m.Settings.Version)
	since := uint64(0)
	if !want.Since.IsZero() {
		since = uint64(want.Since.Unix()) //nolint:gosec // after 1970
	}
	if m.Next != nil {
		r.hold(m.Next.Since == since, "the run is by earlier settings since %d, and names %d", since, m.Next.Since)
	}
}
