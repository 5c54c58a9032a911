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

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	hook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	take := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || hook.Verify(body, r.Header) != nil { // also refuses what is older than five minutes
			http.Error(w, "not signed by the service", http.StatusUnauthorized)
			return
		}
		var message struct {
			Type, MintAddress string
			Sequence          int
			Data              struct {
				Challenge string `json:"challenge"`
			}
		}
		if err := json.Unmarshal(body, &message); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if message.Type == "webhook.challenge" {
			_ = json.NewEncoder(w).Encode(message.Data) // {"challenge": "<the same text>"}
			return
		}
		// The same webhook-id may come again: drop what you have seen.
		fmt.Println(r.Header.Get("webhook-id"), message.Type, message.MintAddress, message.Sequence)
	}
	server := &http.Server{Addr: os.Getenv("WEBHOOK_ADDRESS"), Handler: http.HandlerFunc(take), ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
