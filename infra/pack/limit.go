package main

// most is what the zip of a function may have, in bytes: Lambda fetches and unpacks it
// when a function starts cold.
const most = 5_000_000

// larger are the functions that are just below that, or above it, by the processor they are built for.
var larger = map[string]int{
	"distributor": 5_250_000,
}

func limitOf(function string) int {
	if limit, ok := larger[function]; ok {
		return limit
	}
	return most
}
