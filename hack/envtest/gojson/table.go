/* SPDX-License-Identifier: Apache-2.0 */

package main

import (
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
)

// finding is one kind of difference, with the first object that showed it.
type finding struct {
	count   int
	example string
}

type findings struct {
	accepted    int
	bySignature map[string]*finding
}

func (f *findings) add(r *record, signature, detail string) {
	if known := f.bySignature[signature]; known != nil {
		known.count++
		return
	}
	input := string(r.input)
	if len(input) > 3000 {
		input = input[:3000] + "..."
	}
	f.bySignature[signature] = &finding{1, fmt.Sprintf("%s %d: %s\n    %q", r.gvk.Kind, r.number, detail, input)}
}

var (
	goSchema  = regexp.MustCompile(`Go struct field JSONSchemaProps\S+ of type`)
	goField   = regexp.MustCompile(`Go struct field \S+ of type`)
	goNumber  = regexp.MustCompile(`(unmarshal number) \S+`)
	goElement = regexp.MustCompile(`(element) [0-9]+`)
	quoted    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'`)
	ourKey    = regexp.MustCompile(`^[A-Za-z0-9.\[\]]+\[TEXT\]\S*: `) // of a path that is not in its field
	ourPlace  = regexp.MustCompile(` \(offset [0-9]+\)$`)
)

// plain takes out of an error what is the object's: names, values and places.
func plain(message string) string {
	message = goSchema.ReplaceAllString(message, "JSONSchemaProps of type")
	message = goField.ReplaceAllString(message, "Go value of type")
	message = goNumber.ReplaceAllString(message, "$1 N")
	message = goElement.ReplaceAllString(message, "$1 N")
	message = ourPlace.ReplaceAllString(message, "")
	return ourKey.ReplaceAllString(quoted.ReplaceAllString(message, "TEXT"), "")
}

// twice begins a difference of an object that has a member twice. A row without it lists it, too.
const twice = "a member twice: "

// row is a difference that stays.
type row struct {
	pattern string
	matcher *regexp.Regexp
	used    bool
}

type table []*row

// readTable reads the rows | `difference` | reason | rule | of a file; a * in a difference stands
// for any text.
func readTable(path string) (table, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows table
	for number, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || len(cells[1]) == 0 || len(cells[2]) <= len(" |") {
			return nil, fmt.Errorf("%s:%d: a row needs a difference, a reason and a rule", path, number+1)
		}
		pattern := strings.Trim(cells[0], "| `")
		matcher := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`)
		rows = append(rows, &row{pattern: pattern, matcher: regexp.MustCompile("^(?s:" + matcher + ")$")})
	}
	return rows, nil
}

func (t table) lists(signature string) bool {
	found := false
	for _, r := range t {
		if r.matcher.MatchString(signature) {
			r.used = true
			found = true
		}
	}
	return found
}

// check prints what is not listed, and what is listed but did not come up; it returns how many.
func (t table) check(f *findings) int {
	failures := 0
	signatures := make([]string, 0, len(f.bySignature))
	for signature := range f.bySignature {
		signatures = append(signatures, signature)
	}
	sort.Strings(signatures)
	for _, signature := range signatures {
		if !t.lists(strings.TrimPrefix(signature, twice)) && !t.lists(signature) {
			failures++
			known := f.bySignature[signature]
			fmt.Printf("not listed, %d times: %s\n    %s\n", known.count, signature, known.example)
		}
	}
	for _, r := range t {
		if !r.used {
			failures++
			fmt.Printf("listed, but it did not come up: %s\n", r.pattern)
		}
	}
	return failures
}
