module github.com/mostynb/zstdpool-freelist

go 1.26.0
