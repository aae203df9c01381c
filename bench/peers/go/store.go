package main

import (
	"database/sql"

	_ "github.com/mattn/go-sqlite3"
)

const (
	schema = `CREATE TABLE IF NOT EXISTS pets (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		name TEXT NOT NULL,
		category_id INTEGER NOT NULL,
		status TEXT NOT NULL
	);
	CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);`
	columns = "id, name, category_id, status"
)

// Readers share a pool. All writes go through one connection: SQLite has one writer at a time, and its busy handler sleeps.
type store struct{ all, byStatus, byID, insert *sql.Stmt }

func openStore(file string) (*store, error) {
	source := "file:" + file + "?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000"
	writer, err := sql.Open("sqlite3", source)
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	if _, err := writer.Exec(schema); err != nil {
		return nil, err
	}
	readers, err := sql.Open("sqlite3", source)
	if err != nil {
		return nil, err
	}
	readers.SetMaxIdleConns(64)
	prepare := func(database *sql.DB, text string) (statement *sql.Stmt) {
		if err == nil {
			statement, err = database.Prepare(text)
		}
		return statement
	}
	s := &store{
		all:      prepare(readers, "SELECT "+columns+" FROM pets WHERE id > ? ORDER BY id LIMIT ?"),
		byStatus: prepare(readers, "SELECT "+columns+" FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?"),
		byID:     prepare(readers, "SELECT "+columns+" FROM pets WHERE id = ?"),
		insert:   prepare(writer, "INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)"),
	}
	return s, err
}

func (s *store) list(status string, after int64, limit int) ([]pet, error) {
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

func (s *store) get(id int64) (p pet, err error) {
	err = s.byID.QueryRow(id).Scan(&p.ID, &p.Name, &p.CategoryID, &p.Status)
	return p, err
}

func (s *store) create(name string, categoryID int64, status string) (pet, error) {
	result, err := s.insert.Exec(name, categoryID, status)
	if err != nil {
		return pet{}, err
	}
	id, err := result.LastInsertId()
	return pet{id, name, categoryID, status}, err
}
