// The three operations on net/http and database/sql, in Go's own idiom.
package main

import (
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	_ "github.com/mattn/go-sqlite3"
)

type pet struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	CategoryID int64  `json:"categoryId"`
	Status     string `json:"status"`
}

const (
	collection = "/v1/pets"
	schema     = `CREATE TABLE IF NOT EXISTS pets (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		name TEXT NOT NULL,
		category_id INTEGER NOT NULL,
		status TEXT NOT NULL
	);
	CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);`
	selectPets = "SELECT id, name, category_id, status FROM pets WHERE "
)

// Readers share a pool. All writes go through one connection: SQLite has one writer at a time, and its busy handler sleeps.
type server struct{ all, byStatus, byID, insert *sql.Stmt }

func open(file string) server {
	source := "file:" + file + "?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000"
	writer := must(sql.Open("sqlite3", source))
	writer.SetMaxOpenConns(1)
	must(writer.Exec(schema))
	readers := must(sql.Open("sqlite3", source))
	readers.SetMaxIdleConns(64)
	return server{
		all:      must(readers.Prepare(selectPets + "id > ? ORDER BY id LIMIT ?")),
		byStatus: must(readers.Prepare(selectPets + "status = ? AND id > ? ORDER BY id LIMIT ?")),
		byID:     must(readers.Prepare(selectPets + "id = ?")),
		insert:   must(writer.Prepare("INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)")),
	}
}

func must[Result any](result Result, err error) Result {
	if err != nil {
		log.Fatal(err)
	}
	return result
}

func (s server) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	limit, after, status := 20, int64(0), query.Get("status")
	var invalidLimit, invalidCursor error
	if text := query.Get("limit"); text != "" {
		limit, invalidLimit = strconv.Atoi(text)
	}
	if text := query.Get("cursor"); text != "" {
		after, invalidCursor = strconv.ParseInt(text, 10, 64)
	}
	isValid := invalidLimit == nil && invalidCursor == nil && limit >= 1 && limit <= 100
	if !isValid || (status != "" && !isStatus(status)) {
		http.Error(w, "limit, status or cursor is invalid", http.StatusBadRequest)
		return
	}
	// One extra row shows whether another page follows.
	page, err := s.page(status, after, limit+1)
	if len(page) > limit {
		page = page[:limit]
		w.Header().Set("Link", nextLink(limit, status, page[limit-1].ID))
	}
	send(w, http.StatusOK, page, err)
}

func (s server) page(status string, after int64, limit int) ([]pet, error) {
	statement, values := s.all, []any{after, limit}
	if status != "" {
		statement, values = s.byStatus, []any{status, after, limit}
	}
	rows, err := statement.Query(values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	page := make([]pet, 0, limit)
	for rows.Next() {
		var p pet
		if err := rows.Scan(&p.ID, &p.Name, &p.CategoryID, &p.Status); err != nil {
			return nil, err
		}
		page = append(page, p)
	}
	return page, rows.Err()
}

func (s server) create(w http.ResponseWriter, r *http.Request) {
	body := struct {
		Name       string `json:"name"`
		CategoryID *int64 `json:"categoryId"`
		Status     string `json:"status"`
	}{Status: "available"}
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&body)
	length := utf8.RuneCountInString(body.Name)
	if err != nil || length < 1 || length > 255 || body.CategoryID == nil || !isStatus(body.Status) {
		http.Error(w, "name, categoryId or status is missing or invalid", http.StatusBadRequest)
		return
	}
	result, err := s.insert.Exec(body.Name, *body.CategoryID, body.Status)
	var id int64
	if err == nil {
		id, err = result.LastInsertId()
	}
	w.Header().Set("Location", fmt.Sprintf("%s/%d", collection, id))
	send(w, http.StatusCreated, pet{id, body.Name, *body.CategoryID, body.Status}, err)
}

func (s server) get(w http.ResponseWriter, r *http.Request) {
	var p pet
	// What is not a number becomes 0, which no animal has.
	id, _ := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, collection+"/"), 10, 64)
	err := s.byID.QueryRow(id).Scan(&p.ID, &p.Name, &p.CategoryID, &p.Status)
	send(w, http.StatusOK, p, err)
}

func send(w http.ResponseWriter, status int, body any, err error) {
	if err == sql.ErrNoRows {
		http.Error(w, "No such animal.", http.StatusNotFound)
	} else if err != nil {
		http.Error(w, "Something went wrong.", http.StatusInternalServerError)
	} else {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(body)
	}
}

func isStatus(text string) bool { return text == "available" || text == "pending" || text == "sold" }

func nextLink(limit int, status string, last int64) string {
	query := url.Values{"limit": {strconv.Itoa(limit)}, "cursor": {strconv.FormatInt(last, 10)}}
	if status != "" {
		query.Set("status", status)
	}
	return fmt.Sprintf(`<%s?%s>; rel="next"`, collection, query.Encode())
}

func main() {
	pets, mux := open(os.Getenv("DATABASE_FILE")), http.NewServeMux()
	mux.HandleFunc(collection+"/", pets.get)
	mux.HandleFunc(collection, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			pets.create(w, r)
		} else {
			pets.list(w, r)
		}
	})
	expected := []byte("Bearer " + os.Getenv("PETSTORE_SERVER_API_KEY"))
	authenticated := func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), expected) == 1 {
			mux.ServeHTTP(w, r)
			return
		}
		http.Error(w, "Missing or invalid API key.", http.StatusUnauthorized)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(authenticated)))
}
