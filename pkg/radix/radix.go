// Package radix sorts long lists by a number that each element has, and only elements of
// one number by comparing them.
//
// It sorts in place. The time grows as the length does where the numbers differ, and as that
// of slices.SortFunc where they do not.
package radix

import (
	"math/bits"
	"slices"
)

const (
	digit  = 8 // bits
	digits = 1 << digit
	// few elements are sorted by comparing them.
	few = 24
)

// Sort puts a list in the order of the elements' numbers, the least first, and those of one
// number in the order of ties, which is as for slices.SortFunc.
func Sort[T any](list []T, number func(*T) uint64, ties func(a, b T) int) {
	if len(list) <= few {
		insert(list, number, ties)
		return
	}
	least, most := ^uint64(0), uint64(0)
	for i := range list {
		n := number(&list[i])
		least, most = min(least, n), max(most, n)
	}
	if least == most {
		slices.SortFunc(list, ties)
		return
	}
	// The highest bits in which they differ say which of the buckets one belongs to.
	shift := max(bits.Len64(most-least), digit) - digit
	var ends, begins [digits]int
	for i := range list {
		ends[(number(&list[i])-least)>>shift&(digits-1)]++
	}
	at := 0
	for i, count := range ends {
		begins[i], at = at, at+count
		ends[i] = at
	}
	// Each goes to the next place of its bucket, and the one that was there goes on.
	next := begins
	for i := range ends {
		for next[i] < ends[i] {
			moving, bucket := list[next[i]], (number(&list[next[i]])-least)>>shift&(digits-1)
			for bucket != uint64(i) {
				place := next[bucket]
				next[bucket]++
				bucket = (number(&list[place]) - least) >> shift & (digits - 1)
				moving, list[place] = list[place], moving
			}
			list[next[i]] = moving
			next[i]++
		}
	}
	for i, end := range ends {
		if end-begins[i] > 1 {
			Sort(list[begins[i]:end], number, ties)
		}
	}
}

// insert sorts a short list.
func insert[T any](list []T, number func(*T) uint64, ties func(a, b T) int) {
	for i := range list {
		n, place := number(&list[i]), i
		for ; place > 0; place-- {
			before := number(&list[place-1])
			if before < n || before == n && ties(list[place-1], list[i]) <= 0 {
				break
			}
		}
		if place < i {
			moving := list[i]
			copy(list[place+1:i+1], list[place:i])
			list[place] = moving
		}
	}
}
