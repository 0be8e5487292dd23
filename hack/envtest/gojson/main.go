/* SPDX-License-Identifier: Apache-2.0 */

// kubegen-gojson reads objects as Go's clients do, sigs.k8s.io/json into the types of k8s.io/api,
// and says where libkube made something else of them.
//
//	kubegen-gojson TABLE < records
//
// A record is a line "apiVersion kind number status partial input-length output-length", the input
// and what libkube made of it: status 0 and its JSON, or another status and its error without the
// path. TABLE lists
// the differences that stay, see table.go. The exit status is 1 when one of them is not listed or a
// listed one did not come up.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"
)

// record is one object and libkube's reading of it.
type record struct {
	gvk     schema.GroupVersionKind
	number  int
	status  int
	partial bool
	input   []byte
	output  []byte
}

func nextRecord(in *bufio.Reader) (*record, error) {
	var apiVersion, kind string
	var r record
	var partial, inputLen, outputLen int
	line, err := in.ReadString('\n')
	if err == io.EOF && line == "" {
		return nil, nil
	}
	if _, err := fmt.Sscan(line, &apiVersion, &kind, &r.number, &r.status, &partial, &inputLen, &outputLen); err != nil {
		return nil, fmt.Errorf("record %q: %v", line, err)
	}
	r.gvk = schema.FromAPIVersionAndKind(apiVersion, kind)
	r.partial = partial != 0
	r.input = make([]byte, inputLen)
	r.output = make([]byte, outputLen)
	if _, err := io.ReadFull(in, r.input); err != nil {
		return nil, err
	}
	_, err = io.ReadFull(in, r.output)
	return &r, err
}

// parse reads JSON as a tree that keeps numbers as they are written.
func parse(text []byte) (any, error) {
	var tree any
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	err := decoder.Decode(&tree)
	return tree, err
}

// judge compares Go's reading of the record with libkube's.
func judge(r *record, found *findings) error {
	object, err := scheme.Scheme.New(r.gvk)
	if err != nil {
		return err
	}
	strict, refused := kjson.UnmarshalStrict(r.input, object)
	if refused != nil && r.status != 0 {
		return nil
	}
	if refused != nil {
		found.add(r, "libkube accepts: Go says "+plain(refused.Error()), refused.Error())
		return nil
	}
	if r.status != 0 {
		found.add(r, "libkube refuses: "+plain(string(r.output)), string(r.output))
		return nil
	}
	found.accepted++

	text, err := json.Marshal(object)
	if err != nil {
		found.add(r, "Go cannot write: "+plain(err.Error()), err.Error())
		return nil
	}
	goTree, err := parse(text)
	if err != nil {
		return err
	}
	ourTree, err := parse(r.output)
	if err != nil {
		found.add(r, "libkube writes what is not JSON", err.Error())
		return nil
	}
	unknown, twice := "", false
	for _, e := range strict {
		twice = twice || strings.HasPrefix(e.Error(), "duplicate field")
		if strings.HasPrefix(e.Error(), "unknown field") {
			unknown = e.Error()
		}
	}
	c := comparison{found: found, record: r, twice: twice}
	c.compare("", reflect.TypeOf(object).Elem(), goTree, ourTree)
	// Of a member that comes twice, what was lost of the first may be gone with it.
	if unknown != "" && !r.partial && !c.kept && !twice {
		found.add(r, "not partial: Go says unknown field", unknown)
	}
	if unknown == "" && r.partial && !c.differs {
		found.add(r, "partial: Go has lost nothing", "")
	}
	return nil
}

func run(tablePath string) error {
	if err := apiextensions.AddToScheme(scheme.Scheme); err != nil {
		return err
	}
	table, err := readTable(tablePath)
	if err != nil {
		return err
	}
	found := findings{bySignature: map[string]*finding{}}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	count := 0
	for {
		r, err := nextRecord(in)
		if err != nil {
			return err
		}
		if r == nil {
			break
		}
		if err := judge(r, &found); err != nil {
			return err
		}
		count++
	}
	fmt.Printf("%d objects, %d of them read by both, %d kinds of difference\n", count, found.accepted,
		len(found.bySignature))
	if failures := table.check(&found); failures > 0 {
		return fmt.Errorf("%d differences that %s does not list, or lists in vain", failures, tablePath)
	}
	return nil
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: kubegen-gojson TABLE < records")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "kubegen-gojson:", err)
		os.Exit(1)
	}
}
