package idempotencytest_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/testkit/idempotencytest"
)

func TestMemoryKeepsTheContract(t *testing.T) {
	idempotencytest.Contract(t, &idempotencytest.Memory{})
}
