package webhook

import "tokenlaunch.example/service/pkg/distribution/event"

// Answers is answers.
var Answers = answers

// Says has the zero value of what a message says, by its type.
var Says = map[string]any{
	"token.launched": launched{}, "run.settled": settled{}, "run.failed": failed{}, "settings.changed": changed{},
	"curve.completed": event.Curve{}, "promotion.started": event.Promotion{},
	"handover.ordered": event.Handover{}, "handover.cancelled": event.Handover{}, "handover.done": event.Handover{}, "winddown.ordered": event.WindDown{}, "winddown.cancelled": event.WindDown{}, "winddown.finished": event.Released{}, "webhook.challenge": challenge{}, "webhook.test": struct{}{},
}
