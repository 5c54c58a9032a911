// Placeholder until its wiring is written.
package main

func main() {}
