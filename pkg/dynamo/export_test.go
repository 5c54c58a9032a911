package dynamo

// Unavailable is what the calls of this package make of a failure.
var Unavailable = unavailable
