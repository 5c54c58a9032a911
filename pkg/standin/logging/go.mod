module github.com/streamingfast/logging

go 1.26.0
