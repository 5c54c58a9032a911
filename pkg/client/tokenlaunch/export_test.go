package main

// Run is the command, with its exit code.
var Run = run
