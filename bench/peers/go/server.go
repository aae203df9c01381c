// The three operations on net/http and database/sql, in Go's own idiom.
package main

import (
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

type pet struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	CategoryID int64  `json:"categoryId"`
	Status     string `json:"status"`
}

type newPet struct {
	Name       string `json:"name"`
	CategoryID *int64 `json:"categoryId"`
	Status     string `json:"status"`
}

type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

var (
	invalidKey    = failure{"invalid_api_key", "Missing or invalid API key.", 401}
	petNotFound   = failure{"pet_not_found", "No such animal.", 404}
	routeNotFound = failure{"route_not_found", "No such path.", 404}
	notAllowed    = failure{"method_not_allowed", "Use GET or POST.", 405}
	internalError = failure{"internal_error", "Something went wrong.", 500}
)

const (
	collection = "/v1/pets"
	maxBody    = 64 << 10
)

type server struct{ pets *store }

func (s server) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	limit, after, status := 20, int64(0), query.Get("status")
	if text := query.Get("limit"); text != "" {
		number, err := strconv.Atoi(text)
		if err != nil || number < 1 || number > 100 {
			fail(w, invalid("limit must be between 1 and 100"))
			return
		}
		limit = number
	}
	if status != "" && !isStatus(status) {
		fail(w, invalid("status must be available, pending or sold"))
		return
	}
	if text := query.Get("cursor"); text != "" {
		id, err := decodeCursor(text)
		if err != nil {
			fail(w, failure{"invalid_query", "cursor is not one of ours.", 400})
			return
		}
		after = id
	}
	page, err := s.pets.list(status, after, limit+1)
	if err != nil {
		fail(w, internalError)
		return
	}
	// One extra row shows whether another page follows.
	if len(page) > limit {
		page = page[:limit]
		w.Header().Set("Link", nextLink(limit, status, page[limit-1].ID))
	}
	send(w, http.StatusOK, page)
}

func (s server) create(w http.ResponseWriter, r *http.Request) {
	var body newPet
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&body); err != nil {
		fail(w, invalid(err.Error()))
		return
	}
	if body.Status == "" {
		body.Status = "available"
	}
	length := utf8.RuneCountInString(body.Name)
	if length < 1 || length > 255 || body.CategoryID == nil || !isStatus(body.Status) {
		fail(w, invalid("name, categoryId or status is missing or invalid"))
		return
	}
	created, err := s.pets.create(body.Name, *body.CategoryID, body.Status)
	if err != nil {
		fail(w, internalError)
		return
	}
	w.Header().Set("Location", fmt.Sprintf("%s/%d", collection, created.ID))
	send(w, http.StatusCreated, created)
}

func (s server) get(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, collection+"/"), 10, 64)
	if err != nil {
		fail(w, petNotFound)
		return
	}
	found, err := s.pets.get(id)
	switch {
	case err == sql.ErrNoRows:
		fail(w, petNotFound)
	case err != nil:
		fail(w, internalError)
	default:
		send(w, http.StatusOK, found)
	}
}

func routes(s server) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(collection, func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			s.list(w, r)
		case http.MethodPost:
			s.create(w, r)
		default:
			fail(w, notAllowed)
		}
	})
	mux.HandleFunc(collection+"/", s.get)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fail(w, routeNotFound) })
	return mux
}

func authenticated(key string, next http.Handler) http.Handler {
	expected := []byte("Bearer " + key)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), expected) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="petstore"`)
			fail(w, invalidKey)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func send(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(text)
}

func fail(w http.ResponseWriter, body failure) { send(w, body.Status, body) }

func invalid(message string) failure { return failure{"invalid_request", message, 400} }

func isStatus(text string) bool {
	return text == "available" || text == "pending" || text == "sold"
}

func decodeCursor(text string) (int64, error) {
	id, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(string(id), 10, 64)
}

func nextLink(limit int, status string, last int64) string {
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	if status != "" {
		query.Set("status", status)
	}
	query.Set("cursor", base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(last, 10))))
	return fmt.Sprintf(`<%s?%s>; rel="next"`, collection, query.Encode())
}

func required(name string) string {
	value := os.Getenv(name)
	if value == "" {
		log.Fatalf("%s is not set", name)
	}
	return value
}

func main() {
	pets, err := openStore(required("DATABASE_FILE"))
	if err != nil {
		log.Fatal(err)
	}
	handler := authenticated(required("PETSTORE_API_KEY"), routes(server{pets}))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+required("PORT"), handler))
}
