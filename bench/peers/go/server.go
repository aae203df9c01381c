// The three operations on net/http and database/sql, in Go's own idiom.
package main

import (
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"errors"
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

// A failure is what the client gets instead of an answer.
type failure struct {
	status  int
	message string
}

func (f failure) Error() string { return f.message }

func invalid(message string) failure { return failure{http.StatusBadRequest, message} }

var petNotFound = failure{http.StatusNotFound, "No such animal."}

const collection = "/v1/pets"

type server struct{ pets *store }

func (s server) list(w http.ResponseWriter, r *http.Request) (any, error) {
	query := r.URL.Query()
	limit, after, status := 20, int64(0), query.Get("status")
	var err error
	if text := query.Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > 100 {
			return nil, invalid("limit must be between 1 and 100")
		}
	}
	if status != "" && !isStatus(status) {
		return nil, invalid("status must be available, pending or sold")
	}
	if text := query.Get("cursor"); text != "" {
		if after, err = strconv.ParseInt(text, 10, 64); err != nil {
			return nil, invalid("cursor must be a number")
		}
	}
	page, err := s.pets.list(status, after, limit+1)
	// One extra row shows whether another page follows.
	if len(page) > limit {
		page = page[:limit]
		w.Header().Set("Link", nextLink(limit, status, page[limit-1].ID))
	}
	return page, err
}

func (s server) create(w http.ResponseWriter, r *http.Request) (any, error) {
	body := struct {
		Name       string `json:"name"`
		CategoryID *int64 `json:"categoryId"`
		Status     string `json:"status"`
	}{Status: "available"}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&body); err != nil {
		return nil, invalid(err.Error())
	}
	length := utf8.RuneCountInString(body.Name)
	if length < 1 || length > 255 || body.CategoryID == nil || !isStatus(body.Status) {
		return nil, invalid("name, categoryId or status is missing or invalid")
	}
	created, err := s.pets.create(body.Name, *body.CategoryID, body.Status)
	w.Header().Set("Location", fmt.Sprintf("%s/%d", collection, created.ID))
	return created, err
}

func (s server) get(_ http.ResponseWriter, r *http.Request) (any, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, collection+"/"), 10, 64)
	if err != nil {
		return nil, petNotFound
	}
	found, err := s.pets.get(id)
	if err == sql.ErrNoRows {
		return nil, petNotFound
	}
	return found, err
}

// answer sends what an operation returns.
func answer(status int, operation func(http.ResponseWriter, *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := operation(w, r)
		if err != nil {
			known := failure{http.StatusInternalServerError, "Something went wrong."}
			errors.As(err, &known)
			http.Error(w, known.message, known.status)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(body)
	}
}

func routes(s server) http.Handler {
	mux := http.NewServeMux()
	list, create := answer(http.StatusOK, s.list), answer(http.StatusCreated, s.create)
	mux.HandleFunc(collection, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			create(w, r)
			return
		}
		list(w, r)
	})
	mux.HandleFunc(collection+"/", answer(http.StatusOK, s.get))
	return mux
}

func authenticated(key string, next http.Handler) http.Handler {
	expected := []byte("Bearer " + key)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), expected) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="petstore"`)
			http.Error(w, "Missing or invalid API key.", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isStatus(text string) bool {
	return text == "available" || text == "pending" || text == "sold"
}

func nextLink(limit int, status string, last int64) string {
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	if status != "" {
		query.Set("status", status)
	}
	query.Set("cursor", strconv.FormatInt(last, 10))
	return fmt.Sprintf(`<%s?%s>; rel="next"`, collection, query.Encode())
}

func main() {
	pets, err := openStore(os.Getenv("DATABASE_FILE"))
	if err != nil {
		log.Fatal(err)
	}
	handler := authenticated(os.Getenv("PETSTORE_API_KEY"), routes(server{pets}))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), handler))
}
