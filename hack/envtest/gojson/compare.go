/* SPDX-License-Identifier: Apache-2.0 */

package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// comparison walks what Go wrote beside what libkube wrote, along Go's types.
type comparison struct {
	found   *findings
	record  *record
	twice   bool // a member comes twice
	differs bool
	kept    bool // libkube has a member that Go does not know
}

var marshaler = reflect.TypeOf((*json.Marshaler)(nil)).Elem()

// absent stands for a member that is not there.
type absentValue struct{}

var absent any = absentValue{}

func show(v any) string {
	if v == absent {
		return "absent"
	}
	text, _ := json.Marshal(v)
	if len(text) > 200 {
		text = append(text[:200], "..."...)
	}
	return string(text)
}

// class is what a table names instead of a value.
func class(v any) string {
	switch x := v.(type) {
	case absentValue:
		return "absent"
	case nil:
		return "null"
	case map[string]any:
		if len(x) == 0 {
			return "{}"
		}
		return "object"
	case []any:
		if len(x) == 0 {
			return "[]"
		}
		return "list"
	case string:
		if x == "" {
			return `""`
		}
		return "string"
	case json.Number:
		return "number"
	}
	return show(v)
}

func (c *comparison) add(path, what string, g, k any) {
	c.differs = true
	if c.twice {
		what = twice + what
	}
	c.found.add(c.record, what, fmt.Sprintf("%s: Go %s, libkube %s", path, show(g), show(k)))
}

func (c *comparison) classes(path, name string, g, k any) {
	c.add(path, fmt.Sprintf("%s: Go %s, libkube %s", name, class(g), class(k)), g, k)
}

// typeName is the name that the table knows a Go type by.
func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return "*" + typeName(t.Elem())
	}
	if t.Kind() == reflect.String || t.PkgPath() == "" {
		return t.Kind().String()
	}
	return t.Name()
}

// leaf compares what has a form of its own: the same value may be spelled in two ways.
func (c *comparison) leaf(path string, t reflect.Type, g, k any) {
	if reflect.DeepEqual(g, k) {
		return
	}
	if g == nil && k == absent { // metav1.Time without omitzero, RawExtension
		return
	}
	name := typeName(t)
	if k == absent && name == "Quantity" && g == "0" || k == absent && name == "IntOrString" && g == json.Number("0") {
		return // as with scalars, see compareScalar
	}
	same := false
	gText, gIs := g.(string)
	kText, kIs := k.(string)
	if number, is := k.(json.Number); is {
		kText, kIs = number.String(), true
	}
	if gIs && kIs {
		switch strings.TrimPrefix(name, "*") {
		case "Quantity":
			a, errA := resource.ParseQuantity(gText)
			b, errB := resource.ParseQuantity(kText)
			same = errA == nil && errB == nil && a.Cmp(b) == 0
		case "Time", "MicroTime":
			a, errA := time.Parse(time.RFC3339Nano, gText)
			b, errB := time.Parse(time.RFC3339Nano, kText)
			same = errA == nil && errB == nil && a.Equal(b)
		case "Duration":
			a, errA := time.ParseDuration(gText)
			b, errB := time.ParseDuration(kText)
			same = errA == nil && errB == nil && a == b
		}
	}
	if same {
		c.add(path, name+": another spelling", g, k)
		return
	}
	if class(g) == class(k) {
		c.add(path, name+": another value", g, k)
		return
	}
	c.classes(path, name, g, k)
}

// fieldsOf gives the types of a struct's JSON members, those of inline structs included.
func fieldsOf(t reflect.Type, into map[string]reflect.Type) map[string]reflect.Type {
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" && (f.Anonymous || strings.Contains(options, "inline")) {
			fieldsOf(f.Type, into)
		} else if name != "-" && name != "" {
			into[name] = f.Type
		}
	}
	return into
}

func keysOf(maps ...map[string]any) []string {
	seen := map[string]bool{}
	var keys []string
	for _, m := range maps {
		for key := range m {
			if !seen[key] {
				seen[key] = true
				keys = append(keys, key)
			}
		}
	}
	sort.Strings(keys)
	return keys
}

func get(m map[string]any, key string) any {
	if v, is := m[key]; is {
		return v
	}
	return absent
}

