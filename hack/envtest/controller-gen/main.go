// SPDX-License-Identifier: Apache-2.0

// kubegen-schemas prints the schemas that controller-gen writes for the structs of Go packages.
//
//	kubegen-schemas PACKAGE… > schemas.json
//	kubegen-schemas --crds FILE… > crds.json
//
// It runs in a directory whose go.mod has the packages. The output is one JSON object, which has
// under "k8s.io/api/core/v1.Pod" what `controller-gen crd` would say of that struct as a member,
// without descriptions. A struct that controller-gen refuses is left out.
//
// --crds prints the CustomResourceDefinitions of YAML files as one JSON array.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"os"

	"golang.org/x/tools/go/packages"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/yaml"
)

// withoutTexts drops the descriptions of a schema and of all that are in it.
type withoutTexts struct{}

func (w withoutTexts) Visit(schema *apiextensions.JSONSchemaProps) crd.SchemaVisitor {
	if schema != nil {
		schema.Description = ""
	}
	return w
}

// describer holds what all schemas share.
type describer struct {
	collector markers.Collector
	checker   loader.TypeChecker
}

func newDescriber() (*describer, error) {
	d := &describer{
		collector: markers.Collector{Registry: &markers.Registry{}},
		checker:   loader.TypeChecker{NodeFilters: []loader.NodeFilter{crd.Generator{}.CheckFilter()}},
	}
	return d, crdmarkers.Register(d.collector.Registry)
}

// parser returns one that knows the types of a package and no schema.
func (d *describer) parser(pkg *loader.Package) *crd.Parser {
	parser := &crd.Parser{Collector: &d.collector, Checker: &d.checker, AllowDangerousTypes: true}
	crd.AddKnownTypes(parser)
	parser.NeedPackage(pkg)
	return parser
}

// errorCount returns how many errors there are in a package and in what it imports. Errors of types
// are none: controller-gen reads a part of each file only, and passes over them too.
func errorCount(pkg *loader.Package) int {
	count := 0
	packages.Visit([]*packages.Package{pkg.Package}, nil, func(at *packages.Package) {
		for _, problem := range at.Errors {
			if problem.Kind != packages.TypeError {
				count++
			}
		}
	})
	return count
}

// describe adds the schemas of a package's structs to found.
func (d *describer) describe(pkg *loader.Package, found map[string]apiextensions.JSONSchemaProps) {
	for ident, info := range d.parser(pkg).Types {
		if _, ok := info.RawSpec.Type.(*ast.StructType); !ok || ident.Package != pkg {
			continue
		}
		parser := d.parser(pkg)
		before := errorCount(pkg)
		parser.NeedFlattenedSchemaFor(ident)
		if errorCount(pkg) > before {
			continue
		}
		schema := parser.FlattenedSchemata[ident]
		crd.EditSchema(&schema, withoutTexts{})
		found[pkg.PkgPath+"."+ident.Name] = schema
	}
}

func run(paths []string) error {
	roots, err := loader.LoadRoots(paths...)
	if err != nil {
		return err
	}
	d, err := newDescriber()
	if err != nil {
		return err
	}
	found := map[string]apiextensions.JSONSchemaProps{}
	for _, pkg := range roots {
		d.describe(pkg, found)
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}

// printDocuments prints YAML files, each of one document, as JSON.
func printDocuments(paths []string) error {
	documents := make([]json.RawMessage, 0, len(paths))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		document, err := yaml.YAMLToJSONStrict(text)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		documents = append(documents, document)
	}
	return json.NewEncoder(os.Stdout).Encode(documents)
}

func main() {
	todo := run
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "--crds" {
		todo, args = printDocuments, args[1:]
	}
	if err := todo(args); err != nil {
		fmt.Fprintln(os.Stderr, "kubegen-schemas:", err)
		os.Exit(1)
	}
}
