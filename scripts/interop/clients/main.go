// The requests of every client (see clients.ts), with net/http.
package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"
)

var (
	base   = os.Getenv("PETSTORE_BASE_URL")
	key    = "Bearer " + os.Getenv("PETSTORE_API_KEY")
	large  = bytes.Repeat([]byte(" "), 2_600_000)
	client = &http.Client{
		Timeout:   30 * time.Second,
		Transport: &http.Transport{ExpectContinueTimeout: 5 * time.Second},
	}
)

const animal = `{"name":"Rex","categoryId":9007199254740993}`

func request(method, path string, body io.Reader, headers ...string) *http.Request {
	made, err := http.NewRequest(method, base+path, body)
	if err != nil {
		panic(err)
	}
	if body != nil {
		made.Header.Set("Content-Type", "application/json")
	}
	for at := 0; at < len(headers); at += 2 {
		made.Header.Set(headers[at], headers[at+1])
	}
	return made
}

func show(what string, made *http.Request, header string) http.Header {
	answer, err := client.Do(made)
	if err != nil {
		fmt.Println(what, err)
		return http.Header{}
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, answer.Body)
	fmt.Println(what, answer.StatusCode, answer.Header.Get(header))
	return answer.Header
}

func main() {
	fmt.Println("version", strings.TrimPrefix(runtime.Version(), "go"))
	random := make([]byte, 16)
	rand.Read(random)
	once := fmt.Sprintf("%x", random)
	create := func() *http.Request {
		return request("POST", "/pets", strings.NewReader(animal), "Authorization", key, "Idempotency-Key", once)
	}
	location := show("create", create(), "").Get("Location")
	show("repeat", create(), "Idempotent-Replayed")
	show("list", request("GET", "/pets?limit=1", nil, "Authorization", key), "")
	show("get", request("GET", strings.Replace(location, "/v1", "", 1), nil, "Authorization", key), "")
	show("refused", request("GET", "/pets?limit=0", nil, "Authorization", key), "")
	for n := 0; n < 12; n++ {
		// A reader of a kind that Go does not know the length of, and so in chunks.
		show("chunked", request("POST", "/pets", io.MultiReader(bytes.NewReader(large))), "")
		show("declared", request("POST", "/pets", bytes.NewReader(large), "Authorization", key), "")
		show("after", request("GET", "/pets", nil, "Authorization", key), "")
	}
	expecting := []string{"Expect", "100-continue"}
	show("expect", request("POST", "/pets", strings.NewReader(animal), append(expecting, "Authorization", key)...), "")
	show("expect-401", request("POST", "/pets", strings.NewReader(animal), expecting...), "")
}