// asObject takes what is not there for an object without members, which it is in a struct.
func asObject(v any) (map[string]any, bool) {
	if v == absent {
		return nil, true
	}
	m, is := v.(map[string]any)
	return m, is
}

func (c *comparison) compareStruct(path string, t reflect.Type, g, k any) {
	gm, gIs := asObject(g)
	km, kIs := asObject(k)
	if !gIs || !kIs {
		c.classes(path, "struct", g, k)
		return
	}
	fields := fieldsOf(t, map[string]reflect.Type{})
	for _, key := range keysOf(gm, km) {
		field, known := fields[key]
		if !known {
			c.kept = true
			c.add(path+"."+key, "a member that Go does not know", get(gm, key), get(km, key))
			continue
		}
		c.compare(path+"."+key, field, get(gm, key), get(km, key))
	}
}

func (c *comparison) compareMap(path string, t reflect.Type, g, k any) {
	gm, gIs := g.(map[string]any)
	km, kIs := k.(map[string]any)
	if !gIs || !kIs {
		if !(g == nil && k == absent) { // a nil map that is not omitempty
			c.classes(path, "map", g, k)
		}
		return
	}
	for _, key := range keysOf(gm, km) {
		at := fmt.Sprintf("%s[%q]", path, key)
		if get(gm, key) == absent || get(km, key) == absent {
			c.classes(at, "entry of "+typeName(t.Elem()), get(gm, key), get(km, key))
			continue
		}
		c.compare(at, t.Elem(), get(gm, key), get(km, key))
	}
}

func (c *comparison) compareList(path string, t reflect.Type, g, k any) {
	gl, gIs := g.([]any)
	kl, kIs := k.([]any)
	if !gIs || !kIs {
		if !(g == nil && k == absent) {
			c.classes(path, "list", g, k)
		}
		return
	}
	if len(gl) != len(kl) {
		c.add(path, "list: another length", g, k)
		return
	}
	for i := range gl {
		c.compare(fmt.Sprintf("%s[%d]", path, i), t.Elem(), gl[i], kl[i])
	}
}

func isZero(v any) bool {
	switch x := v.(type) {
	case bool:
		return !x
	case string:
		return x == ""
	case json.Number:
		f, err := x.Float64()
		return err == nil && f == 0
	}
	return v == absent
}

// compareScalar takes a zero that one side leaves out for the same: it is, unless behind a pointer.
func (c *comparison) compareScalar(path string, t reflect.Type, pointer bool, g, k any) {
	if !pointer && (g == absent || k == absent) && isZero(g) && isZero(k) {
		return
	}
	if reflect.DeepEqual(g, k) {
		return
	}
	name := typeName(t)
	if pointer {
		name = "*" + name
	}
	gn, gIs := g.(json.Number)
	kn, kIs := k.(json.Number)
	if gIs && kIs {
		a, errA := gn.Float64()
		b, errB := kn.Float64()
		if t.Kind() == reflect.Float64 && errA == nil && errB == nil && a == b {
			return
		}
	}
	if class(g) == class(k) {
		c.add(path, name+": another value", g, k)
		return
	}
	c.classes(path, name, g, k)
}

func (c *comparison) compare(path string, t reflect.Type, g, k any) {
	pointer := t.Kind() == reflect.Pointer
	if (g == absent && k == absent) || (g == nil && k == nil) {
		return
	}
	if pointer {
		if t.Elem().Implements(marshaler) || t.Implements(marshaler) {
			c.leaf(path, t, g, k)
			return
		}
		t = t.Elem()
	}
	if t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler) {
		c.leaf(path, t, g, k)
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		if pointer && (g == absent || g == nil || k == absent) {
			c.classes(path, "*struct", g, k)
			return
		}
		c.compareStruct(path, t, g, k)
	case reflect.Map:
		c.compareMap(path, t, g, k)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 && g == absent && k == "" {
			c.compareList(path, t, g, []any{}) // no bytes are an empty list, too
			return
		}
		if t.Elem().Kind() == reflect.Uint8 {
			c.leaf(path, t, g, k)
			return
		}
		c.compareList(path, t, g, k)
	case reflect.Interface:
		c.leaf(path, t, g, k)
	default:
		c.compareScalar(path, t, pointer, g, k)
	}
}
