package main

import (
	"fmt"
	"maps"
	"slices"
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
	"getCreatorPage": {},
	"getAsset":       {},
	"getTokenPage":   {read: 1, write: 1},
	"getTokenCard":   {read: 1, write: 1},

	"createChallenge": {write: 2},
	"verifyChallenge": {read: 1, write: 2},

	"generateDistributionWallet": {write: 2},
	"uploadImage":                {write: 2},
	"createUnsignedToken":        {read: 2, write: 6},
	"submitToken":                {read: 6, write: 35},
	"listTokens":                 {read: 12, write: 1},
	"listMyTokens":               {read: 12, write: 1},
	"getToken":                   {read: 1, write: 1},

	"getDistributionSettings":    {read: 1, write: 1},
	"changeDistributionSettings": {read: 2, write: 7},
	"testTelegram":               {read: 1, write: 1},
	"listRuns":                   {read: 2, write: 1},
	"getRun":                     {read: 3, write: 1},
	"previewRun":                 {read: 2, write: 1},
	"getHolder":                  {read: 2, write: 1},
	"getBurns":                   {read: 3, write: 1},

	"createUnsignedPool":   {write: 5},
	"createUnsignedCurve":  {read: 1, write: 5},
	"createUnsignedBuy":    {read: 1, write: 2},
	"createUnsignedSell":   {read: 1, write: 2},
	"createUnsignedCancel": {read: 1, write: 4},
	"listCurves":           {read: 12, write: 1},
	"getCurve":             {read: 1, write: 1},
	"getPrice":             {read: 1, write: 1},

	"listFeatured":            {read: 12, write: 1},
	"createUnsignedPromotion": {read: 1, write: 4},
}

// goals are what was set for some requests, reads and writes together. Where a budget is
// above its goal, docs/performance.md says what is in the way.
var goals = map[string]float64{
	countingLate: 2, "createChallenge": 3, "createUnsignedToken": 8, "getToken": 2,
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
