package image

import stdimage "image"

// Shown is the stored picture before it is encoded.
func Shown(file []byte) (*stdimage.RGBA, error) { return shown(file) }

// Orientation returns the orientation in the file's metadata, for the fuzz test: processing a
// whole picture for each try would be too slow.
func Orientation(file []byte) int {
	f, ok := formatOf(file)
	if !ok {
		return int(upright)
	}
	return int(f.orientation(file))
}

// Converted reports whether the file has a profile that its colours are converted by, for the fuzz
// test.
func Converted(file []byte) bool {
	f, ok := formatOf(file)
	return ok && coloursOf(f.profile(file)) != nil
}
