package authtest_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/testkit/authtest"
)

func TestMemory(t *testing.T) { authtest.Contract(t, &authtest.Memory{}) }
