package ed25519curve

// Jacobi is jacobi of words, the lowest first.
func Jacobi(b [4]uint64) (symbol int, sure bool) { return jacobi(b) }
