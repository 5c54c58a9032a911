// Package treeout stands in for a printer of trees, by which solana-go prints transactions
// for people: here they print as nothing. The module itself has no licence.
package treeout

// Branches is a part of a tree.
type Branches interface {
	Child(text string) Branches
	ParentFunc(add func(Branches))
}

// Tree is one that is empty and stays so.
type Tree struct{}

// New gives a tree.
func New(string) *Tree { return &Tree{} }

// Child adds nothing.
func (t *Tree) Child(string) Branches { return t }

// ParentFunc asks nobody what to add.
func (t *Tree) ParentFunc(func(Branches)) {}

// String is empty.
func (t *Tree) String() string { return "" }
