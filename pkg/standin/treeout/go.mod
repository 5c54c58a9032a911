module github.com/gagliardetto/treeout

go 1.26.0
