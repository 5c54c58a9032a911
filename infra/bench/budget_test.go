package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"

	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// budget is what one request may ask of DynamoDB, its limiter included: units of reading
// and of writing. What goes beyond it is a decision, and is written here with it.
type budget struct{ read, write float64 }

// budgets by operation. The limiter takes 1 unit of writing of a caller who has made few
// requests, which these have. Lists are of a page of 20.
var budgets = map[string]budget{
	authorizing:  {},
	countingLate: {write: 2}, // two guesses at a window that is almost full
	keyed:        {write: 4},

	"getOpenAPI": {write: 1},
	"getDocs":    {write: 1},
	"getHealth":  {write: 1},
	"getJWKS":    {write: 1},
	"getStatus":  {read: .5, write: 1},

	"getHomePage":    {}, // and other files that are not counted
	"getLaunchPage":  {},
	"getCreatorPage": {}, "getRewardsPage": {},
	"getAsset":      {},
	"getTokenPage":  {read: 1, write: 1},
	"getTokenCard":  {read: 1, write: 1},
	"getTokenBadge": {read: 2, write: 1},

	"createChallenge": {write: 2},
	"verifyChallenge": {read: 1, write: 2},

	"generateDistributionWallet": {write: 2},
	"uploadImage":                {read: .5, write: 4}, // one for the address, one for the wallet; the record is in the index of what is due
	"createUnsignedToken":        {read: 3, write: 6},
	"submitToken":                {read: 6, write: 44}, // the picture's record counts the launch, its creator's list names it, and it can be searched for
	"validateToken":              {read: 4, write: 1},
	"getTransaction":             {read: 1, write: 1},
	"refreshTransaction":         {read: 1, write: 4},
	"listTokens":                 {read: 12, write: 1},
	"listMyTokens":               {read: 12, write: 1},
	"getToken":                   {read: 1, write: 1},
	"getStats":                   {read: 2, write: 1},

	"getDistributionSettings":    {read: 1, write: 1},
	"changeDistributionSettings": {read: 4, write: 13}, // earlier settings are kept with the token
	"testTelegram":               {read: 1, write: 1},
	"listRuns":                   {read: 2, write: 1},
	"getRun":                     {read: 3, write: 1},
	"previewRun":                 {read: 2, write: 1},
	"getHolderLedger":            {read: 3, write: 1},
	"claimRewards":               {read: 3, write: 1}, // an order that is accepted writes two more
	"getHolder":                  {read: 2, write: 1},
	"getBurns":                   {read: 3, write: 1},

	"createUnsignedPool":     {write: 6},
	"createUnsignedCurve":    {read: 2, write: 6},
	"createUnsignedBuy":      {read: 1, write: 2},
	"createUnsignedSell":     {read: 1, write: 2},
	"createUnsignedCancel":   {read: 1, write: 5},
	"createUnsignedFeeClaim": {read: 1, write: 2},
	"createUnsignedLock":     {read: 1, write: 2},
	"listCurves":             {read: 12, write: 1},
	"getCurve":               {read: 1, write: 1},
	"getCurveFees":           {read: 1, write: 1},
	"getPrice":               {read: 1, write: 1},
	"listTrades":             {read: 2, write: 1},
	"listCandles":            {read: 2, write: 1},

	"createWebhook":  {read: 1, write: 18}, // a transaction of five items, one of them in the index
	"listWebhooks":   {read: 1, write: 1},
	"deleteWebhook":  {write: 9},
	"testWebhook":    {read: 1, write: 11},
	"listDeliveries": {read: 2, write: 1},
	"replayDelivery": {read: 2, write: 11},

	"listFeatured":            {read: 12, write: 1},
	"createUnsignedPromotion": {read: 1, write: 4},
}

// overdrawn says which requests took more than their budget, and which have none.
func overdrawn(taken samples) (lines []string) {
	for _, operation := range slices.Sorted(maps.Keys(taken)) {
		may, known := budgets[operation]
		if !known {
			lines = append(lines, operation+" has no budget")
		}
		for _, s := range taken[operation] {
			if known && (s.Units.Read > may.read || s.Units.Write > may.write) {
				lines = append(lines, fmt.Sprintf("%s took %.1f units of reading and %.0f of writing, and may %.1f and %.0f",
					operation, s.Units.Read, s.Units.Write, may.read, may.write))
				break
			}
		}
	}
	for operation := range budgets {
		if len(taken[operation]) == 0 {
			lines = append(lines, operation+" has a budget and was not measured")
		}
	}
	return lines
}

func TestWhatGoesBeyondItsBudgetIsSaid(t *testing.T) {
	taken := samples{}
	for operation := range budgets {
		taken[operation] = []sample{{}}
	}
	if lines := overdrawn(taken); len(lines) > 0 {
		t.Errorf("nothing was taken, and %q", lines)
	}
	delete(taken, "getDocs")
	taken["getHealth"] = []sample{{}, {Units: meter.Units{Write: 2}}, {Units: meter.Units{Read: 0.5}}}
	taken["new"] = []sample{{}}
	want := []string{
		"getHealth took 0.0 units of reading and 2 of writing, and may 0.0 and 1",
		"new has no budget", "getDocs has a budget and was not measured",
	}
	if lines := overdrawn(taken); !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestRoutesKeepToTheirBudget calls every route of the deployed stack's parts and holds
// what it asked of DynamoDB against the table.
func TestRoutesKeepToTheirBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("it deploys the stack")
	}
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	stack, err := runner.Start(t.Context(), runner.Options{Project: folder, Folder: t.TempDir(), Offline: true, Progress: progress.New(io.Discard)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stack.Stop)
	at, err := placeOf(t.Context(), stack)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range access(stack.AWS) {
		t.Setenv(name, value)
	}
	const rounds = 2
	taken, err := measureRoutes(t.Context(), at, rounds)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range overdrawn(taken) {
		t.Error(line)
	}
	if testing.Verbose() {
		t.Log("\n" + routeTable(taken))
	}
}
