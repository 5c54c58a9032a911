// Command receiver takes messages about tokens and writes their types. docs/integrate.md shows it.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"tokenlaunch.example/service/pkg/client"
)

func main() {
	take := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		event, err := client.ConstructEvent(body, r.Header, os.Getenv("WEBHOOK_SECRET")) // rejects messages older than five minutes
		if err != nil {
			http.Error(w, "not signed by the service", http.StatusUnauthorized)
			return
		}
		// The same ID may come again: drop what you have seen.
		switch message := event.Message.(type) {
		case client.WebhookChallengeMessage:
			_ = json.NewEncoder(w).Encode(message.Data) // {"challenge": "<the same text>"}
		case client.RunSettledMessage:
			fmt.Println(event.ID, event.Type, event.MintAddress, event.Sequence, message.Data.HoldersPaid)
		default:
			fmt.Println(event.ID, event.Type, event.MintAddress, event.Sequence)
		}
	}
	server := &http.Server{Addr: os.Getenv("WEBHOOK_ADDRESS"), Handler: http.HandlerFunc(take), ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
