package terms

import "cmp"

// Effect is the effect of a change on what holders get.
type Effect int

// The effects. A change without a known direction, such as another reward, lowers.
const (
	Lowers Effect = iota - 1
	Neutral
	Raises
)

// Effect returns the effect of a change of the field on what holders get: Neutral for an unchanged
// field.
func (f Field) Effect(before, after Settings) Effect {
	switch {
	case f.Text(before) == f.Text(after):
		return Neutral
	case f.holders == nil:
		return Lowers
	}
	return f.holders(before, after)
}

// Lowered lists the settings whose change lowers what holders get. A change of several settings
// lowers if one of the settings lowers, regardless of the others, because the sum of opposite effects
// depends on the market.
func Lowered(before, after Settings) (list []Field) {
	for _, f := range fields {
		if f.Effect(before, after) == Lowers {
			list = append(list, f)
		}
	}
	return list
}

// worth returns the field with a number that is higher for settings that are better for holders.
func (f Field) worth(of func(Settings) int64) Field {
	f.holders = func(before, after Settings) Effect { return effect(cmp.Compare(of(after), of(before))) }
	return f
}

// neutral returns the field without an effect on holders.
func (f Field) neutral() Field {
	f.holders = unaffected
	return f
}

func unaffected(Settings, Settings) Effect { return Neutral }

// effect converts a difference, of which a positive one is better for holders.
func effect(difference int) Effect {
	switch {
	case difference < 0:
		return Lowers
	case difference > 0:
		return Raises
	}
	return Neutral
}
