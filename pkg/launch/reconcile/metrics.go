package reconcile

import "tokenlaunch.example/service/pkg/platform/metric"

// LaunchesFinal counts final launches.
var LaunchesFinal = metric.New("Launches", metric.Count, "launches that are final on the chain")
