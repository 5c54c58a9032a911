package webhook

// Answers is answers.
var Answers = answers
