package image

// Orientation is what the file's metadata says, for the fuzz test: processing a
// whole picture for each try would be too slow.
func Orientation(file []byte) int {
	f, ok := formatOf(file)
	if !ok {
		return int(upright)
	}
	return int(f.orientation(file))
}
